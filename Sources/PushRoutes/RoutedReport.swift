public import FoundationEssentials
public import PushAdapter

/// The vendors' answers to a send over routes. A router's report has those of one send, an outbox's report those of a
/// campaign, and a router prunes bindings by either.
public protocol RoutedReport: Sendable {
    /// When the send began. Pruning keeps bindings that the app reported later.
    var startedAt: Date { get }
    /// The targets whose message was accepted, if the report names them; otherwise none.
    var acceptedTargets: [RoutedTarget.Way] { get }
    /// Returns the number of answers of each route.
    func answers() async throws(PushError) -> [RouteName: RouteAnswers]
    /// Calls `body` with the targets that their vendor called dead, at most 1,000 at once.
    func forEachDead(
        _ body: ([DeadTarget]) async throws(PushError) -> Void
    ) async throws(PushError)
}

/// The number of answers of one vendor to a send.
public struct RouteAnswers: Sendable, Hashable {
    /// Targets whose message the vendor accepted.
    public var accepted = 0
    /// Targets that the vendor called dead.
    public var dead = 0
    /// Whether the vendor accepted a message to a device. Then the credentials belong to the app and its environment.
    public var isProven = false

    /// No answers.
    public init() {}
}

/// A target whose vendor said that it is gone.
public struct DeadTarget: Sendable, Hashable {
    /// The target at its route.
    public var way: RoutedTarget.Way
    /// The time from which it is gone, if the vendor said so.
    public var since: Date?

    /// A dead target.
    public init(_ way: RoutedTarget.Way, since: Date? = nil) { (self.way, self.since) = (way, since) }
}

extension DeadTarget: CustomStringConvertible, CustomReflectable {
    /// The route and a shortened target.
    public var description: String { "\(way.target) at \(way.route)" }
    /// Empty, so `dump` shows only the shortened description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
