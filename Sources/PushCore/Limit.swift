/// The name of a limit. Open: an adapter adds its own.
public struct Limit: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Devices in one request.
    public static let devicesPerSend: Limit = "send.devices"
    /// Aliases in one request.
    public static let aliasesPerSend: Limit = "send.aliases"
    /// Accounts in one request.
    public static let accountsPerSend: Limit = "send.accounts"
    /// Types of accounts in one request; the client knows the maximum 1, which splits a list by type.
    public static let accountTypesPerSend: Limit = "send.accounts.types"
    /// Tags in one set of an audience.
    public static let tagsPerSend: Limit = "send.tags"
    /// The length and the alphabet of a tag.
    public static let tagLength: Limit = "tag.length"
    /// The length and the alphabet of an alias.
    public static let aliasLength: Limit = "alias.length"
    /// The length and the alphabet of an account's name.
    public static let accountLength: Limit = "account.length"
    /// Accounts of one type that a device can have.
    public static let accountsPerType: Limit = "account.type.count"
    /// Devices that may have the same account.
    public static let devicesPerAccount: Limit = "account.devices"
    /// The length and the alphabet of an attribute's name.
    public static let attributeName: Limit = "attribute.name"
    /// The length and the alphabet of an attribute's value, which may be empty.
    public static let attributeValue: Limit = "attribute.value"
    /// Attributes that a device can have.
    public static let attributesPerDevice: Limit = "attributes.device"
    /// The length of a device id.
    public static let deviceIDLength: Limit = "device.length"
    /// Tags in one change.
    public static let tagsPerCall: Limit = "tags.call"
    /// Bytes of all tags in one change.
    public static let tagBytesPerCall: Limit = "tags.call.bytes"
    /// Tags that a device can have.
    public static let tagsPerDevice: Limit = "tags.device"
    /// Devices that may share an alias.
    public static let devicesPerAlias: Limit = "alias.devices"
    /// Messages in one report.
    public static let messagesPerReport: Limit = "report.messages"
    /// The longest life of a message for a device that is offline.
    public static let timeToLive: Limit = "message.timeToLive"
    /// The length of the id that the vendor gives a schedule.
    public static let scheduleID: Limit = "schedule.id"
    /// The length of a schedule's name.
    public static let scheduleName: Limit = "schedule.name"
    /// How far ahead a schedule may send, in seconds.
    public static let scheduleHorizon: Limit = "schedule.horizon"
    /// Schedules that an app may have at once.
    public static let schedules: Limit = "schedule.count"
    /// The length and the alphabet of a phone number.
    public static let phoneLength: Limit = "phone.length"
    /// The length and the alphabet of an idempotency key of the caller's making.
    public static let idempotencyKey: Limit = "key.length"
    /// Idempotency keys in one request for them.
    public static let keysPerMint: Limit = "keys.mint"
}
