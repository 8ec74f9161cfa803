import PushAdapter
import PushClient
import PushRoutes
import PushSimulation
import TestSupport
import Testing

@Suite("Planned sends")
struct SendTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    @Test("a list leaves in slices of the provider's size, and every target is accounted for")
    func slices() async throws {
        let transport = ScriptedTransport(.ok)
        let ids = (1...8).map { DeviceID("d\($0)") }
        let report = try await makeClient(transport).send(message, to: .devices(ids))
        #expect(
            Set(transport.requests.map(\.text)) == ["-|d1,d2,d3", "-|d4,d5,d6", "-|d7,d8"])
        #expect(report.slices.map(\.targetCount) == [3, 3, 2])
        #expect(report.slices.map(\.index) == [0, 1, 2])
        #expect(report.acceptedCount == 8)
        #expect(report.targetCount == 8)
        #expect(report.isComplete)
        #expect(report.exceptions.isEmpty)
    }

    @Test("repeated, blank, over-long and broken ids are reported with their place, and the rest is sent")
    func oddLists() async throws {
        let transport = ScriptedTransport(.ok)
        let report = try await makeClient(transport).send(
            message, to: .devices(["a", "a", "", " ", "12345678901", "b\n", "b", "a"]))
        #expect(transport.requests.map(\.text) == ["-|a,b"])
        #expect(report.exceptions.map(\.position) == [1, 2, 3, 4, 5, 7])
        let characters = "any characters except blanks and control characters"
        #expect(
            report.exceptions.map(\.status) == [
                .duplicate(of: 0), .malformed(reason: "a device id is empty"),
                .malformed(reason: "a device id contains the character U+0020; use \(characters)"),
                .malformed(reason: "a device id has 11 bytes; acme allows at most 10 (test)"),
                .malformed(reason: "a device id contains the character U+000A; use \(characters)"),
                .duplicate(of: 0),
            ])
        #expect(report.acceptedCount == 2)
        #expect(report.invalidTargets.isEmpty && !report.exceptions.contains { $0.isSaidByVendor })
        #expect(report.retryable().isEmpty)
        #expect(!report.isComplete)
    }

    @Test("a malformed target at the head of a list says nothing about the message")
    func malformedHead() async throws {
        let transport = ScriptedTransport(.ok)
        var strict = Acme()
        strict.refusesBlanks = true
        let report = try await makeClient(transport, for: strict).send(message, to: .devices(["no id", "b"]))
        #expect(transport.requests.map(\.text) == ["-|b"])
        #expect(report.exceptions.map(\.target) == [.device("no id")] && report.invalidTargets.isEmpty)
    }

    @Test("a target that the adapter's own rule refuses is malformed with its reason, and not sent")
    func ownRule() async throws {
        let transport = ScriptedTransport(.ok)
        let asked = Locked<[String]>([])
        var acme = Acme()
        acme.refusal = { target in
            asked.withLock { $0.append(target.text) }
            return target.text.hasPrefix("eu-") ? PushError(.invalidArgument, "an id of another region") : nil
        }
        let client = makeClient(transport, for: acme)
        let devices: Audience = .devices(["eu-1", "a", "a", "12345678901", "eu-2"])
        let report = try await client.send(message, to: devices)
        #expect(transport.requests.map(\.text) == ["-|a"])
        // Neither repeated targets nor those that are too long.
        #expect(asked.withLock { $0 } == ["eu-1", "a", "eu-2"])
        let reason = TargetStatus.malformed(reason: "an id of another region")
        #expect(report.exceptions.filter { $0.status == reason }.map(\.position) == [0, 4])
        #expect(report.invalidTargets.isEmpty && report.retryable().isEmpty)
        #expect(client.explain(message, to: devices).leftOut.count { $0.report.status == reason } == 2)
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: .devices(["eu-1"])) }
        #expect(error?.effect == .notApplied && error?.report?.exceptions.map(\.status) == [reason])
        #expect(transport.requests.count == 1)
    }

    @Test(
        "a good token with a blank at its end or in brackets is malformed, says why without the token, and is not for removal",
        arguments: ["190e35f7 ", "<190e35f7>", " 190e35f7", "190e35f7\t"])
    func localFinding(text: String) async throws {
        var acme = Acme()
        acme.capabilities.limits[charactersOf: .deviceIDLength] = AllowedCharacters(
            "letters and digits", ascii: AllowedCharacters.alphanumerics, ranges: [], source: "test")
        let error = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.ok), for: acme).send(message, to: .devices([DeviceID(text)]))
        }
        let report = try #require(error?.report)
        guard case .malformed(let reason) = report.exceptions.first?.status else {
            Issue.record("\(report.exceptions.map(\.status))")
            return
        }
        #expect(reason.contains("letters and digits") && !reason.contains("190e35f7"))
        #expect(report.invalidTargets.isEmpty && report.retryable().isEmpty && !report.isComplete)
        #expect(error?.effect == .notApplied && error?.kind == .invalidArgument)
    }

    @Test(
        "a list that is refused as a whole gives each target that it names its own status, and the others may go again")
    func namedStatuses() async throws {
        var acme = Acme()
        acme.capabilities.limits[.devicesPerSend]?.maximum = 6
        acme.diagnosis = { response in
            guard response.status == 400 else { return nil }
            return PushError(
                .noTarget, "some are refused",
                vendor: VendorDetail(
                    code: 7, httpStatus: 400,
                    targets: [
                        "a": .invalid(), "b": .suspect, "c": .rejected(mayRetry: false), "d": .rejected(mayRetry: true),
                        // A refused list cannot contain an accepted target.
                        "e": .accepted,
                    ]))
        }
        let error = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.status(400)), for: acme).send(
                message, to: .devices(["a", "b", "c", "d", "e", "f"]))
        }
        let report = try #require(error?.report)
        let statuses = Dictionary(uniqueKeysWithValues: report.exceptions.map { ($0.target.text, $0) })
        #expect(
            statuses.mapValues(\.status) == [
                "a": .invalid(), "b": .suspect, "c": .rejected(mayRetry: false), "d": .rejected(mayRetry: true),
                "e": .unknown, "f": .rejected(mayRetry: true),
            ])
        #expect(statuses.filter { !$0.value.isSaidByVendor }.map(\.key) == ["f"])
        #expect(report.invalidTargets == [.device("a")])
    }

    @Test("a malformed target goes to no other vendor, and one that a refusal names is not sent again at once")
    func whatFollows() {
        func decide(_ status: TargetStatus, isSaidByVendor: Bool = false) -> FailoverRule.Decision {
            let refusal = PushError(.noTarget, "refused", vendor: VendorDetail(code: 7, targets: ["a": .suspect]))
            return FailoverRule.decide(
                status, TargetReport.Failure(refusal), isSaidByVendor: isSaidByVendor, patience: .zero)
        }
        #expect(decide(.malformed(reason: "it has a blank")) == .settled)
        #expect(decide(.rejected(mayRetry: true)) == .withoutNamed)
        #expect(decide(.rejected(mayRetry: true), isSaidByVendor: true) == .settled)
        #expect(decide(.invalid(), isSaidByVendor: true) == .next)
        // A vendor that accepts a list may refuse a target of it without a reason.
        func decideWithoutReason(_ status: TargetStatus) -> FailoverRule.Decision {
            FailoverRule.decide(status, nil, isSaidByVendor: false, patience: .zero)
        }
        #expect(decideWithoutReason(.rejected(mayRetry: false)) == .next)
        #expect(decideWithoutReason(.rejected(mayRetry: true)) == .settled)
        #expect(decideWithoutReason(.notAttempted) == .settled)
    }

    @Test("an accepted audience that is no list says that the count is not known")
    func unknownCount() async throws {
        let report = try await makeClient(ScriptedTransport(.ok)).send(message, to: .tagged(anyOf: ["a"]))
        #expect(report.acceptedCount == nil && report.isComplete)
        #expect("\(report)" == "1 of 1 slices accepted, number of devices unknown")
        let refused = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.status(401))).send(message, to: .everyone)
        }
        #expect(refused?.report?.acceptedCount == 0)
    }

    @Test("targets the vendor names are invalid, their neighbors may be sent again")
    func namedTargets() async throws {
        let transport = ScriptedTransport(.success(WireResponse(status: 400, body: Array("b".utf8))))
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport).send(message, to: .devices(["a", "b", "c"]))
        }
        let report = try #require(error?.report)
        #expect(report.invalidTargets == [.device("b")])
        #expect(report.retryable() == [.device("a"), .device("c")])
        #expect(error?.effect == .notApplied)
    }

    @Test("a slice with a lost answer is unknown and never safe to send again; the others stand")
    func lostSlice() async throws {
        let transport = ScriptedTransport { request, _ throws(PushError) in
            request.text.contains("d4") ? try Result.lost.get() : try Result.ok.get()
        }
        let report = try await makeClient(transport).send(message, to: .devices((1...6).map { DeviceID("d\($0)") }))
        #expect(report.acceptedCount == 3)
        #expect(report.exceptions.map(\.status) == [.unknown, .unknown, .unknown])
        #expect(report.retryable().isEmpty)
        #expect(transport.requests.count == 2)
    }

    @Test("a refusal that every slice would meet stops the plan; the rest is not attempted")
    func hopeless() async throws {
        let transport = ScriptedTransport(.status(401))
        let client = makeClient(transport) { $0.concurrentSlices = 1 }
        let error = await #expect(throws: PushError.self) {
            try await client.send(message, to: .devices((1...30).map { DeviceID("d\($0)") }))
        }
        #expect(error?.kind == .unauthorized)
        #expect(transport.requests.count == 1)
        let report = try #require(error?.report)
        #expect(report.targetCount == 30)
        #expect(report.exceptions.count == 30)
        #expect(report.exceptions.filter { $0.status == .notAttempted }.count == 27)
        #expect(report.retryable().count == 27)
    }

    @Test(
        "each request of a send is made once, and one more time where keys have to be asked for; the message is encoded once",
        arguments: [(0, false, 1), (1, false, 1), (7, false, 3), (0, true, 2), (1, true, 2), (7, true, 4)])
    func encodings(count: Int, mintsKeys: Bool, expected: Int) async throws {
        var acme = Acme()
        acme.mintsKeys = mintsKeys
        let transport = ScriptedTransport { request, _ throws(PushError) in
            let isMinting = request.url.hasSuffix("keys?n=100")
            let keys = (0..<100).map { "\"k\($0)\"" }.joined(separator: ",")
            return WireResponse(status: 200, body: Array((isMinting ? "[\(keys)]" : #"{"id":"1"}"#).utf8))
        }
        let devices = (0..<count).map { DeviceID("d\($0)") }
        let client = makeClient(transport, for: acme)
        _ = try await client.send(message, to: count == 0 ? .everyone : .devices(devices))
        #expect(acme.sendRequests.withLock { $0 } == expected && acme.encodings.withLock { $0 } == 1)
    }

    @Test("a message that the adapter refuses is encoded once for a long list, and no target is offered again")
    func refusedList() async throws {
        let acme = Acme()
        let transport = ScriptedTransport(.ok)
        let refused = Message(custom: CustomMessage(content: Acme.refusedContent))
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme).send(
                refused, to: .devices((0..<10).map { DeviceID("d\($0)") }))
        }
        let report = try #require(error?.report)
        #expect(error?.kind == .tooLong && report.targetCount == 10 && report.retryable().isEmpty)
        #expect(report.exceptions.allSatisfy { $0.status == .rejected(mayRetry: false) })
        #expect(acme.sendRequests.withLock { $0 } == 1 && transport.requests.isEmpty)
    }

    @Test("a list that fits one request reports what would stop every other one as well", arguments: [1, 3, 4])
    func hopeless(count: Int) async throws {
        let targets = (0..<count).map { DeviceID("s\($0)") }
        let error = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.status(401))).send(message, to: .devices(targets))
        }
        #expect(error?.kind == .unauthorized)
        #expect(error?.report?.interruption?.kind == .unauthorized)
        #expect(error?.report?.exceptions.count == count)
    }

    @Test("a message that cannot be sent is refused, also in a task that was cancelled and for targets that are none")
    func refusalFirst() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport)
        let refused = Message(custom: CustomMessage(content: Acme.refusedContent))
        for audience in [Audience.devices(["a"]), .devices(["a", "b", "c", "d"]), .devices(["", "a b"])] {
            let error = await #expect(throws: PushError.self) { try await client.send(refused, to: audience) }
            #expect(error?.kind == .tooLong)
        }
        let cancelled = Task {
            await untilCancelled()
            return try await client.send(refused, to: .devices(["a"]))
        }
        cancelled.cancel()
        let error = await #expect(throws: PushError.self) { try await cancelled.value }
        #expect(error?.kind == .tooLong)
        #expect(transport.requests.isEmpty)
    }

    @Test("a stream is read once and sent as it fills")
    func stream() async throws {
        let transport = ScriptedTransport(.ok)
        let ended = Locked<[Int]>([])
        var options = SendOptions()
        options.onSlice = { slice in ended.withLock { $0.append(slice.index) } }
        let ids = AsyncStream<DeviceID> { continuation in
            for number in 0..<100 { continuation.yield(DeviceID("s\(number)")) }
            continuation.finish()
        }
        let report = try await makeClient(transport).send(message, toDevices: ids, options: options)
        #expect(report.acceptedCount == 100)
        #expect(report.slices.count == 34)
        #expect(ended.withLock { $0.count } == 34)
    }

    @Test("a stream that breaks off is reported: what was read and not sent is not attempted")
    func brokenStream() async throws {
        struct Broken: Error {}
        let ids = AsyncThrowingStream<DeviceID, any Error> { continuation in
            for number in 0..<4 { continuation.yield(DeviceID("s\(number)")) }
            continuation.finish(throwing: Broken())
        }
        let report = try await makeClient(ScriptedTransport(.ok)).send(message, toDevices: ids)
        #expect(report.acceptedCount == 3)
        #expect(report.exceptions.map(\.status) == [.notAttempted])
        #expect(report.interruption?.kind == .invalidArgument)
        #expect(!report.isComplete)
    }

    @Test("the deadline of a send ends it between slices")
    func deadline() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { _, _ throws(PushError) in
            clock.advance(by: .seconds(4))
            return try Result.ok.get()
        }
        var options = SendOptions()
        options.deadline = .seconds(6)
        let client = makeClient(transport, clock: clock) { $0.concurrentSlices = 1 }
        let report = try await client.send(message, to: .devices((1...30).map { DeviceID("d\($0)") }), options: options)
        #expect(report.targetCount == 30)
        #expect(try #require(report.acceptedCount) < 12)
        #expect(report.interruption?.kind == .timeout)
        #expect(report.retryable().count == 30 - (report.acceptedCount ?? 0))
    }

    @Test("no more slices are under way than configured")
    func concurrency() async throws {
        let running = Locked((now: 0, most: 0))
        let transport = ScriptedTransport { _, _ throws(PushError) in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            await until { running.withLock { $0.most } >= 3 }
            // Time for one more than there may be.
            for _ in 0..<20 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return try Result.ok.get()
        }
        let client = makeClient(transport) { $0.concurrentSlices = 3 }
        _ = try await client.send(message, to: .devices((0..<60).map { DeviceID("d\($0)") }))
        #expect(running.withLock { $0.most } == 3)
    }

    @Test("a cancelled send answers with what is known")
    func cancelled() async throws {
        let transport = ScriptedTransport { _, number throws(PushError) in
            if number > 2 { await untilCancelled() }
            guard number <= 2 else { throw PushError(.cancelled, "cancelled", effect: .unknown) }
            return try Result.ok.get()
        }
        let client = makeClient(transport) { $0.concurrentSlices = 1 }
        let ids = (1...30).map { DeviceID("d\($0)") }
        let task = Task { try await client.send(message, to: .devices(ids)) }
        await until { transport.requests.count >= 3 }
        task.cancel()
        let report = try await task.value
        #expect(report.acceptedCount == 6)
        #expect(report.exceptions.filter { $0.status == .unknown }.count == 3)
        #expect(report.exceptions.filter { $0.status == .notAttempted }.count == 21)
        #expect(report.interruption?.kind == .cancelled)
    }

    @Test("a stream that ends because the task was cancelled is not called complete")
    func quietEnd() async throws {
        let ids = AsyncStream<DeviceID> { continuation in
            for number in 0..<3 { continuation.yield(DeviceID("s\(number)")) }
        }
        let transport = ScriptedTransport(.ok)
        let task = Task { try await makeClient(transport).send(message, toDevices: ids) }
        await until { !transport.requests.isEmpty }
        task.cancel()
        let report = try await task.value
        #expect(report.interruption?.kind == .cancelled)
        #expect(!report.isComplete)
    }

    @Test("a send that is cancelled while it waits out a throttle loses no target")
    func cancelledThrottle() async throws {
        let transport = ScriptedTransport(.status(429, [.retryAfter: "20"]))
        let client = makeClient(transport) { $0.clock = StillClock() }
        let task = Task { try await client.send(message, to: .devices(["a", "b"])) }
        await until { !client.waitingCalls.isEmpty }
        task.cancel()
        let error = await #expect(throws: PushError.self) { try await task.value }
        #expect(error?.kind == .cancelled && error?.report?.retryable().count == 2)
    }

    @Test("a message that cannot be encoded costs no request, and nobody is told to send it again")
    func unencodable() async throws {
        var acme = Acme()
        acme.mintsKeys = true
        acme.refusesMessages = true
        let transport = ScriptedTransport(.ok)
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme).send(message, to: .devices(["a", "b"]))
        }
        #expect(error?.kind == .tooLong)
        #expect(transport.requests.isEmpty)
    }

    @Test("an effect that the vendor confirms counts as accepted, also when the call failed")
    func applied() async throws {
        let transport = ScriptedTransport(.failure(PushError(.server, "odd", effect: .applied)))
        let report = try await makeClient(transport).send(message, to: .devices(["a", "b"]))
        #expect(report.acceptedCount == 2)
        #expect(report.slices.first?.error != nil)
    }

    @Test("two hundred thousand ids are planned without a report for each")
    func manyIDs() async throws {
        var acme = Acme()
        acme.capabilities.limits[.devicesPerSend] = Limit(1000, .count, .split, source: "test")
        acme.capabilities.quotas = [:]
        let transport = ScriptedTransport { _, _ throws(PushError) in try Result.ok.get() }
        let source = AsyncStream<DeviceID>(unfolding: { [counter = Counter()] in
            counter.next().flatMap { $0 < 200_000 ? DeviceID("x\($0)") : nil }
        })
        let report = try await makeClient(transport, for: acme).send(message, toDevices: source)
        #expect(report.acceptedCount == 200_000)
        #expect(report.slices.count == 200)
        #expect(report.exceptions.isEmpty)
    }

    private final class Counter: Sendable {
        private let value = Locked(0)
        func next() -> Int? {
            value.withLock { value in
                defer { value += 1 }
                return value
            }
        }
    }
}
