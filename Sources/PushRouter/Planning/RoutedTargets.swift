public import PushAdapter
import PushClient

extension PushRouter {
    /// Returns the targets of a stream of users with their routes, for a program that stores its sends, such as an
    /// outbox. Costs no request, and as much memory as ``plans(_:to:usersPerPlan:)``.
    ///
    /// ```swift
    /// let targets = router.targets(message, to: userIDs)
    /// try await outbox.enqueue(
    ///     message, to: [.routed(targets, over: targets.routes, patience: targets.patience)], as: "sale-2026-11")
    /// ```
    ///
    /// An installation's second route is its best binding at another route whose vendor would take the message. Without
    /// failover in the policy there is no second route. Throws the problems of a page of users, unless the policy sends
    /// where it can.
    /// - Parameters:
    ///   - message: the message.
    ///   - users: the users; one may come more than once.
    ///   - onPlan: receives the plan of each page before its targets, with its problems and unreachable users.
    public func targets<Users: AsyncSequence & Sendable>(
        _ message: Message, to users: Users, onPlan: @escaping @Sendable (RoutePlan) -> Void = { _ in }
    ) -> RoutedTargets<Users> where Users.Element == UserID {
        RoutedTargets(plans: plans(message, to: users), onPlan: onPlan)
    }
}

/// Targets with their routes, planned while they are read.
public struct RoutedTargets<Users: AsyncSequence & Sendable>: AsyncSequence, Sendable where Users.Element == UserID {
    let plans: RoutePlans<Users>
    let onPlan: @Sendable (RoutePlan) -> Void

    /// All routes of the router.
    public var routes: [RouteName] { plans.router.routes.keys.sorted() }

    /// How long the policy waits for a throttled vendor; zero without failover.
    public var patience: Duration {
        if case .whenNotApplied(let patience) = plans.router.policy.failover { patience } else { .zero }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(
            plans: plans.makeAsyncIterator(), router: plans.router,
            preflight: MessagePreflight(router: plans.router, message: plans.message), onPlan: onPlan)
    }

    /// Reads one target after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var plans: RoutePlans<Users>.Iterator
        fileprivate let router: PushRouter
        fileprivate var preflight: MessagePreflight
        fileprivate let onPlan: @Sendable (RoutePlan) -> Void
        fileprivate var choices = RouteChoices()
        fileprivate var place = 0

        /// Returns the next target; nil at the end.
        public mutating func next() async throws -> RoutedTarget? {
            while place == choices.count {
                guard let plan = try await plans.next() else { return nil }
                if router.policy.preflight == .allOrNothing { try plan.check() }
                onPlan(plan)
                (choices, place) = (plan.choices, 0)
            }
            defer { place += 1 }
            let first = choices.binding(place, 0)
            return RoutedTarget(
                RoutedTarget.Way(first.target, at: first.route), or: second(of: place, after: first.route))
        }

        private mutating func second(of choice: Int, after route: RouteName) -> RoutedTarget.Way? {
            guard case .whenNotApplied = router.policy.failover else { return nil }
            for way in choices.ways(of: choice).dropFirst() {
                let binding = choices.binding(choice, way)
                if binding.route != route, preflight.takes(binding) {
                    return RoutedTarget.Way(binding.target, at: binding.route)
                }
            }
            return nil
        }
    }
}
