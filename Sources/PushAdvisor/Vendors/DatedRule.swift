public import PushAdapter

/// A rule of a phone maker that begins on a day, for people who choose a vendor or move between two.
public struct DatedRule: Sendable, Hashable {
    /// The phone maker.
    public let maker: ProviderID
    /// The first day of the rule: `2026-12-31`.
    public let day: String
    /// The rule.
    public let text: String
    /// The page or document that states it, and its date.
    public let source: String

    private init(_ maker: ProviderID, _ day: String, _ text: String, source: String) {
        self.maker = maker
        self.day = day
        self.text = text
        self.source = source
    }

    /// Every known rule, by day.
    public static let all: [DatedRule] = [
        DatedRule(
            .xiaomi, "2026-12-31",
            "delivery suffers in private channels without a template; apps created since 2026-07-01 need one already",
            source: "Xiaomi's guide to templates, 2026-06-02; an integrator's study, 2026-08-19"),
        DatedRule(
            .xiaomi, "2026-12-31",
            "subscriptions leave the private channels: they need a public-subscription channel and the user's consent",
            source: "Xiaomi, subscription messages, 2026-07-03"),
    ]

    /// The rules of the phone makers that a vendor passes messages to.
    public static func of(_ capabilities: Capabilities) -> [DatedRule] {
        all.filter { capabilities.makers.contains($0.maker) }
    }
}

extension DatedRule: CustomStringConvertible {
    /// One line: the day, the maker, the rule and its source.
    public var description: String { "from \(day), \(maker): \(text) (\(source))" }
}
