import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import Testing

@Suite("The outbox, at every crash point", .serialized)
struct CrashTests {
    /// Trouble in addition to the crash.
    enum Weather: String, CaseIterable {
        case clear, lostAnswers, throttled, deadPhones
    }

    @Test(
        "nothing is lost and nothing is sent twice, whenever the process ends", arguments: Keys.allCases,
        Weather.allCases)
    func everyPoint(_ keys: Keys, _ weather: Weather) async throws {
        try await endAtEveryPoint(keys, weather, hasSecond: false)
    }

    @Test(
        "what goes on at another route is neither lost nor sent twice, whenever the process ends",
        arguments: Keys.allCases,
        Weather.allCases)
    func everyPointOfTwoRoutes(_ keys: Keys, _ weather: Weather) async throws {
        try await endAtEveryPoint(keys, weather, hasSecond: true)
    }

    private func endAtEveryPoint(_ keys: Keys, _ weather: Weather, hasSecond: Bool) async throws {
        var points = 0
        var isOver = false
        while !isOver {
            for after in [false, true] {
                let life = Life(endingAt: points + 1, after: after)
                let world = world(keys, weather, hasSecond: hasSecond)
                await world.live(life) { outbox in
                    try await world.enqueue(outbox)
                    try await outbox.runUntilIdle()
                }
                isOver = !life.isOver
                let second = world.outbox()
                // The caller enqueues again after a crash. If the campaign exists, this is the same campaign.
                try await world.enqueue(second)
                let hasEnded = try await world.finish(second)
                #expect(hasEnded, "\(keys), \(weather), \(points + 1)\(after ? " after" : "")")
                try await check(
                    world, weather, second, wasEnded: life.isOver,
                    "\(keys), \(weather), \(points + 1)\(after ? " after" : "")")
            }
            points += 1
            try #require(points < 500)
        }
        // A campaign for ten phones takes many steps.
        #expect(points > 12)
    }

    private func world(_ keys: Keys, _ weather: Weather, hasSecond: Bool) -> OutboxWorld {
        let world = OutboxWorld(keys, missing: weather == .deadPhones ? [1, 2, 7] : [], hasSecond: hasSecond)
        switch weather {
        case .clear, .deadPhones: break
        case .lostAnswers: world.host.faults.add(.actedThenLost, times: 2, path: "/messages")
        case .throttled: world.host.faults.add(.throttle(reset: 4), times: 2, path: "/messages")
        }
        return world
    }

    private func check(
        _ world: OutboxWorld, _ weather: Weather, _ outbox: PushOutbox, wasEnded: Bool, _ point: String
    ) async throws {
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.open == 0 && progress.total == 10, "\(point): \(progress)")
        #expect(progress.state == .finished, "\(point)")
        let (deliveries, statuses) = (await world.deliveries, try await world.statuses(outbox))
        for (index, (count, status)) in zip(deliveries, statuses).enumerated() {
            switch status {
            case nil: #expect(count == 1, "\(point): phone \(index) was accepted")
            case .unknown: #expect(count <= 1, "\(point): phone \(index) is unknown")
            // The memory vendor reports an unknown phone as invalid only in a list.
            case .invalid, .malformed, .rejected(mayRetry: false):
                #expect(count == 0, "\(point): phone \(index) is gone")
            case let other: Issue.record("\(point): phone \(index) is \(String(describing: other))")
            }
        }
        if world.second != nil, !wasEnded, weather == .deadPhones || weather == .throttled {
            #expect(statuses.allSatisfy { $0 == nil }, "\(point): the second vendor takes all")
        }
        // With keys, every outcome is known in the end.
        if world.keys == .vendor || world.keys == .caller { #expect(progress.unknown == 0, "\(point)") }
    }
}
