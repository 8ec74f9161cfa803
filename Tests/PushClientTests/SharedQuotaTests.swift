import FoundationEssentials
import PushAdapter
import PushMemory
import PushSimulation
import TestSupport
import Testing

@testable import PushClient

@Suite("Quotas that processes share, and the tenth that bulk leaves", .timeLimit(.minutes(20)))
struct SharedQuotaTests {
    /// A quota shared by all clients of a test, as a database would keep it.
    private actor Bank: SharedQuota {
        struct Broken: Error {}

        private let clock: VirtualClock
        private var tokens: [QuotaBucket: (count: Double, at: Duration)] = [:]
        private var pausedUntil: Duration = .zero
        private(set) var takes = 0
        private(set) var limits: Set<Int> = []
        private(set) var corrections: [(remaining: Int, pause: Duration)] = []
        private(set) var corrected: [QuotaBucket] = []
        var isBroken = false

        init(_ clock: VirtualClock) { self.clock = clock }

        func breakDown(_ isBroken: Bool) { self.isBroken = isBroken }

        func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) throws -> Duration {
            takes += 1
            limits.insert(quota.limit)
            if isBroken { throw Broken() }
            let (limit, rate) = (Double(quota.limit), Double(quota.limit) / quota.seconds)
            let (old, since) = tokens[bucket] ?? (limit, clock.elapsed)
            let left = min(limit, old + (clock.elapsed - since).seconds * rate) - Double(count)
            tokens[bucket] = (left, clock.elapsed)
            return max(left < 0 ? .seconds(-left / rate) : .zero, pausedUntil - clock.elapsed)
        }

        func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) throws {
            corrections.append((remaining, pause))
            corrected.append(bucket)
            if isBroken { throw Broken() }
            tokens[bucket] = (min(Double(remaining), tokens[bucket]?.count ?? .infinity), clock.elapsed)
            pausedUntil = max(pausedUntil, clock.elapsed + pause)
        }
    }

    private let clock = VirtualClock()
    private let host: SimulatorHost

    init() {
        let devices = (0..<9).map { VirtualDevice("phone-\($0)", .android) }
        host = SimulatorHost(MemoryVendor(key: Secret("right"), devices: devices), clock: clock)
    }

    /// A client whose vendor takes this many calls per minute.
    private func client(_ quota: (any SharedQuota)?, aMinute: Int = 60) -> PushClient {
        var provider = MemoryProvider(key: Secret("right"), makesKeys: false)
        provider.capabilities.callerKeys = [:]
        provider.capabilities.quotas = ["calls": Quota(aMinute, per: .seconds(60), source: "test")]
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.retry = .none
        configuration.sharedQuota = quota
        configuration.deadline = .seconds(600)
        return PushClient(provider, transport: InProcessTransport(host), configuration: configuration)
    }

    private func send(_ client: PushClient, _ count: Int) async throws {
        for _ in 0..<count {
            _ = try await client.send(Message(notification: Notification(body: "Hello")), to: .devices(["phone-1"]))
        }
    }

    @Test("two clients together keep to one quota")
    func together() async throws {
        let bank = Bank(clock)
        let clients = [client(bank, aMinute: 600), client(bank, aMinute: 600)]
        // Each client alone would send all of this at once.
        for _ in 0..<7 { for client in clients { try await send(client, 50) } }
        #expect(clock.elapsed >= .seconds(8) && clock.elapsed <= .seconds(14))
        // The clients take a second's worth of calls at a time, not one per request.
        let takes = await bank.takes
        #expect(takes >= 70 && takes < 140)
    }

    @Test("what the vendor says, the others learn")
    func learned() async throws {
        let bank = Bank(clock)
        let (first, second) = (client(bank), client(bank))
        host.faults.add(.throttle(reset: 20), path: "/messages")
        await #expect(throws: PushError.self) { try await send(first, 1) }
        let corrections = await bank.corrections
        #expect(corrections.last?.remaining == 0 && corrections.last?.pause == .seconds(20))
        try await send(second, 1)
        #expect(clock.elapsed >= .seconds(20))
    }

    @Test("a throttle pauses the shared rate, and uses up no shared quota of a day")
    func days() async throws {
        let bank = Bank(clock)
        let quotas: [QuotaBucket: Quota] = [
            "marketing": Quota(100, a: .china, source: "test"), "calls": Quota(60, per: .seconds(60), source: "test"),
        ]
        let lanes = SharedQuotaLanes(bank, quotas, clock: clock, gate: ShutdownGate())
        await lanes.pause([QuotaCharge("marketing"), QuotaCharge("calls")], for: .seconds(1))
        #expect(await bank.corrected == ["calls"])
        await lanes.pause([QuotaCharge("marketing")], for: .seconds(1))
        #expect(await bank.corrected == ["calls"])
        await lanes.useUp("marketing", for: .seconds(3600))
        #expect(await bank.corrected == ["calls", "marketing"])
        // The pause ends before midnight, and the day goes on then.
        #expect(await bank.corrections.last?.remaining == 100)
        #expect(await bank.corrections.last?.pause == .seconds(3600))
        await lanes.useUp("calls", for: .seconds(3600))
        #expect(await bank.corrections.last?.remaining == 0)
    }

    @Test("what responses say is passed on once a second, or at once if nothing is left; a larger quota is used")
    func rates() async throws {
        let bank = Bank(clock)
        let lanes = SharedQuotaLanes(
            bank, ["calls": Quota(60, per: .seconds(60), source: "test")], clock: clock, gate: ShutdownGate())
        let charges = [QuotaCharge("calls")]
        for left in [100, 99, 98] { await lanes.learn(RateFacts(limit: 120, remaining: left), charges) }
        #expect(await bank.corrections.map(\.remaining) == [100])
        await lanes.learn(RateFacts(limit: 120, remaining: 0, reset: .seconds(7)), charges)
        #expect(await bank.corrections.map(\.remaining) == [100, 0])
        #expect(await bank.corrections.last?.pause == .seconds(7))
        clock.advance(by: .seconds(1))
        await lanes.learn(RateFacts(remaining: 50), charges)
        await lanes.learn(RateFacts(remaining: 10), [QuotaCharge("other")])
        #expect(await bank.corrections.map(\.remaining) == [100, 0, 50])
        _ = await lanes.take(charges, .all)
        _ = await lanes.take(charges, .bulk)
        #expect(await bank.limits == [120, 108])
    }

    @Test("a quota that cannot be asked stops nobody, and is asked again later")
    func broken() async throws {
        let bank = Bank(clock)
        await bank.breakDown(true)
        let client = client(bank)
        try await send(client, 20)
        #expect(clock.elapsed == .zero)
        #expect(await bank.takes == 1)
        await bank.breakDown(false)
        clock.advance(by: .seconds(6))
        try await send(client, 1)
        #expect(await bank.takes == 2)
    }

    @Test("a quota that does not answer holds a request up for a second")
    func silent() async throws {
        /// A database that hangs until the test is over.
        final class Silence: SharedQuota {
            let (takes, isOver) = (Locked(0), Locked(false))
            func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) async throws -> Duration {
                takes.withLock { $0 += 1 }
                while !isOver.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
                return .zero
            }
            func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) async throws
            {}
        }
        let silence = Silence()
        let client = client(silence)
        let sending = Task { try await send(client, 2) }
        await until { clock.expiries == 1 }
        clock.advance(by: .seconds(1))
        try await sending.value
        #expect(silence.takes.withLock { $0 } == 1)
        silence.isOver.withLock { $0 = true }
    }

    @Test("what waits for the shared quota longer than its call may take gives its units back")
    func refunded() async throws {
        let bank = Bank(clock)
        let (first, second) = (client(bank), client(bank))
        try await send(first, 60)
        var options = SendOptions()
        options.deadline = .milliseconds(100)
        let message = Message(notification: Notification(body: "Hello"))
        for _ in 0..<50 {
            await #expect(throws: PushError.self) {
                try await second.send(message, to: .devices(["phone-1"]), options: options)
            }
        }
        try await send(second, 1)
        #expect(clock.elapsed <= .seconds(3))
    }

    @Test("a request that did not leave for a long time gives no shared unit back", arguments: [(0, 3), (9, 2)])
    func oldUnits(_ start: Int, _ takes: Int) async throws {
        let bank = Bank(clock)
        let shared = SharedQuotaLanes(
            bank, ["calls": Quota(60, per: .seconds(60), source: "test")], clock: clock, gate: ShutdownGate())
        let (reservation, _) = QuotaLedger([:]).reserve([QuotaCharge("calls")], now: .zero)
        func take() async { #expect(await shared.take(reservation.charges, .all).duration == .zero) }
        await take()
        clock.advance(by: .seconds(9))
        await take()
        clock.advance(by: .seconds(1))
        await shared.refund(reservation, from: .seconds(start))
        await take()
        #expect(await bank.takes == takes)
    }

    @Test("bulk leaves a tenth of the quota to others", arguments: [false, true])
    func bulk(isShared: Bool) async throws {
        let client = client(isShared ? Bank(clock) : nil)
        func slice(_ isBulk: Bool) async -> SliceReport {
            var attempt = PushClient.SliceAttempt(
                Message(notification: Notification(body: "Hello")),
                slice: SendPlan.Slice(index: 0, targets: [.device("phone-1")], positions: [0]), audience: nil,
                time: .seconds(600)
            ) { (_, _) async throws(PushError) in }
            attempt.isBulk = isBulk
            return await client.send(attempt)
        }
        // A full quota is 60. Bulk sends get 54 of it at once; other sends get the rest.
        for _ in 0..<54 { #expect(await slice(true).error == nil) }
        for _ in 0..<5 { #expect(await slice(false).error == nil) }
        #expect(clock.elapsed == .zero)
        #expect(await slice(true).error == nil)
        #expect(clock.elapsed > .seconds(1))
        // After that, bulk gets nine tenths of the rate, so waiting bulk sends do not block others.
        for _ in 0..<90 { #expect(await slice(true).error == nil) }
        #expect(clock.elapsed >= .seconds(99) && clock.elapsed <= .seconds(105))
        let before = clock.elapsed
        #expect(await slice(false).error == nil)
        #expect(clock.elapsed - before <= .seconds(1))
    }
}
