public import PushAdapter
import PushClient

extension PushRouter {
    /// Carries out a plan: one list for each route, all at once, and a second one for what a first vendor certainly did not
    /// take, where the policy says so. Costs what the clients' sends cost, and in a migration's shadow stage one request for
    /// each hundred sampled installations.
    ///
    /// Never throws for an outcome: the report has them, also where nothing was accepted. Refuses a plan with problems
    /// before anything is sent, unless the policy sends what can be sent.
    /// - Parameters:
    ///   - plan: who gets what, and over which route.
    ///   - deadline: the time that each list may take, by default the clients'; a send may have several, one after the other.
    public func send(_ plan: RoutePlan, deadline: Duration? = nil) async throws(PushError) -> RouterReport {
        if policy.preflight == .allOrNothing { try plan.check() }
        var options = SendOptions()
        options.deadline = deadline
        let empty = RouterReport(startedAt: clock.date, unreachable: plan.unreachable, problems: plan.problems)
        guard plan.broadcasts.isEmpty else { return await broadcast(plan.broadcasts, options, empty) }
        var sending = RoutedSend(router: self, plan: plan, options: options, report: empty)
        return await sending.run()
    }

    /// What one route said of one list.
    struct ListOutcome: Sendable {
        var report = SendReport()
        var error: PushError?
    }

    /// One list at one route.
    /// - Parameter endsEarly: no more of it starts once the route failed often in a row.
    func send(
        _ message: Message, to audience: Audience?, at route: RouteName, _ options: SendOptions, endsEarly: Bool
    ) async -> ListOutcome {
        guard let client = routes[route], let circuit = circuits[route], let audience else {
            return ListOutcome(error: Planner.unknownRoute(route, routes.keys, for: .send))
        }
        var options = options
        options.watch = circuit.watch(endsList: endsEarly)
        do throws(PushError) {
            return ListOutcome(report: try await client.send(message, to: audience, options: options))
        } catch {
            return ListOutcome(report: error.report ?? SendReport(), error: error)
        }
    }

    private func broadcast(
        _ broadcasts: [RouteName: (message: Message, audience: Audience)], _ options: SendOptions, _ empty: RouterReport
    ) async -> RouterReport {
        var report = empty
        await withTaskGroup(of: (RouteName, ListOutcome).self) { group in
            for (route, part) in broadcasts {
                group.addTask {
                    (route, await self.send(part.message, to: part.audience, at: route, options, endsEarly: false))
                }
            }
            for await (route, list) in group { report.note(list, at: route) }
        }
        return report
    }
}

extension RouterReport {
    mutating func note(_ list: PushRouter.ListOutcome, at route: RouteName) {
        lists[route, default: []].append(list.report)
        if let error = list.error, errors[route] == nil { errors[route] = error }
    }
}
