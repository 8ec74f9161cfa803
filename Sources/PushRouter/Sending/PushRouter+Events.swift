public import FoundationEssentials
public import PushAdapter
public import PushWebhooks

extension PushRouter {
    /// Removes bindings whose device is gone by the events of a vendor's callback. Some vendors accept a message to a
    /// phone whose app was uninstalled, and only an event says so. Costs no request.
    ///
    /// ```swift
    /// let answer = try await receiver.receive(call, at: now)
    /// try await router.prune(answer.events, of: "phones", receivedAt: now)
    /// ```
    ///
    /// Removes the bindings at this route of devices with the verdict `dead`. Keeps those that the app reported after
    /// the date of the verdict, else of the event, else after `receivedAt`. Other events remove nothing. A dead
    /// device that the store does not have counts as spared.
    ///
    /// The guard is that of ``prune(_:)``, over the devices in the events of the last day, dead or reached (`delivered`
    /// or `clicked`). So pass all events, and turn on the vendor's events about delivery: if it reports only dead
    /// devices, ten of them in a day halt the route. The count is in the memory of this router, by the time of this
    /// call. It begins anew with the process, and processes do not share it.
    ///
    /// Call it again at will, also with the same events. Events whose route was halted are not kept. The vendor repeats
    /// them after the next message to the device, or your backend does from its own records.
    /// - Parameters:
    ///   - events: the events of one or more callbacks.
    ///   - route: the route whose vendor called. A route that the router does not have is halted.
    ///   - receivedAt: when the first of the callbacks arrived; it stands for dates that the vendor does not give.
    @discardableResult
    public func prune(
        _ events: [WebhookEvent], of route: RouteName, receivedAt: Date
    ) async throws(PushError) -> PruningReport {
        let dead = events.compactMap { $0.deadTarget(at: route) }
        // One reading: if the clock were set forward between two, the events would count as old.
        let now = clock.date
        let counted = tallies.withLock { tallies -> RouteAnswers? in
            tallies[route]?.note(events, at: now)
            return dead.isEmpty ? nil : tallies[route]?.answers(at: now)
        }
        guard !dead.isEmpty else { return PruningReport() }
        var answers = counted ?? RouteAnswers()
        // The tally may hold none of them.
        answers.dead = max(answers.dead, Set(dead.map(\.way)).count)
        return try await prune(EventReport(startedAt: receivedAt, dead: dead, counts: [route: answers]))
    }
}

extension WebhookEvent {
    fileprivate func deadTarget(at route: RouteName) -> DeadTarget? {
        guard case .dead(let since) = verdict, let device else { return nil }
        return DeadTarget(RoutedTarget.Way(.device(device), at: route), since: since ?? date)
    }
}

/// The dead devices of a callback, and the counts of the day.
private struct EventReport: RoutedReport {
    let startedAt: Date
    let dead: [DeadTarget]
    let counts: [RouteName: RouteAnswers]

    /// None: who sent the messages knows them.
    var acceptedTargets: [RoutedTarget.Way] { [] }

    func answers() -> [RouteName: RouteAnswers] { counts }

    func forEachDead(
        _ body: ([DeadTarget]) async throws(PushError) -> Void
    ) async throws(PushError) {
        for page in dead.pages(of: PushRouter.pageSize) { try await body(page) }
    }
}
