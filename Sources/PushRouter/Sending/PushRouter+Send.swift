public import PushAdapter
import PushClient

extension PushRouter {
    /// Carries out a plan: sends one list for each route, all at once. If the policy says so, sends a second list for
    /// installations that the first vendor certainly did not reach. Costs the requests of the clients' sends, and in a
    /// migration's shadow stage one for each hundred sampled installations.
    ///
    /// Never throws because of an outcome: the report has them, even if nothing was accepted. Refuses a plan with
    /// problems before it sends anything, unless the policy sends where it can.
    /// - Parameters:
    ///   - plan: the plan.
    ///   - deadline: the time for each list; by default the clients'. A send may have several lists one after the
    ///     other.
    public func send(_ plan: RoutePlan, deadline: Duration? = nil) async throws(PushError) -> RouterReport {
        if policy.preflight == .allOrNothing { try plan.check() }
        var options = SendOptions()
        options.deadline = deadline
        let empty = RouterReport(startedAt: clock.date, unreachable: plan.unreachable, problems: plan.problems)
        guard plan.broadcasts.isEmpty else { return await broadcast(plan.broadcasts, options, empty) }
        var sending = RoutedSend(router: self, plan: plan, options: options, report: empty)
        return await sending.run()
    }

    /// The result of one list at one route.
    struct ListOutcome: Sendable {
        var report = SendReport()
        var error: PushError?
    }

    /// Sends one list at one route.
    /// - Parameter endsEarly: whether the list stops once the route has failed several times in a row.
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
