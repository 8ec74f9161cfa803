import FoundationEssentials
import PushAdapter
import PushMemory
import PushSimulation
import Testing

@testable import PushClient

@Suite("Quotas that are used up until midnight")
struct UsedUpQuotaTests {
    /// From the start of a virtual clock to midnight in China.
    private static let untilMidnight = Duration.seconds(6_400)

    private let clock = VirtualClock()

    private func acme(_ limit: Int) -> Acme {
        var acme = Acme()
        acme.capabilities.quotas = ["calls": Quota(limit, a: .china, source: "test")]
        return acme
    }

    private func memory(_ host: SimulatorHost, quota: (any SharedQuota)? = nil) -> PushClient {
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.sharedQuota = quota
        return PushClient(
            MemoryProvider(key: Secret("right")), transport: InProcessTransport(host), configuration: configuration)
    }

    private func host() -> SimulatorHost {
        SimulatorHost(MemoryVendor(key: Secret("right"), devices: [VirtualDevice("phone", .android)]), clock: clock)
    }

    private func expectUsedUp(
        for time: Duration, _ body: @Sendable () async throws -> Void, _ comment: Comment? = nil
    ) async {
        let error = await #expect(throws: PushError.self, comment) { try await body() }
        #expect(error?.kind == .quotaExhausted && error?.effect == .notApplied, comment)
        #expect(error?.retry == .after(time), comment)
    }

    /// A calendar's distance from UTC in hours, and the seconds from the start of a virtual clock to its midnight.
    private static let midnights: [(hours: Int, rest: Double)] = [(8, 6_400), (0, 35_200), (-3, 46_000)]

    @Test("days begin at midnight of the vendor's calendar", arguments: midnights)
    func days(_ hours: Int, _ rest: Double) {
        let day = CalendarDay(utcOffset: .seconds(hours * 3600))
        let (now, end) = (clock.date, day.end(after: clock.date))
        #expect(end.timeIntervalSince(now) == rest)
        #expect(day.number(of: end) == day.number(of: now) + 1)
        #expect(day.number(of: end.addingTimeInterval(-1)) == day.number(of: now))
        #expect(day.end(after: end) == end.addingTimeInterval(86_400))
    }

    @Test(
        "a calendar has a name",
        arguments: [(28_800, "UTC+8"), (0, "UTC"), (-12_600, "UTC-3:30"), (20_700, "UTC+5:45")])
    func names(_ offset: Int, _ name: String) {
        #expect("\(CalendarDay(utcOffset: .seconds(offset)))" == name)
    }

    @Test("a quota of a day gives its units at once, refuses the rest until midnight, and is whole again then")
    func wholeDay() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme(3), clock: clock)
        for _ in 0..<3 { try await client.run(Acme().call(.idempotent)) }
        await expectUsedUp(for: Self.untilMidnight) { try await client.run(Acme().call(.idempotent)) }
        #expect(transport.requests.count == 3 && clock.sleeps.isEmpty)
        clock.advance(by: Self.untilMidnight)
        for _ in 0..<3 { try await client.run(Acme().call(.idempotent)) }
        await expectUsedUp(for: .seconds(86_400)) { try await client.run(Acme().call(.idempotent)) }
    }

    @Test("a request that does not fit leaves what is left to smaller ones")
    func large() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme(3), clock: clock)
        var large = Acme().call(.idempotent)
        large.charges = [QuotaCharge("calls", cost: 2)]
        try await client.run(large)
        let again = large
        await expectUsedUp(for: Self.untilMidnight) { try await client.run(again) }
        try await client.run(Acme().call(.idempotent))
        #expect(transport.requests.count == 2)
    }

    @Test("a request that takes more than a whole day's quota is refused for good")
    func tooLarge() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme(3), clock: clock)
        var large = Acme().call(.idempotent)
        large.charges = [QuotaCharge("calls", cost: 4)]
        let request = large
        let error = await #expect(throws: PushError.self) { try await client.run(request) }
        #expect(error?.kind == .limitExceeded && error?.retry == .never && error?.effect == .notApplied)
        #expect(transport.requests.isEmpty)
    }

    @Test("a request that did not leave costs nothing of the day")
    func refunds() async throws {
        let transport = ScriptedTransport(.refusedConnection, .refusedConnection, .ok)
        let client = makeClient(transport, for: acme(1), clock: clock) { $0.retry = .none }
        for _ in 0..<2 { _ = try? await client.run(Acme().call(.idempotent)) }
        try await client.run(Acme().call(.idempotent))
        await expectUsedUp(for: Self.untilMidnight) { try await client.run(Acme().call(.idempotent)) }
    }

    @Test("a vendor that says that today's quota is used up is not asked before midnight")
    func saidByVendor() async throws {
        let host = host()
        let client = memory(host)
        let message = Message(notification: Notification(body: "Hello"))
        let usedUp: JSONValue = ["code": 11, "message": "used up"]
        host.faults.add(.answer(.json(usedUp, status: 403)), times: 1, path: "/messages")
        await expectUsedUp(
            for: Self.untilMidnight, { _ = try await client.send(message, to: .devices(["phone"])) }, "the vendor")
        let count = host.journal.count
        clock.advance(by: .seconds(400))
        await expectUsedUp(
            for: .seconds(6_000), { _ = try await client.send(message, to: .devices(["phone"])) }, "the client")
        #expect(host.journal.count == count && clock.sleeps.isEmpty)
        clock.advance(by: .seconds(6_000))
        _ = try await client.send(message, to: .devices(["phone"]))
    }

    @Test("a vendor that names a quota that is used up stops the calls of that one only")
    func named() async throws {
        var acme = acme(9)
        acme.capabilities.quotas["letters"] = Quota(9, a: .china, source: "test")
        acme.diagnosis = { response in
            guard response.status == 403 else { return nil }
            var detail = VendorDetail(httpStatus: 403)
            detail.usedUp = "letters"
            return PushError(
                .quotaExhausted, "no more letters", retry: .after(Self.untilMidnight), effect: .notApplied,
                vendor: detail)
        }
        let transport = ScriptedTransport(.status(403), .ok)
        let client = makeClient(transport, for: acme, clock: clock)
        var letter = Acme().call(.idempotent)
        letter.charges.append(QuotaCharge("letters"))
        for _ in 0..<2 {
            let letter = letter
            await expectUsedUp(for: Self.untilMidnight) { try await client.run(letter) }
        }
        try await client.run(Acme().call(.idempotent))
        #expect(transport.requests.count == 2)
    }

    /// A store that has no units left.
    private struct Empty: SharedQuota {
        let wait: Duration
        let asked = Locked(0)
        let pauses = Locked<[Duration]>([])

        func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) -> Duration {
            asked.withLock { $0 += 1 }
            return wait
        }

        func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) {
            pauses.withLock { $0.append(pause) }
        }
    }

    /// In a header, and read by an adapter.
    private static let endlessTimes: [(PushError.Retry, String)] = [
        (.backoff, "9999999999999"), (.after(.seconds(10_000_000_000_000)), ""),
    ]

    @Test("a time beyond all measure stops the calls of all processes for eleven days", arguments: endlessTimes)
    func endless(_ retry: PushError.Retry, _ header: String) async throws {
        let refusal = PushError(.quotaExhausted, "", retry: retry, effect: .notApplied)
        let (transport, store) = (ScriptedTransport(.status(403, [.retryAfter: header]), .ok), Empty(wait: .zero))
        let end = Duration.seconds(1_000_000)
        try await withUsedUp(refusal, transport, store) { client in
            await expectUsedUp(for: end) { try await client.run(Acme().call(.idempotent)) }
            clock.advance(by: end)
            try await client.run(Acme().call(.idempotent))
        }
        #expect(store.pauses.withLock { $0 } == [end])
    }

    @Test("a negative time, and one with a sign, is none", arguments: [(-5, ""), (nil, "+9999999999999")])
    func noTime(_ seconds: Int?, _ header: String) async throws {
        let retry = seconds.map { PushError.Retry.after(.seconds($0)) } ?? .backoff
        let refusal = PushError(.quotaExhausted, "", retry: retry, effect: .notApplied)
        let (transport, store) = (ScriptedTransport(.status(403, [.retryAfter: header]), .ok), Empty(wait: .zero))
        try await withUsedUp(refusal, transport, store) { client in
            let error = await #expect(throws: PushError.self) { try await client.run(Acme().call(.idempotent)) }
            #expect(error?.retry == .backoff)
            try await client.run(Acme().call(.idempotent))
        }
        #expect(store.pauses.withLock { $0 }.isEmpty)
    }

    /// Runs a body with a client that does not retry, and whose vendor refuses with an error if the status is 403.
    private func withUsedUp(
        _ refusal: PushError, _ transport: ScriptedTransport, _ store: Empty,
        _ body: (PushClient) async throws -> Void
    ) async throws {
        var (acme, error) = (acme(9), refusal)
        error.vendor = VendorDetail(httpStatus: 403)
        acme.diagnosis = { [error] response in response.status == 403 ? error : nil }
        try await body(
            makeClient(transport, for: acme, clock: clock) {
                $0.sharedQuota = store
                $0.retry = .none
            })
    }

    @Test("another process's time beyond all measure stops the calls for eleven days")
    func endlessElsewhere() async throws {
        let store = Empty(wait: .seconds(10_000_000_000_000))
        let client = makeClient(ScriptedTransport(.ok), for: acme(9), clock: clock) { $0.sharedQuota = store }
        await expectUsedUp(for: .seconds(1_000_000)) { try await client.run(Acme().call(.idempotent)) }
    }

    @Test(
        "what other processes used up, or were told about, counts here too",
        arguments: [Quota(5, a: .china, source: "test"), Quota(600, per: .seconds(60), source: "test")])
    func shared(_ quota: Quota) async throws {
        let store = Empty(wait: Self.untilMidnight)
        var acme = Acme()
        acme.capabilities.quotas = ["calls": quota]
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme, clock: clock) { $0.sharedQuota = store }
        for _ in 0..<3 {
            await expectUsedUp(for: Self.untilMidnight) { try await client.run(Acme().call(.idempotent)) }
        }
        #expect(transport.requests.isEmpty && clock.sleeps.isEmpty && store.asked.withLock { $0 } == 1)
    }

    @Test("each unit of a shared day is asked for, and a request that did not leave keeps it for the next")
    func sharedUnits() async throws {
        let store = Empty(wait: .zero)
        let transport = ScriptedTransport(.ok, .refusedConnection, .ok)
        let client = makeClient(transport, for: acme(100), clock: clock) {
            $0.sharedQuota = store
            $0.retry = .none
        }
        try await client.run(Acme().call(.idempotent))
        _ = try? await client.run(Acme().call(.idempotent))
        try await client.run(Acme().call(.idempotent))
        #expect(store.asked.withLock { $0 } == 2)
    }
}
