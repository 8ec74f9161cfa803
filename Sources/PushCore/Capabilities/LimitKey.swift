/// The name of a limit. Open: an adapter adds its own.
public struct LimitKey: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Devices in one request.
    public static let devicesPerSend: LimitKey = "send.devices"
    /// Aliases in one request.
    public static let aliasesPerSend: LimitKey = "send.aliases"
    /// Accounts in one request.
    public static let accountsPerSend: LimitKey = "send.accounts"
    /// Tags in one set of an audience.
    public static let tagsPerSend: LimitKey = "send.tags"
    /// Tags in all sets of an audience together.
    public static let tagsPerAudience: LimitKey = "send.tags.all"
    /// The size of an encoded message as the vendor counts it; the adapter computes it.
    public static let payloadBytes: LimitKey = "message.bytes"
    /// The length and the allowed characters of a tag.
    public static let tagLength: LimitKey = "tag.length"
    /// The length and the allowed characters of an alias.
    public static let aliasLength: LimitKey = "alias.length"
    /// The length and the allowed characters of an account's name.
    public static let accountLength: LimitKey = "account.length"
    /// Accounts of one type that a device can have.
    public static let accountsPerType: LimitKey = "account.type.count"
    /// Devices that may have the same account.
    public static let devicesPerAccount: LimitKey = "account.devices"
    /// The length and the allowed characters of an attribute's name.
    public static let attributeName: LimitKey = "attribute.name"
    /// The length and the allowed characters of an attribute's value, which may be empty.
    public static let attributeValue: LimitKey = "attribute.value"
    /// Attributes that a device can have.
    public static let attributesPerDevice: LimitKey = "attributes.device"
    /// The length of a device id.
    public static let deviceIDLength: LimitKey = "device.length"
    /// Tags in one change.
    public static let tagsPerCall: LimitKey = "tags.call"
    /// Devices in one change of a tag's devices.
    public static let devicesPerTagCall: LimitKey = "tags.call.devices"
    /// Bytes of all tags in one change.
    public static let tagBytesPerCall: LimitKey = "tags.call.bytes"
    /// Tags that a device can have.
    public static let tagsPerDevice: LimitKey = "tags.device"
    /// Devices that may share an alias.
    public static let devicesPerAlias: LimitKey = "alias.devices"
    /// Messages in one report.
    public static let messagesPerReport: LimitKey = "report.messages"
    /// The longest time, in seconds, that the vendor keeps a message for an offline device.
    public static let timeToLive: LimitKey = "message.timeToLive"
    /// The length of the id that the vendor gives a schedule.
    public static let scheduleID: LimitKey = "schedule.id"
    /// The length of a schedule's name.
    public static let scheduleName: LimitKey = "schedule.name"
    /// How far ahead a schedule may send, in seconds.
    public static let scheduleHorizon: LimitKey = "schedule.horizon"
    /// Schedules that an app may have at once.
    public static let schedules: LimitKey = "schedule.count"
    /// The length and the allowed characters of a phone number.
    public static let phoneLength: LimitKey = "phone.length"
    /// The length and the allowed characters of an idempotency key that the caller makes: at least 8, and all letters and
    /// digits of ASCII.
    public static let idempotencyKey: LimitKey = "key.length"
    /// Idempotency keys that one request can mint.
    public static let keysPerMint: LimitKey = "keys.mint"
}
