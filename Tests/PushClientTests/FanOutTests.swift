import Dispatch
import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("Sends with a request for each target")
struct FanOutTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    private func acme(concurrency: Int? = nil) -> Acme {
        var acme = Acme()
        acme.capabilities.limits[.devicesPerSend]?.maximum = 1
        acme.capabilities.concurrency = concurrency
        acme.capabilities.quotas = [:]
        acme.diagnosis = { response in
            var vendor = VendorDetail(code: "CODE", httpStatus: response.status)
            switch response.status {
            case 400: return PushError(.invalidArgument, "no such field", vendor: vendor)
            case 402: return PushError(.quotaExhausted, "no more today", retry: .backoff, vendor: vendor)
            case 401: return PushError(.unauthorized, "wrong key", vendor: vendor)
            case 404:
                vendor.verdict = .dead()
                return PushError(.noTarget, "gone", vendor: vendor)
            case 410:
                vendor.verdict = .dead(since: Date(timeIntervalSince1970: 1_780_000_000))
                return PushError(.noTarget, "gone", vendor: vendor)
            case 403:
                vendor.verdict = .suspect
                return PushError(.misconfigured, "of another project", vendor: vendor)
            case 412:
                vendor.verdict = .isolated
                return PushError(.misconfigured, "the platform's key is missing", vendor: vendor)
            case 429: return PushError(.rateLimited, "too fast", retry: .backoff, vendor: vendor)
            default: return nil
            }
        }
        return acme
    }

    private func devices(_ count: Int) -> Audience { .devices((0..<count).map { DeviceID("d\($0)") }) }

    /// The device of a send request.
    private static func device(_ request: TransportRequest) -> String {
        String(request.text.split(separator: "|").last ?? "")
    }

    @Test("every target gets one request, slices of 500 report on them, and the ids come in the targets' order")
    func requests() async throws {
        let transport = ScriptedTransport(.ok)
        let acme = acme()
        let slices = Locked<[SliceReport]>([])
        var options = SendOptions()
        options.onSlice = { slice in slices.withLock { $0.append(slice) } }
        let report = try await makeClient(transport, for: acme).send(message, to: devices(1200), options: options)
        #expect(report.isComplete && report.acceptedCount == 1200)
        #expect(Set(transport.requests.map(Self.device)).count == 1200 && transport.requests.count == 1200)
        #expect(report.slices.map(\.targetCount) == [500, 500, 200])
        #expect(report.slices.map(\.requestCount) == [500, 500, 200])
        #expect(report.messageIDs == (0..<1200).map { MessageID("-|d\($0)") })
        #expect(slices.withLock { $0.count } == 3)
        #expect(acme.sendRequests.withLock { $0 } == 1200 && acme.encodings.withLock { $0 } == 1)
    }

    @Test("message ids are left out of the report on demand, and given to the callback")
    func withoutIDs() async throws {
        let ids = Locked(0)
        var options = SendOptions()
        options.keepsMessageIDs = false
        options.onSlice = { slice in ids.withLock { $0 += slice.messageIDs.count } }
        let client = makeClient(ScriptedTransport(.ok), for: acme())
        let report = try await client.send(message, to: devices(700), options: options)
        #expect(report.messageIDs.isEmpty && report.acceptedCount == 700 && ids.withLock { $0 } == 700)
    }

    @Test("explain counts the requests, and shows the first")
    func explain() {
        let explanation = makeClient(ScriptedTransport(.ok), for: acme()).explain(message, to: devices(20_000))
        #expect(explanation.steps.map(\.count) == [20_000] && explanation.steps.map(\.targetCount) == [1])
    }

    @Test("a refusal that is about one target says so of that one, and stops nothing")
    func verdicts() async throws {
        let statuses = ["d1": 404, "d2": 410, "d3": 403, "d4": 412]
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            guard let status = statuses[Self.device(request)] else { return try Result.ok.get() }
            return try Result.status(status).get()
        }
        let report = try await makeClient(transport, for: acme()).send(message, to: devices(8))
        #expect(
            report.exceptions.map(\.status) == [
                .invalid(), .invalid(since: Date(timeIntervalSince1970: 1_780_000_000)), .suspect,
                .rejected(mayRetry: false),
            ])
        #expect(report.exceptions.map(\.isSaidByVendor) == [true, true, true, false])
        #expect(report.acceptedCount == 4 && report.interruption == nil && report.slices.first?.error == nil)
        #expect(report.slices.first?.failures == [.noTarget: 2, .misconfigured: 2])
        #expect(report.invalidTargets == [.device("d1"), .device("d2")] && report.retryable().isEmpty)
    }

    @Test("when every target is refused, the send throws, and the report says why of each")
    func nothingAccepted() async throws {
        let client = makeClient(ScriptedTransport(.status(404)), for: acme())
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: devices(600)) }
        #expect(error?.kind == .noTarget && error?.effect == .notApplied)
        #expect(error?.report?.invalidTargets.count == 600)
    }

    @Test("a lost response is unknown for its target only")
    func lost() async throws {
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            try Self.device(request) == "d3" ? Result.lost.get() : Result.ok.get()
        }
        let report = try await makeClient(transport, for: acme()).send(message, to: devices(5))
        #expect(report.exceptions.map(\.status) == [.unknown] && report.acceptedCount == 4)
        let all = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.lost), for: acme()).send(message, to: devices(5))
        }
        #expect(all?.effect == .unknown)
    }

    @Test("a refusal of the credentials ends the send: the rest was not attempted, and can be sent later")
    func hopeless() async throws {
        let transport = ScriptedTransport(.status(401))
        let client = makeClient(transport, for: acme(concurrency: 10))
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: devices(2000)) }
        #expect(error?.kind == .unauthorized)
        #expect(transport.requests.count <= 10)
        let statuses = error?.report?.exceptions.map(\.status) ?? []
        #expect(statuses.count == 2000 && statuses.count { $0 == .notAttempted } >= 1990)
    }

    @Test("a message that the vendor refuses for every target costs a hundred requests, not one for each")
    func refusedForAll() async throws {
        let transport = ScriptedTransport(.status(400))
        let client = makeClient(transport, for: acme(concurrency: 10))
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: devices(5000)) }
        #expect(error?.kind == .invalidArgument && (100...110).contains(transport.requests.count))
        let statuses = error?.report?.exceptions.map(\.status) ?? []
        #expect(statuses.count { $0 == .rejected(mayRetry: false) } == transport.requests.count)
        #expect(statuses.count { $0 == .notAttempted } == 5000 - transport.requests.count)
        // An accepted target shows that the message is good.
        let mixed = ScriptedTransport { (request, _) throws(PushError) in
            try Self.device(request) == "d50" ? Result.ok.get() : Result.status(400).get()
        }
        // One slice with one request at a time: the vendor accepts the 51st request.
        let report = try await makeClient(mixed, for: acme(concurrency: 1)).send(message, to: devices(400))
        #expect(report.acceptedCount == 1 && mixed.requests.count == 400 && report.interruption == nil)
    }

    /// Refuses the devices below a number in the same way as it would refuse the message.
    private static func refusing(below number: Int) -> ScriptedTransport {
        ScriptedTransport { (request, _) throws(PushError) in
            let device = Int(Self.device(request).dropFirst()) ?? 0
            return try device < number ? Result.status(400).get() : Result.ok.get()
        }
    }

    @Test(
        "a head that is refused as the message would be does not end the list: every good target behind it gets it once",
        arguments: [(300, 500, 10), (300, 500, 1), (100, 500, 100), (900, 1500, 20), (499, 500, 10), (1300, 1301, 10)])
    func badHead(bad: Int, count: Int, concurrency: Int) async throws {
        let transport = Self.refusing(below: bad)
        let report = try await makeClient(transport, for: acme(concurrency: concurrency))
            .send(message, to: devices(count))
        #expect(report.acceptedCount == count - bad && report.interruption == nil)
        #expect(report.exceptions.map(\.position) == Array(0..<bad))
        #expect(report.exceptions.allSatisfy { $0.status == .rejected(mayRetry: false) && $0.failure?.kind != nil })
        #expect(report.invalidTargets.isEmpty)
        #expect(transport.requests.count == count && Set(transport.requests.map(Self.device)).count == count)
        #expect(report.slices.reduce(0) { $0 + $1.requestCount } == count)
        #expect(report.messageIDs == (bad..<count).map { MessageID("-|d\($0)") })
    }

    @Test("the only good target, at the end, gets its request whichever part of the send is held up", arguments: 1...12)
    func heldPart(number: Int) async throws {
        let transport = Self.refusing(below: 1300)
        let client = makeClient(transport, for: acme(concurrency: 10))
        let report = try await withTaskExecutorPreference(HoldingExecutor(number)) {
            try await client.send(message, to: devices(1301))
        }
        #expect(report.acceptedCount == 1 && transport.requests.count == 1301 && report.interruption == nil)
    }

    @Test("a list that looks refused waits for the request in flight, which decides", arguments: [true, false])
    func refusedBesideAnother(isAccepted: Bool) async throws {
        // The first target has its answer after the last one was asked.
        let (answered, gate) = AsyncStream.makeStream(of: Void.self)
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            let device = Int(Self.device(request).dropFirst()) ?? 0
            if device == 299 { gate.finish() }
            guard device == 0 else { return try Result.status(400).get() }
            for await _ in answered {}
            return try (isAccepted ? Result.ok : .status(400)).get()
        }
        let client = makeClient(transport, for: acme(concurrency: 10))
        if isAccepted {
            let report = try await client.send(message, to: devices(300))
            #expect(report.acceptedCount == 1 && transport.requests.count == 300 && report.interruption == nil)
        } else {
            let error = await #expect(throws: PushError.self) { try await client.send(message, to: devices(300)) }
            #expect(error?.kind == .invalidArgument && transport.requests.count < 120)
        }
    }

    @Test("the target that is asked is not the neighbor, and no repetition of one that was sent to")
    func probe() async throws {
        let transport = Self.refusing(below: 300)
        let client = makeClient(transport, for: acme(concurrency: 1)) { $0.concurrentSlices = 1 }
        let list = (0..<600).map { DeviceID("d\($0)") } + [DeviceID("d3"), "no id", DeviceID("d598")]
        let report = try await client.send(message, to: .devices(list))
        let asked = transport.requests.map(Self.device)
        // The last target without a request so far.
        #expect(asked[100] == "d598" && asked[101] == "d100" && asked.count == 600)
        #expect(report.acceptedCount == 300 && Set(asked).count == 600)
        #expect(report.exceptions.map(\.position) == Array(0..<300) + [600, 601, 602])
    }

    @Test("a message that is refused for all ends the list after a hundred and one more, which is from its end")
    func refusedAtBothEnds() async throws {
        let transport = ScriptedTransport(.status(400))
        let client = makeClient(transport, for: acme(concurrency: 1)) { $0.concurrentSlices = 1 }
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: devices(5000)) }
        #expect(transport.requests.count == 101 && transport.requests.last.map(Self.device) == "d4999")
        let rejected = error?.report?.exceptions.filter { $0.status == .rejected(mayRetry: false) }.map(\.position)
        #expect(rejected == Array(0..<100) + [4999])
        #expect(error?.report?.exceptions.count == 5000 && error?.report?.retryable().count == 4899)
    }

    @Test("a probe that is refused for another reason proves nothing, and the list goes on")
    func otherRefusal() async throws {
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            let device = Int(Self.device(request).dropFirst()) ?? 0
            return try device < 150
                ? Result.status(400).get() : device == 199 ? Result.status(404).get() : Result.ok.get()
        }
        let report = try await makeClient(transport, for: acme(concurrency: 1)).send(message, to: devices(200))
        #expect(report.acceptedCount == 49 && transport.requests.count == 200 && report.interruption == nil)
        #expect(report.invalidTargets == [.device("d199")])
    }

    @Test("a target that was probed is not probed again, and gets one request")
    func secondProbe() async throws {
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            let device = Int(Self.device(request).dropFirst()) ?? 0
            return try device < 450
                ? Result.status(400).get() : device == 599 ? Result.status(404).get() : Result.ok.get()
        }
        let client = makeClient(transport, for: acme(concurrency: 1)) { $0.concurrentSlices = 1 }
        let report = try await client.send(message, to: devices(600))
        #expect(report.acceptedCount == 149 && report.interruption == nil)
        let asked = transport.requests.map(Self.device)
        #expect(asked.count == 600 && Set(asked).count == 600 && asked[100] == "d599" && asked[201] == "d598")
    }

    @Test("of a stream, the last target that was read is asked")
    func streamedHead() async throws {
        let transport = Self.refusing(below: 300)
        let (devices, continuation) = AsyncStream.makeStream(of: DeviceID.self)
        for number in 0..<700 { continuation.yield(DeviceID("d\(number)")) }
        continuation.finish()
        let client = makeClient(transport, for: acme(concurrency: 5)) { $0.concurrentSlices = 1 }
        let report = try await client.send(message, toDevices: devices)
        #expect(report.acceptedCount == 400 && transport.requests.count == 700 && report.interruption == nil)
    }

    @Test("a cancelled send whose head is in doubt ends, and every target has a status")
    func cancelledDoubt() async throws {
        let transport = ScriptedTransport { (request, number) throws(PushError) in
            guard number > 100 else { return try Result.status(400).get() }
            await untilCancelled()
            throw PushError(.cancelled, "cancelled before anything was sent")
        }
        let client = makeClient(transport, for: acme(concurrency: 5))
        let send = Task { try await client.send(message, to: devices(2000)) }
        await until { transport.requests.count >= 101 }
        send.cancel()
        let error = await #expect(throws: PushError.self) { try await send.value }
        #expect(error?.report?.exceptions.count == 2000)
    }

    @Test("a quota that is used up ends the send")
    func quotaExhausted() async throws {
        let transport = ScriptedTransport(.status(402))
        let client = makeClient(transport, for: acme(concurrency: 10)) { $0.retry.attempts = 1 }
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: devices(2000)) }
        #expect(error?.kind == .quotaExhausted && transport.requests.count <= 20)
        #expect(error?.report?.retryable().count == 2000)
    }

    @Test("a message that is refused before the wire costs one encoding, and no request")
    func refusedMessage() async throws {
        var acme = acme()
        acme.refusesMessages = true
        let transport = ScriptedTransport(.ok)
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme).send(message, to: devices(2000))
        }
        #expect(error?.kind == .tooLong && transport.requests.isEmpty && acme.sendRequests.withLock { $0 } == 1)
        #expect(error?.report?.exceptions.count == 2000)
        #expect(error?.report?.slices.map(\.requestCount) == [0, 0, 0, 0])
    }

    @Test(
        "a throttle in the middle delays every target and drops none, and costs neither attempts nor the retry budget")
    func throttle() async throws {
        let clock = VirtualClock()
        var acme = acme()
        acme.capabilities.leastWaits = [.rateLimited: .seconds(60)]
        let transport = ScriptedTransport { [clock] (_, number) throws(PushError) in
            try number > 300 && clock.elapsed < .seconds(200) ? Result.status(429).get() : Result.ok.get()
        }
        let client = makeClient(transport, for: acme, clock: clock) { configuration in
            configuration.retry.attempts = 2
            configuration.retry.budget = 0
            // Each wait of one request moves the clock of all the others.
            configuration.deadline = .seconds(86_400)
        }
        var options = SendOptions()
        options.deadline = .seconds(86_400)
        let report = try await client.send(message, to: devices(5000), options: options)
        let failures = report.exceptions.prefix(3).map(\.failure)
        #expect(report.isComplete && report.acceptedCount == 5000, "\(failures), \(clock.elapsed)")
    }

    @Test("a throttle that does not end leaves the rest unsent when the time is up, and says so")
    func endlessThrottle() async throws {
        let clock = VirtualClock()
        var acme = acme(concurrency: 20)
        acme.capabilities.leastWaits = [.rateLimited: .seconds(60)]
        let transport = ScriptedTransport { (_, number) throws(PushError) in
            try number > 300 ? Result.status(429).get() : Result.ok.get()
        }
        let client = makeClient(transport, for: acme, clock: clock)
        let report = try await client.send(message, to: devices(1000))
        #expect(report.acceptedCount == 300 && report.retryable().count == 700)
        let kinds = report.exceptions.map(\.failure?.kind)
        #expect(kinds.allSatisfy { $0 == .rateLimited || $0 == .timeout } && kinds.contains(.rateLimited))
        #expect(clock.elapsed >= .seconds(14 * 60) && clock.elapsed < .seconds(17 * 60))
    }

    @Test("the window is the client's, over all its sends, and never above the transport's", arguments: [3, 7])
    func window(size: Int) async throws {
        let (running, most) = (Locked(0), Locked(0))
        let transport = ScriptedTransport { (_, _) throws(PushError) in
            let now = running.withLock { running in
                running += 1
                return running
            }
            most.withLock { $0 = max($0, now) }
            await until { most.withLock { $0 } >= size }
            for _ in 0..<5 { await Task.yield() }
            running.withLock { $0 -= 1 }
            return try Result.ok.get()
        }
        let client = makeClient(transport, for: acme(concurrency: size))
        async let first = client.send(message, to: devices(300))
        async let second = client.send(message, to: devices(300))
        let reports = try await [first, second]
        let areComplete = reports.map { $0.isComplete }
        #expect(areComplete == [true, true])
        #expect(most.withLock { $0 } == size)
    }

    @Test("a cancelled send ends at once; what was not sent was not attempted")
    func cancellation() async throws {
        let transport = ScriptedTransport { (_, number) throws(PushError) in
            guard number > 100 else { return try Result.ok.get() }
            await untilCancelled()
            throw PushError(.cancelled, "cancelled before anything was sent")
        }
        let client = makeClient(transport, for: acme(concurrency: 5))
        let send = Task { try await client.send(message, to: devices(2000)) }
        await until { transport.requests.count >= 100 }
        send.cancel()
        let report = try await send.value
        #expect(report.interruption?.kind == .cancelled)
        #expect((report.acceptedCount ?? 0) + report.exceptions.count == 2000)
        #expect(report.exceptions.allSatisfy { $0.status == .notAttempted || $0.status == .rejected(mayRetry: true) })
    }

    @Test("a send that its deadline cuts off says so, although some were accepted")
    func deadline() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { [clock] (_, _) throws(PushError) in
            clock.advance(by: .seconds(1))
            return try Result.ok.get()
        }
        var options = SendOptions()
        options.deadline = .seconds(100)
        let client = makeClient(transport, for: acme(concurrency: 1), clock: clock)
        let report = try await client.send(message, to: devices(400), options: options)
        #expect(report.acceptedCount == 100 && report.retryable().count == 300)
        #expect(report.interruption?.kind == .timeout)
    }

    @Test("one device over its own rate holds up no other")
    func throttledDevice() async throws {
        let clock = VirtualClock()
        var acme = acme(concurrency: 1)
        acme.capabilities.leastWaits = [.rateLimited: .seconds(60)]
        acme.diagnosis = { response in
            guard response.status == 429 else { return nil }
            var vendor = VendorDetail(code: "RATE", httpStatus: 429)
            vendor.verdict = .isolated
            return PushError(.rateLimited, "this device is over its rate", retry: .backoff, vendor: vendor)
        }
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            try Self.device(request) == "d0" ? Result.status(429).get() : Result.ok.get()
        }
        let log = EventLog()
        let client = makeClient(transport, for: acme, clock: clock) { $0.layers = [log] }
        let report = try await client.send(message, to: devices(300))
        // The throttle pauses no quota, not even for its own target.
        #expect(!log.lines.contains { $0.hasPrefix("waits") })
        #expect(report.acceptedCount == 299 && report.exceptions.map(\.status) == [.rejected(mayRetry: true)])
        #expect(transport.requests.count { Self.device($0) == "d0" } == 3)
    }

    @Test("a status that says that it was in place already is a success where the call knows it")
    func inPlace() async throws {
        var acme = acme()
        let conflict = Result<WireResponse, PushError>.success(
            WireResponse(status: 409, body: Array(#"{"id":"1"}"#.utf8)))
        let strict = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(conflict), for: acme).send(message, to: devices(1))
        }
        #expect(strict?.effect == .unknown)
        acme.statusesInPlace = [409]
        #expect(try await makeClient(ScriptedTransport(conflict), for: acme).send(message, to: devices(1)).isComplete)
        // A proxy's page with the same status is not proof.
        let page = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.status(409)), for: acme).send(message, to: devices(1))
        }
        #expect(page?.effect == .unknown)
    }

    @Test("a stream of targets is read as they are sent")
    func stream() async throws {
        let transport = ScriptedTransport(.ok)
        let (devices, continuation) = AsyncStream.makeStream(of: DeviceID.self)
        for number in 0..<1100 { continuation.yield(DeviceID("d\(number)")) }
        continuation.finish()
        let report = try await makeClient(transport, for: acme()).send(message, toDevices: devices)
        #expect(report.isComplete && transport.requests.count == 1100)
    }
}

/// Runs one job after another, but one of them only when no other is left.
private final class HoldingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "holding")
    private let number: Int
    private let state = Locked((count: 0, jobs: [UnownedJob](), held: UnownedJob?.none))

    /// - Parameter number: which job is held, counted from 1 as they come.
    init(_ number: Int) { self.number = number }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            state.count += 1
            if state.count == number { state.held = job } else { state.jobs.append(job) }
        }
        queue.async { self.takeNext()?.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    private func takeNext() -> UnownedJob? {
        state.withLock { state in
            if !state.jobs.isEmpty { return state.jobs.removeFirst() }
            defer { state.held = nil }
            return state.held
        }
    }
}
