import FoundationEssentials
import PushAdapter

/// How a campaign is carried out.
public struct CampaignOptions: Sendable, Hashable, Codable {
    /// Who goes first at a route. Campaigns of one priority take turns.
    public enum Priority: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
        /// For one person who waits, such as a code to sign in.
        case urgent = 0
        /// For what happened to a customer's order.
        case normal = 1
        /// For lists of millions. They leave a tenth of the vendor's quotas to other messages.
        case bulk = 2

        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// What happens to a target with an unknown outcome.
    public enum AfterUnknown: String, Sendable, Hashable, Codable {
        /// It stays `unknown` in the report.
        case report
        /// It is sent to once more, which may deliver twice; the report counts it as resent.
        case resend
    }

    /// Who goes first at a route; `normal` by default.
    public var priority = Priority.normal
    /// What is not sent after this time is `notAttempted`; nil for no end. Counts from `enqueue`. How long the vendor
    /// keeps what was sent is `Message.timeToLive`, which is at most as long.
    public var expiry: Duration?
    /// What happens to a target with an unknown outcome; `report` by default.
    public var afterUnknown = AfterUnknown.report
    /// How long the report stays after the end; 14 days by default.
    public var keeps: Duration = .seconds(14 * 86_400)
    /// How long the name stays taken after the end; 400 days by default. Until then, a call that enqueues the same campaign once
    /// more sends nothing.
    public var keepsName: Duration = .seconds(400 * 86_400)

    /// The defaults.
    public init() {}

    /// When what was not sent is given up; nil for never.
    func end(from start: Date) -> Date? { expiry.map { start.addingTimeInterval($0.seconds) } }
}
