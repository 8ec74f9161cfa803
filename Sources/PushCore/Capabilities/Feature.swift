/// Something a provider can do or carry: an operation, a kind of audience, a kind of content. Open for vendor extras.
public struct Feature: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension Feature {
    // Operations.
    /// Sending a message.
    public static let send: Feature = "send"
    /// Having the vendor check a message without delivering it.
    public static let validate: Feature = "validate"
    /// Getting idempotency keys from the vendor.
    public static let mintKeys: Feature = "keys.mint"
    /// Getting an access token, which signs requests for some time.
    public static let mintToken: Feature = "token.mint"
    /// Listing the tags of a device.
    public static let readTags: Feature = "tags.read"
    /// Checking whether a device has a tag.
    public static let testTag: Feature = "tags.test"
    /// Adding tags to a device.
    public static let addTags: Feature = "tags.add"
    /// Removing tags from a device.
    public static let removeTags: Feature = "tags.remove"
    /// Replacing the tags of a device with a set.
    public static let replaceTags: Feature = "tags.replace"
    /// Giving many devices a tag.
    public static let addMembers: Feature = "tags.members.add"
    /// Taking a tag from many devices.
    public static let removeMembers: Feature = "tags.members.remove"
    /// Removing all tags from a device.
    public static let clearTags: Feature = "tags.clear"
    /// Reading the alias of a device.
    public static let readAlias: Feature = "alias.read"
    /// Giving a device an alias.
    public static let setAlias: Feature = "alias.set"
    /// Removing the alias from a device.
    public static let removeAlias: Feature = "alias.remove"
    /// Listing the devices of an alias.
    public static let readAliasDevices: Feature = "alias.devices"
    /// Removing an alias from every device that has it.
    public static let deleteAlias: Feature = "alias.delete"
    /// Changing tags, alias and phone number of a device in one request.
    public static let updateDevice: Feature = "device.update"
    /// Reading the delivery counts of messages.
    public static let readDeliveries: Feature = "report.deliveries"
    /// Checking credentials with a call that changes nothing.
    public static let probeCredentials: Feature = "credentials.probe"

    /// Creating a schedule: the vendor keeps a message and sends it later.
    public static let createSchedule: Feature = "schedule.create"
    /// Reading one schedule.
    public static let readSchedule: Feature = "schedule.read"
    /// Listing the schedules of the app.
    public static let listSchedules: Feature = "schedule.list"
    /// Ending a schedule.
    public static let removeSchedule: Feature = "schedule.remove"
    /// Reading the phone number of a device.
    public static let readPhone: Feature = "phone.read"
    /// Giving a device a phone number.
    public static let setPhone: Feature = "phone.set"
    /// Removing the phone number from a device.
    public static let removePhone: Feature = "phone.remove"

    /// Listing the accounts of a device.
    public static let readAccounts: Feature = "accounts.read"
    /// Listing the devices of an account.
    public static let readAccountDevices: Feature = "accounts.devices"
    /// Binding accounts to a device.
    public static let addAccounts: Feature = "accounts.add"
    /// Unbinding some accounts of a device.
    public static let removeAccounts: Feature = "accounts.remove"
    /// Replacing the accounts of a device with a set.
    public static let replaceAccounts: Feature = "accounts.replace"
    /// Unbinding all accounts of a device.
    public static let clearAccounts: Feature = "accounts.clear"
    /// Listing the attributes of a device.
    public static let readAttributes: Feature = "attributes.read"
    /// Setting attributes of a device.
    public static let addAttributes: Feature = "attributes.add"
    /// Removing some attributes from a device.
    public static let removeAttributes: Feature = "attributes.remove"
    /// Replacing the attributes of a device with these.
    public static let replaceAttributes: Feature = "attributes.replace"
    /// Removing all attributes from a device.
    public static let clearAttributes: Feature = "attributes.clear"

    // Triggers of schedules.
    /// Once, at one moment.
    public static let scheduleOnce: Feature = "schedule.once"
    /// Repeatedly.
    public static let scheduleRecurring: Feature = "schedule.recurring"

    // Audiences.
    /// All devices of the app.
    public static let audienceEveryone: Feature = "audience.everyone"
    /// A list of devices.
    public static let audienceDevices: Feature = "audience.devices"
    /// A list of aliases.
    public static let audienceAliases: Feature = "audience.aliases"
    /// A list of accounts.
    public static let audienceAccounts: Feature = "audience.accounts"
    /// Devices with at least one of some tags.
    public static let audienceTagsAnyOf: Feature = "audience.tags.anyOf"
    /// Devices with all of some tags.
    public static let audienceTagsAllOf: Feature = "audience.tags.allOf"
    /// Devices with none of some tags.
    public static let audienceTagsNoneOf: Feature = "audience.tags.noneOf"
    /// A segment of the vendor's console.
    public static let audienceSegment: Feature = "audience.segment"
    /// The devices of a Live Activity.
    public static let audienceLiveActivity: Feature = "audience.liveActivity"
    /// A list uploaded to the vendor.
    public static let audienceFile: Feature = "audience.file"

    // Contents of a message.
    /// A notification.
    public static let contentNotification: Feature = "content.notification"
    /// A custom message for the app.
    public static let contentCustom: Feature = "content.custom"
    /// An update of a Live Activity.
    public static let contentLiveActivity: Feature = "content.liveActivity"
    /// A VoIP push.
    public static let contentVoIP: Feature = "content.voip"
    /// Adding to the badge that the vendor keeps for a device.
    public static let contentBadgeArithmetic: Feature = "content.badge.arithmetic"
}

extension Feature {
    /// The text before the first dot. Operations of one family, such as `tags`, change the same thing.
    package var family: Substring { rawValue.prefix { $0 != "." } }
}
