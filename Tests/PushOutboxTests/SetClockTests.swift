import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting
import TestSupport
import Testing

@testable import PushOutbox

/// A clock that is set by days while a worker has a slice.
@Suite("When the clock of an outbox is set", .timeLimit(.minutes(20)))
struct SetClockTests {
    /// When the clock is set.
    enum Occasion: CaseIterable {
        /// Between the lease and the outcome of the attempt.
        case answering
        /// Between the outcome and its commit.
        case writing
    }

    @Test(
        "the next attempt is as far away as the rules say, although the clock was set",
        arguments: Occasion.allCases, [-2.0, 2])
    func nextAttempt(_ occasion: Occasion, _ days: Double) async throws {
        let world = OutboxWorld(.none, devices: 3)
        let clock = SkewedClock(world.clock)
        let set: @Sendable () -> Void = { clock.lead.withLock { $0 = days * 86_400 } }
        world.host.faults.add(.throttle(reset: nil), times: 1, path: "/messages")
        let client = world.client {
            $0.clock = clock
        } whileAnswering: {
            if occasion == .answering { set() }
        }
        let store = LosingStore(base: world.store) { if occasion == .writing { set() } }
        var settings = OutboxSettings()
        settings.random = RandomSource { .max }
        let outbox = PushOutbox(store, routes: ["a": client], settings: settings, clock: clock)
        // The slice has a date of its own. It is due at once.
        try await outbox.enqueue(OutboxWorld.message, to: [world.everyone(from: clock.date)], as: "sale")
        try await outbox.runUntilIdle()
        let campaign = try #require(try await world.store.campaigns(.named("sale")).first)
        let slice = try #require(try await world.store.waiting(of: campaign.id, after: nil, limit: 10).first)
        let pause = slice.notBefore.timeIntervalSince(clock.date)
        #expect(pause > 0 && pause <= SliceRow.longestDelay, "\(pause) seconds")
    }

    /// A store that loses its connection once, before the first outcome of an attempt arrives.
    private struct LosingStore: ForwardingOutboxStore {
        let base: any OutboxStore
        private let onLoss: @Sendable () -> Void
        private let hasLost = Locked(false)

        init(base: any OutboxStore, _ onLoss: @escaping @Sendable () -> Void) {
            (self.base, self.onLoss) = (base, onLoss)
        }

        func forward<Value: Sendable>(
            _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
        ) async throws -> Value { try await body(base) }

        func apply(_ changes: [SliceChange]) async throws -> [Bool] {
            let isOutcome = changes.contains { $0.slice.state == .ready }
            let isLost = hasLost.withLock { hasLost in
                defer { hasLost = hasLost || isOutcome }
                return isOutcome && !hasLost
            }
            guard isLost else { return try await base.apply(changes) }
            onLoss()
            throw Life.Ended()
        }
    }

    @Test("a slice without a worker is due, although its date is of a clock that was set back")
    func endedLease() {
        let now = Moment(
            date: Date(timeIntervalSince1970: 1_790_000_000), uptime: .init(boot: "a", elapsed: .zero),
            isByServer: false)
        let resending = SliceRow.Resending(isAllowed: false, now: now)
        var slice = SliceRow(
            id: .init(campaign: 1, part: 0, number: 0), notBefore: now.date.addingTimeInterval(172_800),
            outcomes: [.open])
        slice.state = .leased
        #expect(slice.recovered(wasAlone: true, resending).notBefore == now.date)
        #expect(slice.givenBack(at: now.date).notBefore == now.date)
        slice.loseKey(resending)
        #expect(slice.state == .ready && slice.notBefore == now.date)
    }

    @Test("a campaign does not expire for a worker whose clock is set forward, if the store's server says so")
    func expiry() async throws {
        let world = OutboxWorld(.none, devices: 6)
        let clock = SkewedClock(world.clock)
        let client = world.client {
            $0.clock = clock
        } whileAnswering: {
            // The vendor refuses a request whose date is five minutes off.
            clock.lead.withLock { $0 = 240 }
        }
        var settings = OutboxSettings()
        settings.slicesInFlight = 1
        let outbox = PushOutbox(
            ServedStore(base: world.store, clock: clock), routes: ["a": client], settings: settings, clock: clock)
        try await world.enqueue(outbox) { $0.expiry = .seconds(120) }
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").accepted == 6)
    }

    /// A store with a server whose clock is right. Dates go in and out on the process's clock.
    private struct ServedStore: ForwardingOutboxStore {
        let base: any OutboxStore
        let clock: SkewedClock

        private var ahead: TimeInterval { clock.lead.withLock { $0 } }
        var lead: Duration? { .seconds(-ahead) }

        func forward<Value: Sendable>(
            _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
        ) async throws -> Value { try await body(base) }

        func campaigns(_ which: CampaignSelection) async throws -> [Campaign] {
            try await base.campaigns(which).map { campaign in
                var campaign = campaign
                campaign.expiresAt?.addTimeInterval(ahead)
                return campaign
            }
        }

        func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
            var request = request
            request.now.addTimeInterval(-ahead)
            return try await base.lease(request)
        }

        func apply(_ changes: [SliceChange]) async throws -> [Bool] {
            try await base.apply(
                changes.map { change in
                    var change = change
                    change.ifActive?.addTimeInterval(-ahead)
                    return change
                })
        }

        func endFinished(at date: Date) async throws -> [Campaign] {
            try await base.endFinished(at: date.addingTimeInterval(-ahead))
        }

        func prune(at date: Date, limit: Int) async throws -> Int {
            try await base.prune(at: date.addingTimeInterval(-ahead), limit: limit)
        }
    }
}
