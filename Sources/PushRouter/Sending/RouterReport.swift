public import FoundationEssentials
public import PushAdapter

/// The outcome of a routed send: a status for each installation, and the reports of each route.
public struct RouterReport: Sendable {
    /// An attempt at one binding.
    public struct Attempt: Sendable, Hashable {
        /// The binding.
        public var binding: Binding
        /// The outcome.
        public var status: TargetStatus
        /// Why the vendor or the client refused it.
        public var failure: TargetReport.Failure?
        /// Whether the vendor said this about this target.
        public var isSaidByVendor: Bool
    }

    /// The outcome for one installation.
    public struct Outcome: Sendable, Hashable {
        /// The binding that the plan chose.
        public let chosen: Binding
        /// The attempts, in order, at one vendor or two. A vendor gets another attempt after a wait, or after it named
        /// other targets of the list as invalid.
        public internal(set) var attempts: [Attempt] = []

        /// The status of the last attempt. No attempt follows one that may have delivered.
        public var status: TargetStatus { attempts.last?.status ?? .notAttempted }
        /// The binding of the last attempt.
        public var binding: Binding? { attempts.last?.binding }
        /// Whether an attempt went to another route than planned.
        public var isFailedOver: Bool { attempts.contains { $0.binding.route != chosen.route } }
    }

    /// A binding whose vendor said that its target is gone.
    public struct Dead: Sendable, Hashable {
        /// The binding.
        public var binding: Binding
        /// The time from which it is gone, if the vendor said so.
        public var since: Date?
    }

    /// The answers of a migration's new vendor while the old one sent.
    public struct Shadow: Sendable {
        /// The migration.
        public var migration: String
        /// The number of sampled installations.
        public internal(set) var count = 0
        /// Whether the vendor itself checked the message. Otherwise the client did, without a request.
        public internal(set) var isValidatedByVendor = false
        /// Installations that the old vendor accepted, but whose message the new one would refuse.
        public internal(set) var refused = 0
        /// Installations without an answer: the new vendor could not be reached, or refused for another reason.
        public internal(set) var unanswered = 0
        /// The errors, one for each failed check.
        public internal(set) var errors: [PushError] = []
    }

    /// When the send began. Pruning keeps bindings that were reported later.
    public let startedAt: Date
    /// An outcome for each installation, in the order of the plan; empty for a broadcast.
    public internal(set) var outcomes: [Outcome] = []
    /// The reports of each route, one for each list.
    public internal(set) var lists: [RouteName: [SendReport]] = [:]
    /// The first error of each route that took nothing of a list.
    public internal(set) var errors: [RouteName: PushError] = [:]
    /// The results of migrations in their shadow stage that had installations in the plan.
    public internal(set) var shadows: [Shadow] = []
    /// Recipients that the plan could not reach.
    public internal(set) var unreachable: RoutePlan.Unreachable
    /// Bindings that the plan could not use, and why.
    public internal(set) var problems: [RoutePlan.Problem]

    /// The number of installations whose message this route accepted. A broadcast counts none.
    public func accepted(at route: RouteName) -> Int {
        outcomes.count { $0.status == .accepted && $0.binding?.route == route }
    }

    /// Installations where an attempt went to another route than planned.
    public var failedOver: [Outcome] { outcomes.filter(\.isFailedOver) }

    /// Bindings that are safe to send to again: no vendor acted on the message, and a retry may succeed.
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
    /// Only counts; read the installations from the properties.
    public var description: String {
        let accepted = outcomes.count { $0.status == .accepted }
        return "\(accepted) of \(outcomes.count) installations accepted, \(outcomes.count(where: \.isFailedOver)) by a "
            + "second route, \(unreachable.count) unreachable"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
