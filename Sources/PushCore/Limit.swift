/// The name of a limit. Open: an adapter adds its own.
public struct Limit: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let devicesPerSend: Limit = "send.devices"
    public static let aliasesPerSend: Limit = "send.aliases"
    public static let tagsPerSend: Limit = "send.tags"
    public static let tagLength: Limit = "tag.length"
    public static let aliasLength: Limit = "alias.length"
    public static let deviceIDLength: Limit = "device.length"
    public static let tagsPerCall: Limit = "tags.call"
    public static let tagBytesPerCall: Limit = "tags.call.bytes"
    public static let tagsPerDevice: Limit = "tags.device"
    public static let devicesPerAlias: Limit = "alias.devices"
    public static let messagesPerReport: Limit = "report.messages"
    public static let timeToLive: Limit = "message.timeToLive"
    public static let keysPerMint: Limit = "keys.mint"
}
