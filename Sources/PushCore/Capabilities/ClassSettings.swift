/// The agreements of one app with phone makers about classes of messages.
///
/// ```swift
/// jpush.capabilities.classes = ClassSettings(words: ["xiaomi": [.order: "137041"]])
/// ```
public struct ClassSettings: Sendable, Hashable {
    /// The class of a notification whose message has none; nil for none.
    public var defaultClass: MessageClass?
    /// A maker's own word for a category, or the channel that it has approved for it. The word of a general category,
    /// such as `marketing`, is used for each category of its intent without a word of its own.
    public var words: [ProviderID: [MessageClass.Category: String]]
    /// The categories of service that a maker has approved for the app. A message of another is refused with
    /// `misconfigured`. A maker without an entry is not asked about: its approvals are unknown.
    public var approved: [ProviderID: Set<MessageClass.Category>]

    /// The agreements of an app; none by default.
    public init(
        defaultClass: MessageClass? = nil, words: [ProviderID: [MessageClass.Category: String]] = [:],
        approved: [ProviderID: Set<MessageClass.Category>] = [:]
    ) {
        self.defaultClass = defaultClass
        self.words = words
        self.approved = approved
    }
}

extension MessageClass {
    /// A class in words: `service`, `marketing`, or an intent with a category, `service:order`. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), let intent = Intent(rawValue: parts[0]) else { return nil }
        let category = parts.count == 2 ? Category(parts[1]) : intent.general
        guard !category.rawValue.isEmpty, (category.intent ?? intent) == intent else { return nil }
        self.init(intent, category)
    }
}
