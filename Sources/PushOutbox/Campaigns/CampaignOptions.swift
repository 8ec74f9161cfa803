import FoundationEssentials
import PushAdapter

/// How a campaign is carried out.
public struct CampaignOptions: Sendable, Hashable, Codable {
    /// The order of campaigns at a route. Campaigns with one priority take turns.
    public enum Priority: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
        /// For a person who is waiting, such as a sign-in code.
        case urgent = 0
        /// For news about a customer's order.
        case normal = 1
        /// For lists of millions. These campaigns leave a tenth of the vendor's quotas to other messages.
        case bulk = 2

        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// How workers treat a target with an unknown outcome.
    public enum AfterUnknown: String, Sendable, Hashable, Codable {
        /// It stays `unknown` in the report.
        case report
        /// The worker sends to it once more, which may deliver twice. The report counts it as resent. Where a message has
        /// one key for all its requests, the key is the same, so a device does not show the message twice while the key
        /// is remembered.
        case resend
    }

    /// The order at a route; `normal` by default.
    public var priority = Priority.normal
    /// Targets that are not sent within this time are `notAttempted`; nil for no limit. Counts from `enqueue`. Also
    /// limits `Message.timeToLive`, which says how long the vendor keeps the message.
    public var expiry: Duration?
    /// How workers treat a target with an unknown outcome; `report` by default.
    public var afterUnknown = AfterUnknown.report
    /// How long the report stays after the end; 14 days by default.
    public var keeps: Duration = .seconds(14 * 86_400)
    /// How long the name stays taken after the end; 400 days by default. Until then, enqueuing the same campaign again
    /// sends nothing.
    public var keepsName: Duration = .seconds(400 * 86_400)

    /// The defaults.
    public init() {}

    /// When workers stop sending; nil for never.
    func end(from start: Date) -> Date? { expiry.map { start.addingTimeInterval($0.seconds) } }
}
