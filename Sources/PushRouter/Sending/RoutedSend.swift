import PushAdapter
import PushClient

/// Carries out a plan. Each list proceeds on its own: a follow-up of one list does not wait for the others.
struct RoutedSend {
    /// An attempt for one choice at one of its ways.
    private struct Hop {
        /// The choice's number in the plan.
        var choice: Int
        /// The way's number in the choice.
        var way: Int
        /// Whether another vendor had its attempt before.
        var isSecond = false
        /// Whether the send has already waited for this vendor, so that its next answer is final.
        var isRepeated = false
        /// How often the vendor refused the list because of other targets.
        var rounds = 0
        /// Whether to use the route although it is skipped, because there is no other way.
        var isForced = false
    }

    /// Identifies a list: the targets of one kind at one route.
    private struct ListKey: Hashable {
        let route: RouteName
        let kind: TargetKind
        let isForced: Bool
    }

    private enum Event: Sendable {
        case list(ListKey, [Hop], PushRouter.ListOutcome)
        case shadow(RouterReport.Shadow, refused: [Int])
    }

    /// A vendor may name only one invalid target in each answer.
    private static let mostRounds = 10

    private let router: PushRouter
    private let plan: RoutePlan
    private let options: SendOptions
    private var report: RouterReport
    private var preflight: MessagePreflight
    private let patience: Duration?

    init(router: PushRouter, plan: RoutePlan, options: SendOptions, report: RouterReport) {
        self.router = router
        self.plan = plan
        self.options = options
        self.report = report
        preflight = MessagePreflight(router: router, message: plan.message)
        patience = if case .whenNotApplied(let patience) = router.policy.failover { patience } else { nil }
    }

    mutating func run() async -> RouterReport {
        report.outcomes = plan.choices.map { RouterReport.Outcome(chosen: $0.binding) }
        let firsts = plan.choices.indices.map { choice in
            let way = firstWay(of: choice)
            return Hop(choice: choice, way: way, isForced: patience != nil && isPassedOver(choice, way))
        }
        var shadows: [(RouterReport.Shadow, refused: [Int])] = []
        await withTaskGroup(of: Event.self) { group in
            start(firsts, in: &group)
            for shadow in ShadowPlan.all(of: plan, router) {
                group.addTask { [router, message = plan.message] in
                    let (answer, refused) = await shadow.ask(router, message)
                    return .shadow(answer, refused: refused)
                }
            }
            while let event = await group.next() {
                switch event {
                case .list(let key, let attempts, let list):
                    report.note(list, at: key.route)
                    if key.kind == .device, (list.report.acceptedCount ?? 0) > 0 {
                        router.proven.withLock { _ = $0.insert(key.route) }
                    }
                    let following = note(attempts, list)
                    start(following.now, in: &group)
                    start(following.later, at: following.moment, in: &group)
                case .shadow(let shadow, let refused): shadows.append((shadow, refused))
                }
            }
        }
        note(shadows)
        return report
    }

    // MARK: Lists

    private func start(_ attempts: [Hop], at moment: Duration? = nil, in group: inout TaskGroup<Event>) {
        var lists: [ListKey: [Hop]] = [:]
        for attempt in attempts {
            let binding = plan.choices.binding(attempt.choice, attempt.way)
            let key = ListKey(
                route: binding.route, kind: TargetKind(of: binding.target), isForced: attempt.isForced)
            lists[key, default: []].append(attempt)
        }
        for (key, attempts) in lists {
            group.addTask { [router, plan, options, endsEarly = patience != nil && !key.isForced] in
                if let moment, let end = await router.wait(until: moment, at: key.route) {
                    return .list(key, attempts, PushRouter.ListOutcome(error: end))
                }
                let audience = Audience(attempts.map { plan.choices.binding($0.choice, $0.way).target })
                let list = await router.send(
                    plan.message, to: audience, at: key.route, options, endsEarly: endsEarly)
                return .list(key, attempts, list)
            }
        }
    }

    private struct Following {
        var now: [Hop] = []
        var later: [Hop] = []
        /// When the later attempts start.
        var moment: Duration = .zero
    }

    /// Records the outcome of a list. Returns the attempts that follow.
    private mutating func note(_ attempts: [Hop], _ list: PushRouter.ListOutcome) -> Following {
        let exceptions = Dictionary(
            list.report.exceptions.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
        var following = Following()
        for (position, attempt) in attempts.enumerated() {
            let outcome = RouterReport.Attempt(
                plan.choices.binding(attempt.choice, attempt.way), exceptions[position], list.error)
            report.outcomes[attempt.choice].attempts.append(outcome)
            guard let patience else { continue }
            let decision = FailoverRule.decide(
                outcome.status, outcome.failure, isSaidByVendor: outcome.isSaidByVendor, patience: patience)
            switch decision {
            case .settled: break
            case .next:
                if let next = next(after: attempt, outcome) { following.now.append(next) }
            case .withoutNamed where attempt.rounds < Self.mostRounds:
                var again = attempt
                again.rounds += 1
                following.now.append(again)
            case .again(let time) where !attempt.isRepeated:
                var again = attempt
                again.isRepeated = true
                following.later.append(again)
                following.moment = max(following.moment, router.clock.elapsed + time)
            case .again, .withoutNamed: break
            }
        }
        return following
    }

    // MARK: Ways

    /// The chosen way. If its route is skipped, the next way whose vendor takes the message.
    private mutating func firstWay(of choice: Int) -> Int {
        guard patience != nil, isPassedOver(choice, 0) else { return 0 }
        for way in plan.choices.ways(of: choice).dropFirst()
        where !isPassedOver(choice, way) && preflight.takes(plan.choices.binding(choice, way)) {
            return way
        }
        return 0
    }

    /// The way after one that certainly did not deliver; prefers routes that are not skipped. There is no third vendor:
    /// after two refusals, both stand.
    private mutating func next(after attempt: Hop, _ outcome: RouterReport.Attempt) -> Hop? {
        let tried = report.outcomes[attempt.choice].attempts.map(\.binding.route)
        if !attempt.isSecond {
            var ways = plan.choices.ways(of: attempt.choice).filter {
                !tried.contains(plan.choices.binding(attempt.choice, $0).route)
            }
            ways = ways.filter { !isPassedOver(attempt.choice, $0) } + ways.filter { isPassedOver(attempt.choice, $0) }
            for way in ways where preflight.takes(plan.choices.binding(attempt.choice, way)) {
                return Hop(
                    choice: attempt.choice, way: way, isSecond: true, isForced: isPassedOver(attempt.choice, way))
            }
        }
        // No other route can take the message. This vendor was not asked, because its route was skipped, so ask it now.
        guard !attempt.isForced, outcome.failure?.kind == .circuitOpen else { return nil }
        var forced = attempt
        forced.isForced = true
        return forced
    }

    private func isPassedOver(_ choice: Int, _ way: Int) -> Bool {
        router.circuits[plan.choices.binding(choice, way).route]?.isOpen ?? false
    }

    // MARK: Migrations

    /// Counts refusals only where the old vendor accepted the message.
    private mutating func note(_ shadows: [(RouterReport.Shadow, refused: [Int])]) {
        report.shadows = shadows.map { shadow, refused in
            var shadow = shadow
            shadow.refused = refused.count { report.outcomes[$0].status == .accepted }
            return shadow
        }
        report.shadows.sort { $0.migration < $1.migration }
    }
}

/// Whether a vendor would take the message. Asks once for each kind of target at each route.
struct MessagePreflight {
    private struct Question: Hashable {
        let route: RouteName
        let kind: TargetKind
    }

    let router: PushRouter
    let message: Message
    private var known: [Question: Bool] = [:]

    init(router: PushRouter, message: Message) {
        self.router = router
        self.message = message
    }

    mutating func takes(_ binding: Binding) -> Bool {
        let question = Question(route: binding.route, kind: TargetKind(of: binding.target))
        if let answer = known[question] { return answer }
        let answer = router.explanation(of: message, to: binding)?.refusals.isEmpty ?? false
        known[question] = answer
        return answer
    }
}

extension PushRouter {
    /// Waits for a throttled route. Returns the reason if the task is cancelled or the route's client is shut down before.
    fileprivate func wait(until moment: Duration, at route: RouteName) async -> PushError? {
        let time = max(.zero, moment - clock.elapsed)
        do throws(PushError) { try await routes[route]?.wait(time, for: .send, on: clock) } catch { return error }
        return nil
    }
}

extension RouterReport.Attempt {
    /// - Parameters:
    ///   - exception: the target's entry in the list's report; nil if it was accepted, or if there is no report.
    ///   - error: why the list failed as a whole. Without a report, it decides the outcome of each target.
    init(_ binding: Binding, _ exception: TargetReport?, _ error: PushError?) {
        let failure = error.map(TargetReport.Failure.init)
        if let error, error.report == nil {
            self.init(binding: binding, status: error.status, failure: failure, isSaidByVendor: false)
        } else {
            self.init(
                binding: binding, status: exception?.status ?? .accepted,
                failure: exception.flatMap { $0.failure ?? failure },
                isSaidByVendor: exception?.isSaidByVendor ?? false)
        }
    }
}

extension PushError {
    /// The status of each target in a failed list without a report.
    fileprivate var status: TargetStatus {
        switch effect {
        case .applied: .accepted
        case .unknown: .unknown
        case .notApplied: kind.subject == .message ? .rejected(mayRetry: false) : .notAttempted
        }
    }
}
