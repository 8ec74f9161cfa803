public import FoundationEssentials
public import PushAdapter

/// The outcome of a routed send: a status for each installation, and what each route reported.
public struct RouterReport: Sendable {
    /// One binding that the message was sent to.
    public struct Attempt: Sendable, Hashable {
        /// Where it went.
        public var binding: Binding
        /// What became of it.
        public var status: TargetStatus
        /// Why not, where the vendor or the client refused it.
        public var failure: TargetReport.Failure?
        /// Whether the vendor said so of this target.
        public var isSaidByVendor: Bool
    }

    /// What became of the message to one installation.
    public struct Outcome: Sendable, Hashable {
        /// The binding that the plan chose.
        public let chosen: Binding
        /// Where it went, in order: at one vendor or two, and there again after a wait, or without targets that the vendor
        /// named as invalid.
        public internal(set) var attempts: [Attempt] = []

        /// The last try's. None is ever sent after one that may have delivered.
        public var status: TargetStatus { attempts.last?.status ?? .notAttempted }
        /// The last try's.
        public var binding: Binding? { attempts.last?.binding }
        /// Whether another vendor than that of the plan was asked.
        public var isFailedOver: Bool { attempts.contains { $0.binding.route != chosen.route } }
    }

    /// A binding whose vendor said that its target is gone.
    public struct Dead: Sendable, Hashable {
        /// The binding.
        public var binding: Binding
        /// Since when, where the vendor said that.
        public var since: Date?
    }

    /// What the vendor of a migration's new route said, while the old one sent.
    public struct Shadow: Sendable {
        /// The migration.
        public var migration: String
        /// Installations that were asked about.
        public internal(set) var count = 0
        /// Whether the vendor itself checked the message; otherwise the client did, without a request.
        public internal(set) var isValidatedByVendor = false
        /// Installations that the old vendor accepted, and of which the new one would refuse the message.
        public internal(set) var refused = 0
        /// Installations of which the new vendor said nothing: it could not be reached, or refused for another reason.
        public internal(set) var unanswered = 0
        /// The errors, one for each request.
        public internal(set) var errors: [PushError] = []
    }

    /// When the send began; what was bound later is not pruned.
    public let startedAt: Date
    /// One for each installation, in the order of the plan; none for a broadcast.
    public internal(set) var outcomes: [Outcome] = []
    /// What each route reported, one report for each list that it got.
    public internal(set) var lists: [RouteName: [SendReport]] = [:]
    /// Why a route took nothing of a list, the first time.
    public internal(set) var errors: [RouteName: PushError] = [:]
    /// One for each migration in its shadow stage that the plan had installations for.
    public internal(set) var shadows: [Shadow] = []
    /// Whom the plan could not reach.
    public internal(set) var unreachable: RoutePlan.Unreachable
    /// Bindings that were not used, and why.
    public internal(set) var problems: [RoutePlan.Problem]
    /// Accepted outcomes of a migration that drains, and their old bindings.
    var drained: [Drained] = []

    struct Drained {
        let old: Binding
        let new: Binding
        /// When the drain began.
        let since: Date
        let keepsOldFor: Duration
    }

    /// Installations whose message this route accepted; a broadcast counts none.
    public func accepted(at route: RouteName) -> Int {
        outcomes.count { $0.status == .accepted && $0.binding?.route == route }
    }

    /// Those that another route than the plan's was tried for.
    public var failedOver: [Outcome] { outcomes.filter(\.isFailedOver) }

    /// Bindings that are safe to send to again: no vendor acted on them, and theirs may take them later.
    public func retryable() -> [Binding] {
        outcomes.compactMap { outcome in
            guard !outcome.attempts.contains(where: { $0.status == .accepted || $0.status == .unknown }) else {
                return nil
            }
            return outcome.attempts.last { $0.status.isRetryable }?.binding
        }
    }

    /// Bindings whose vendor said that their target is gone.
    public var dead: [Dead] {
        outcomes.flatMap(\.attempts).compactMap { attempt in
            guard case .invalid(let since) = attempt.status, attempt.isSaidByVendor else { return nil }
            return Dead(binding: attempt.binding, since: since)
        }
    }
}

extension RouterReport: CustomStringConvertible, CustomReflectable {
    /// Counts only; read the installations from the properties.
    public var description: String {
        let accepted = outcomes.count { $0.status == .accepted }
        return "\(accepted) of \(outcomes.count) installations accepted, \(outcomes.count(where: \.isFailedOver)) by a "
            + "second route, \(unreachable.count) unreachable"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
