import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushOutboxSQLite
import PushSimulation
import TestSupport
import Testing

@Suite("An outbox, when calls race each other", .timeLimit(.minutes(20)))
struct RaceTests {
    @Test("every promise is kept over memory", arguments: Keys.allCases)
    func memory(_ keys: Keys) async throws {
        var states: Set<Campaign.State> = []
        for seed in UInt64(1)...20 {
            let world = OutboxWorld(keys)
            let race = Race(world: world, outboxes: [world.outbox(), world.outbox()], expiry: .seconds(3))
            states.formUnion(try await race.run(seed: seed))
        }
        #expect(states == [.finished, .cancelled, .expired])
    }

    @Test("every promise is kept over a file", arguments: Keys.allCases)
    func file(_ keys: Keys) async throws {
        for seed in UInt64(1)...3 {
            try await withFile { path in
                let stores = [try SQLiteOutboxStore(path: path), try SQLiteOutboxStore(path: path)]
                let world = OutboxWorld(keys)
                let race = Race(world: world, outboxes: stores.map { world.outbox(over: $0) }, expiry: .seconds(3))
                try await race.run(seed: seed)
                for store in stores { try store.close() }
            }
        }
    }
}

/// Campaigns to the same phones. Callers enqueue, pause, resume, cancel and resend them while workers carry them out.
/// Some campaigns expire.
struct Race: Sendable {
    let world: OutboxWorld
    /// One outbox per process. Each runs a worker.
    let outboxes: [PushOutbox]
    /// The time after which half of the campaigns expire.
    let expiry: Duration

    private static let names = (0..<6).map { CampaignName("sale-\($0)") }

    /// - Returns: the final states of the campaigns.
    @discardableResult
    func run(seed: UInt64) async throws -> Set<Campaign.State> {
        world.host.faults.add(.actedThenLost, times: 4, path: "/messages")
        let workers = outboxes.map { outbox in Task { try await outbox.run() } }
        try await withThrowingTaskGroup { group in
            for (number, name) in Self.names.enumerated() {
                for outbox in outboxes {
                    group.addTask { try await enqueue(name, number.isMultiple(of: 2) ? expiry : nil, outbox) }
                }
                group.addTask { try await operate(name, SplitMix(seed: seed << 8 + UInt64(number))) }
            }
            try await group.waitForAll()
        }
        var states: Set<Campaign.State> = []
        for name in Self.names {
            try await allowingRefusal { try await outboxes[0].resume(name) }
            try await until { try await outboxes[0].progress(now: name).state.isEnded }
            states.insert(try await outboxes[0].progress(now: name).state)
        }
        for worker in workers {
            worker.cancel()
            try await worker.value
        }
        for name in Self.names { try await check(name, seed) }
        return states
    }

    private func enqueue(_ name: CampaignName, _ expiry: Duration?, _ outbox: PushOutbox) async throws {
        var options = CampaignOptions()
        options.expiry = expiry
        let message = Message(notification: Notification(body: name.rawValue))
        var isKept = false
        while !isKept {
            do throws(PushError) {
                try await outbox.enqueue(message, to: [world.everyone], as: name, options: options)
                isKept = true
            } catch {
                // Another caller is loading the campaign.
                guard error.kind == .invalidState else { throw error }
                await Task.yield()
            }
        }
    }

    private func operate(_ name: CampaignName, _ random: SplitMix) async throws {
        var random = random
        for _ in 0..<12 {
            guard let outbox = outboxes.randomElement(using: &random) else { return }
            let choice = Int.random(in: 0..<24, using: &random)
            try await allowingRefusal {
                switch choice {
                case 0..<9: try await outbox.pause(name)
                case 9..<18: try await outbox.resume(name)
                case 18..<23: try await outbox.resendUnknown(name)
                default: try await outbox.cancel(name)
                }
            }
            for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
        }
    }

    /// Allows a refused operation, because there is no campaign yet or it is in another state. It changes nothing.
    private func allowingRefusal(_ operation: () async throws -> Void) async throws {
        do { try await operation() } catch let error as PushError {
            guard [.invalidArgument, .invalidState].contains(error.kind) else { throw error }
        }
    }

    private func check(_ name: CampaignName, _ seed: UInt64) async throws {
        let outbox = outboxes[0]
        let progress = try await outbox.progress(now: name)
        let (deliveries, statuses) = (await world.deliveries(of: name.rawValue), try await world.statuses(outbox, name))
        let story = Comment(rawValue: "seed \(seed), \(name) is \(progress): \(deliveries), \(statuses)")
        #expect(progress.total == world.devices.count, story)
        #expect(progress.state != .finished || progress.open == 0, story)
        #expect(deliveries.reduce(0) { $0 + max(0, $1 - 1) } <= progress.resent, story)
        for (count, status) in zip(deliveries, statuses) {
            switch status {
            case nil: #expect(count >= 1, story)
            case .unknown: break
            default: #expect(status == .notAttempted && progress.state != .finished && count == 0, story)
            }
        }
    }
}
