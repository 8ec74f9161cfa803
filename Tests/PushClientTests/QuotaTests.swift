import FoundationEssentials
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@testable import PushClient

@Suite("Quotas and minimum intervals")
struct QuotaTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    private func fields(_ pairs: [(String, String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs { if let name = HTTPField.Name(name) { fields[name] = value } }
        return fields
    }

    private func provider(_ limit: Int, interval: Duration? = nil) -> Acme {
        var acme = Acme()
        acme.capabilities.quotas = ["calls": Quota(limit, per: .seconds(60), source: "test")]
        if let interval { acme.capabilities.minimumInterval = ["test.read": interval] }
        return acme
    }

    @Test("calls beyond the quota wait for their share")
    func tokenBucket() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: provider(60), clock: clock)
        for _ in 0..<62 { try await client.run(Acme().call(.idempotent)) }
        #expect(transport.requests.count == 62)
        #expect(clock.sleeps.count == 2)
        #expect(clock.elapsed > .seconds(1.9) && clock.elapsed < .seconds(2.1))
    }

    @Test("a 429 pauses the lane for every caller of the client")
    func pause() async throws {
        let clock = VirtualClock()
        let log = EventLog()
        let transport = ScriptedTransport(.status(429, [.retryAfter: "9"]), .ok)
        let client = makeClient(transport, clock: clock) { configuration in
            configuration.retry = .none
            configuration.layers = [log]
        }
        _ = try? await client.run(Acme().call(.idempotent))
        #expect(clock.elapsed == .zero)
        try await client.run(Acme().call(.idempotent))
        #expect(clock.elapsed == .seconds(9))
        #expect(log.lines.contains("waits 9.0"))
    }

    @Test("a wait that is known to exceed the deadline fails at once, and costs no quota")
    func knownWait() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.status(429, [.retryAfter: "600"]), .ok)
        let client = makeClient(transport, clock: clock) { $0.retry = .none }
        _ = try? await client.run(Acme().call(.idempotent))
        let error = await #expect(throws: PushError.self) { try await client.run(Acme().call(.idempotent)) }
        #expect(error?.kind == .rateLimited)
        #expect(error?.effect == .notApplied)
        #expect(error?.retry == .after(.seconds(600)))
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("headers teach the client: a used-up quota is not run into")
    func learning() async throws {
        let clock = VirtualClock()
        let last = fields([("X-Limit", "50"), ("X-Remaining", "0"), ("X-Reset", "12")])
        let transport = ScriptedTransport(.status(200, last), .ok)
        let client = makeClient(transport, clock: clock)
        try await client.run(Acme().call(.idempotent))
        try await client.run(Acme().call(.idempotent))
        #expect(clock.elapsed == .seconds(12))
        // A new window gives the whole quota at once.
        for _ in 0..<40 { try await client.run(Acme().call(.idempotent)) }
        #expect(clock.elapsed == .seconds(12))
    }

    @Test("a throttle without a time is a guess: the quota does not come back whole")
    func guessedPause() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.status(429), .ok)
        let client = makeClient(transport, for: provider(60), clock: clock)
        for _ in 0..<5 { try await client.run(Acme().call(.idempotent)) }
        // One second for the guess, then one call per second, as the quota of 60 per minute allows.
        #expect(clock.elapsed >= .seconds(4))
    }

    @Test("a least wait after a throttle names no end: the quota does not come back whole")
    func leastWait() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.status(429), .ok)
        var acme = provider(60)
        acme.capabilities.leastWaits = [.rateLimited: .seconds(2)]
        let client = makeClient(transport, for: acme, clock: clock)
        for _ in 0..<5 { try await client.run(Acme().call(.idempotent)) }
        // Two seconds of rest, in which two calls come back, then one call per second.
        #expect(clock.elapsed >= .seconds(4))
    }

    @Test("a quota without a rate that says nothing is left refills with time only")
    func nothingLeft() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { _, number throws(PushError) in
            clock.advance(by: .seconds(9))
            return try (number == 1 ? Result.status(200, fields([("X-Remaining", "0")])) : .ok).get()
        }
        let client = makeClient(transport, for: provider(60), clock: clock)
        try await client.run(Acme().call(.idempotent))
        let before = clock.elapsed
        try await client.run(Acme().call(.idempotent))
        #expect(clock.elapsed - before > .seconds(9.9))
    }

    @Test("requests that never left are not counted")
    func refund() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { _, number throws(PushError) in
            try (number <= 100 ? Result.refusedConnection : .ok).get()
        }
        let client = makeClient(transport, for: provider(10), clock: clock) { $0.retry = .none }
        for _ in 0..<100 { _ = try? await client.run(Acme().call(.idempotent)) }
        for _ in 0..<10 { try await client.run(Acme().call(.idempotent)) }
        #expect(clock.elapsed == .zero)
    }

    @Test("who gives its place in a quota back leaves its moment to the next one, and nobody leaves beside another")
    func refundOfAWait() {
        var line = Line(QuotaLedger(["unit": Quota(1, per: .seconds(10), source: "test")]))
        #expect([line.reserve(at: 0), line.reserve(at: 0), line.reserve(at: 0)] == [0, 10, 20])
        line.giveUp(1, at: 0)
        #expect(line.reserve(at: 5) == 10 && line.reserve(at: 5) == 30)
        line.giveUp(3, at: 5)
        // No waiting call takes the free place, and the calls that wait for 20 and 30 s do not move up.
        #expect(line.reserve(at: 12) == 40)
        // With no other call waiting, the place is free again at the time at which it would have been used.
        line.giveUp(5, at: 12)
        #expect(line.reserve(at: 45) == 45)
    }

    @Test("two who give up leave nothing behind that lets two leave at once")
    func refundsOfTwo() {
        var line = Line(QuotaLedger(["unit": Quota(1, per: .seconds(10), source: "test")]))
        #expect((0..<3).map { _ in line.reserve(at: 0) } == [0, 10, 20])
        line.giveUp(2, at: 1)
        line.giveUp(1, at: 11)
        #expect(line.reserve(at: 12) == 12 && line.reserve(at: 17) == 22)
    }

    @Test(
        "a request that did not leave gives back no more than the time since has not brought back already",
        arguments: [(4, 4), (20, 30)])
    func lateRefund(_ moment: Int, _ next: Int) {
        var line = Line(QuotaLedger(["unit": Quota(1, per: .seconds(10), source: "test")]))
        #expect(line.reserve(at: 0) == 0)
        // After twenty seconds, the quota is whole again, and another request takes it.
        if moment == 20 { #expect(line.reserve(at: moment) == moment) }
        line.giveUp(0, at: moment)
        #expect(line.reserve(at: moment) == next)
    }

    @Test("requests that did not leave give back no more together than the quota had room for")
    func lateRefunds() {
        var line = Line(QuotaLedger(["unit": Quota(4, per: .seconds(8), source: "test")]))
        #expect((0..<3).map { _ in line.reserve(at: 0) } == [0, 0, 0])
        // Without those three, the quota would be full before this one.
        #expect(line.reserve(at: 5) == 5)
        for number in 0..<3 { line.giveUp(number, at: 5) }
        #expect((0..<4).map { _ in line.reserve(at: 5) } == [5, 5, 5, 7])
    }

    @Test(
        "who waits when a pause begins, or comes during it, leaves after it by the quota's pace",
        arguments: [true, false])
    func turnsAfterAPause(isNamed: Bool) {
        let ledger = QuotaLedger(["unit": Quota(2, per: .seconds(10), source: "test")])
        var line = Line(ledger)
        #expect((0..<6).map { _ in line.reserve(at: 0) } == [0, 0, 5, 10, 15, 20])
        ledger.pause([QuotaCharge("unit")], for: .seconds(100), isNamed: isNamed, now: .seconds(2))
        var rests: [Int] = []
        for number in 2..<6 { rests.append(line.remaining(number, at: 2)) }
        #expect(rests == [102, 102, 107, 112])
        #expect(line.reserve(at: 50) == 117)
        line.giveUp(4, at: 60)
        #expect(line.reserve(at: 60) == 107 && line.reserve(at: 103) == 122)
        // A pause saves up no calls.
        #expect((0..<3).map { _ in line.reserve(at: 200) } == [200, 200, 205])
    }

    @Test("who waits beyond the end of a pause is not followed too soon")
    func momentBeyondAPause() {
        let ledger = QuotaLedger(["unit": Quota(1, per: .seconds(10), source: "test")])
        var line = Line(ledger)
        #expect((0..<2).map { _ in line.reserve(at: 0) } == [0, 10])
        ledger.pause([QuotaCharge("unit")], for: .seconds(4), isNamed: true, now: .zero)
        #expect(line.remaining(1, at: 0) == 10)
        // The quota is whole at 4 s, and gains nothing until the request that waits has used it.
        #expect(line.reserve(at: 4) == 20)
    }

    @Test("a moment that is missed goes to the next one, although the one before waits longer")
    func missedMoment() {
        let ledger = QuotaLedger(["unit": Quota(2, per: .seconds(10), source: "test")])
        var line = Line(ledger)
        #expect([5, 7, 10, 13].map { line.reserve(at: $0) } == [5, 7, 10, 15])
        ledger.pause([QuotaCharge("unit")], for: .seconds(1), isNamed: true, now: .seconds(13))
        #expect(line.reserve(at: 13) == 14)
        #expect(line.reserve(at: 15) == 15)
    }

    @Test("who missed its moment before a pause is not waited for after it")
    func missedBeforeAPause() {
        let ledger = QuotaLedger(["unit": Quota(1, per: .seconds(6), source: "test")])
        var line = Line(ledger)
        #expect([7, 12].map { line.reserve(at: $0) } == [7, 13])
        ledger.pause([QuotaCharge("unit")], for: .seconds(3), isNamed: true, now: .seconds(14))
        #expect([20, 25].map { line.reserve(at: $0) } == [20, 26])
    }

    @Test("who comes late to its moment does not leave with others that are late")
    func late() {
        var line = Line(QuotaLedger(["unit": Quota(1, per: .seconds(10), source: "test")]))
        #expect((0..<4).map { _ in line.reserve(at: 0) } == [0, 10, 20, 30])
        #expect(line.remaining(1, at: 10) == 10)
        // By then, only one call is left for both.
        let (first, second) = (line.remaining(2, at: 45), line.remaining(3, at: 45))
        #expect(first == 45 && second == 55)
    }

    @Test("who waits for one quota keeps its place in another")
    func twoQuotas() {
        let ledger = QuotaLedger([
            "a": Quota(1, per: .seconds(10), source: "test"), "b": Quota(1, per: .seconds(30), source: "test"),
        ])
        let charges = [QuotaCharge("a"), QuotaCharge("b")]
        let made = (0..<3).map { _ in ledger.reserve(charges, now: .zero) }
        #expect(made.map { Int(($0.delay.duration / .seconds(1)).rounded()) } == [0, 30, 60])
        // The first quota has its calls at 30 s and 60 s for those who wait for the second.
        #expect(ledger.reserve([QuotaCharge("a")], now: .seconds(29)).delay.duration.seconds.rounded() == 41)
        for (number, moment) in [(1, 30), (2, 60)] {
            let rest = ledger.remaining(made[number].reservation, now: .seconds(moment) + .milliseconds(1))
            #expect(rest.duration == .zero)
        }
    }

    /// Requests waiting for a quota, by number.
    private struct Line {
        let ledger: QuotaLedger
        var reservations: [QuotaLedger.Reservation] = []

        init(_ ledger: QuotaLedger) { self.ledger = ledger }

        /// When the request may leave, in seconds.
        mutating func reserve(at now: Int) -> Int {
            let (reservation, delay) = ledger.reserve([QuotaCharge("unit")], now: .seconds(now))
            reservations.append(reservation)
            return now + Int((delay.duration / .seconds(1)).rounded())
        }

        func remaining(_ number: Int, at now: Int) -> Int {
            let rest = ledger.remaining(reservations[number], now: .seconds(now))
            return now + Int((rest.duration / .seconds(1)).rounded())
        }

        func giveUp(_ number: Int, at now: Int) { ledger.refund(reservations[number], now: .seconds(now)) }
    }

    @Test("refused waits cost a paced subject nothing")
    func paceRefund() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: provider(1000, interval: .seconds(60)), clock: clock)
        try await client.run(Acme().call(.idempotent, subject: .device("a")))
        for _ in 0..<5 { _ = try? await client.run(Acme().call(.idempotent, subject: .device("a"))) }
        clock.advance(by: .seconds(60))
        try await client.run(Acme().call(.idempotent, subject: .device("a")))
        #expect(transport.requests.count == 2)
        #expect(clock.elapsed == .seconds(60))
    }

    @Test(
        "absurd headers change nothing",
        arguments: [
            [("X-Limit", "-1"), ("X-Remaining", "-3"), ("X-Reset", "-9")], [("X-Remaining", "0"), ("X-Reset", "0")],
            [("X-Limit", "0")], [("X-Limit", "many")],
        ])
    func absurdHeaders(pairs: [(String, String)]) async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.status(200, fields(pairs)), .ok)
        let client = makeClient(transport, clock: clock)
        for _ in 0..<3 { try await client.run(Acme().call(.idempotent)) }
        #expect(transport.requests.count == 3)
        #expect(clock.elapsed < .seconds(1))
    }

    @Test("writes to one subject keep the vendor's minimum interval, others are not held up")
    func interval() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: provider(1000, interval: .seconds(1.2)), clock: clock)
        try await client.run(Acme().call(.idempotent, subject: .device("a")))
        try await client.run(Acme().call(.idempotent, subject: .device("b")))
        #expect(clock.elapsed == .zero)
        try await client.run(Acme().call(.idempotent, subject: .device("a")))
        #expect(clock.elapsed == .seconds(1.2))
    }

    @Test("a planned send is not charged for a wait the vendor named")
    func freeWaits() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.status(429, [.retryAfter: "120"]), .ok)
        let client = makeClient(transport, clock: clock)
        let report = try await client.send(message, to: .devices(["a", "b", "c", "d"]))
        #expect(report.isComplete)
        #expect(clock.elapsed == .seconds(120))
    }

    @Test("without a time of its own a single send waits 30 s in all, and a planned one 15 minutes")
    func patience() async throws {
        for (audience, hint, isWaited) in [
            (Audience.devices(["a"]), 29, true), (.devices(["a"]), 31, false), (.everyone, 31, false),
            (.devices(["a", "b", "c", "d"]), 899, true), (.devices(["a", "b", "c", "d"]), 7200, false),
        ] {
            let clock = VirtualClock()
            let transport = ScriptedTransport(.status(429, [.retryAfter: String(hint)]), .ok)
            let client = makeClient(transport, clock: clock) { $0.concurrentSlices = 1 }
            let report: SendReport
            do throws(PushError) {
                report = try await client.send(message, to: audience)
            } catch {
                report = try #require(error.report)
                #expect(error.kind == .rateLimited && error.effect == .notApplied)
            }
            #expect(report.isComplete == isWaited && (clock.elapsed >= .seconds(hint)) == isWaited)
            #expect(report.retryable().count == report.exceptions.count)
            #expect(clock.elapsed < .seconds(15 * 60))
        }
    }

    @Test("a send that waits says so as an event, and can be asked")
    func askedWait() async throws {
        let log = EventLog()
        let transport = ScriptedTransport(.status(429, [.retryAfter: "20"]), .ok)
        let clock = StillClock()
        let client = makeClient(transport) {
            $0.clock = clock
            $0.layers = [log]
        }
        let task = Task { try await client.send(message, to: .everyone) }
        await until { !client.waitingCalls.isEmpty }
        let call = try #require(client.waitingCalls.first)
        #expect(call.operation == .send && call.cause == .retry(.rateLimited))
        #expect(call.until == clock.date.addingTimeInterval(20))
        #expect(log.lines.contains("retry after 20.0 for rateLimited"))
        task.cancel()
        _ = try? await task.value
        #expect(client.waitingCalls.isEmpty)
    }

    @Test("the deadline of a planned send ends that patience")
    func plannedDeadline() async {
        let transport = ScriptedTransport(.status(429, [.retryAfter: "120"]), .ok)
        var options = SendOptions()
        options.deadline = .seconds(60)
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport).send(
                Message(custom: CustomMessage(content: "c")), to: .everyone, options: options)
        }
        #expect(error?.kind == .rateLimited)
        #expect(transport.requests.count == 1)
    }
}
