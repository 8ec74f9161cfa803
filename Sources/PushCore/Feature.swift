/// Something a provider can do or carry: an operation, a kind of audience, a kind of content. Open for vendor extras.
public struct Feature: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension Feature {
    // Operations.
    public static let send: Feature = "send"
    public static let validate: Feature = "validate"
    public static let mintKeys: Feature = "keys.mint"
    public static let readTags: Feature = "tags.read"
    public static let testTag: Feature = "tags.test"
    public static let addTags: Feature = "tags.add"
    public static let removeTags: Feature = "tags.remove"
    public static let replaceTags: Feature = "tags.replace"
    public static let clearTags: Feature = "tags.clear"
    public static let readAlias: Feature = "alias.read"
    public static let setAlias: Feature = "alias.set"
    public static let removeAlias: Feature = "alias.remove"
    public static let readDeliveries: Feature = "report.deliveries"
    public static let probeCredentials: Feature = "credentials.probe"

    // Audiences.
    public static let audienceEveryone: Feature = "audience.everyone"
    public static let audienceDevices: Feature = "audience.devices"
    public static let audienceAliases: Feature = "audience.aliases"
    public static let audienceAccounts: Feature = "audience.accounts"
    public static let audienceTagsAnyOf: Feature = "audience.tags.anyOf"
    public static let audienceTagsAllOf: Feature = "audience.tags.allOf"
    public static let audienceTagsNoneOf: Feature = "audience.tags.noneOf"
    public static let audienceSegment: Feature = "audience.segment"
    public static let audienceLiveActivity: Feature = "audience.liveActivity"
    public static let audienceFile: Feature = "audience.file"

    // Contents of a message.
    public static let contentNotification: Feature = "content.notification"
    public static let contentCustom: Feature = "content.custom"
    public static let contentLiveActivity: Feature = "content.liveActivity"
    public static let contentVoIP: Feature = "content.voip"
    public static let contentBadgeArithmetic: Feature = "content.badge.arithmetic"
}
