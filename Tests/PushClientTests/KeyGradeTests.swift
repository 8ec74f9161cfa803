import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import Testing

@Suite("Grades, scopes and lengths of caller-made keys")
struct KeyGradeTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    private func acme(_ grade: KeyMemory.Grade, scope: KeyMemory.Scope? = nil, length: Int = 64) -> Acme {
        var acme = Acme()
        acme.capabilities.support[.mintKeys] = .unsupported("the caller makes them")
        acme.capabilities.callerKeys = [
            .push: KeyMemory(.seconds(3600), grade: grade, scope: scope, source: "test")
        ]
        acme.capabilities.limits[.idempotencyKey] = Limit(length, .utf8Bytes, .reject, source: "test")
        return acme
    }

    private func keys(_ transport: ScriptedTransport) -> [String] {
        transport.requests.map { String($0.text.split(separator: "|")[0]) }
    }

    private func list(_ numbers: ClosedRange<Int>) -> Audience { .devices(numbers.map { DeviceID("d\($0)") }) }

    private func named(_ key: String) -> SendOptions {
        var options = SendOptions()
        options.key = key
        return options
    }

    @Test(
        "by default, a lost response is repeated only with a key that makes the vendor drop the repetition",
        arguments: KeyMemory.Grade.allCases)
    func defaults(grade: KeyMemory.Grade) async throws {
        let transport = ScriptedTransport(.lost, .ok)
        let client = makeClient(transport, for: acme(grade))
        do throws(PushError) {
            let report = try await client.send(message, to: .everyone)
            #expect(grade == .vendor && report.slices.map(\.keying) == [.keyed(grade)])
        } catch {
            #expect(grade != .vendor && error.effect == .unknown)
            #expect(error.report?.slices.map(\.keying) == [.keyed(grade)])
        }
        #expect(keys(transport).count == (grade == .vendor ? 2 : 1))
        #expect(keys(transport).allSatisfy { $0.utf8.count == 32 })
        let note = client.explain(message, to: .everyone).steps.first?.note
        #expect(note?.contains("of the grade \(grade.rawValue)") == (grade != .vendor))
    }

    @Test("a policy that accepts a grade repeats with the same key, and one without any repeats nothing")
    func accepted() async throws {
        let transport = ScriptedTransport(.lost, .ok)
        let accepting = makeClient(transport, for: acme(.device)) { $0.retry.repeatsAfterUnknown = [.device] }
        let report = try await accepting.send(message, to: .everyone)
        #expect(report.isComplete && report.slices.map(\.keying) == [.keyed(.device)])
        #expect(keys(transport).count == 2 && Set(keys(transport)).count == 1)
        for grade in [KeyMemory.Grade.vendor, .target] {
            let strict = ScriptedTransport(.lost, .ok)
            let client = makeClient(strict, for: acme(grade)) { $0.retry.repeatsAfterUnknown = [.device] }
            let error = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
            #expect(error?.effect == .unknown && strict.requests.count == 1)
        }
    }

    @Test("a refusal without effect is retried, whatever the grade", arguments: KeyMemory.Grade.allCases)
    func notApplied(grade: KeyMemory.Grade) async throws {
        let transport = ScriptedTransport(.refusedConnection, .ok)
        let report = try await makeClient(transport, for: acme(grade)).send(message, to: .everyone)
        #expect(report.isComplete && Set(keys(transport)).count == 1 && transport.requests.count == 2)
    }

    @Test("a key of the scope message is the same in all slices of a send, and another in the next send")
    func messageScope() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme(.device)) { $0.concurrentSlices = 1 }
        _ = try await client.send(message, to: list(1...6))
        _ = try await client.send(message, to: list(1...6))
        let keys = keys(transport)
        #expect(keys.count == 4 && keys[0] == keys[1] && keys[2] == keys[3] && keys[0] != keys[2])
        #expect(KeyMemory(.seconds(1), grade: .target, source: "test").scope == .message)
        #expect(KeyMemory(.seconds(1), grade: .unproven, source: "test").scope == .request)
    }

    @Test("a named message has its name as key, for every list and stream")
    func namedMessage() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme(.device, length: 32))
        _ = try await client.send(message, to: list(1...6), options: named("order"))
        _ = try await client.send(message, to: list(5...6), options: named("order"))
        let stream = AsyncStream { continuation in
            continuation.yield(DeviceID("d9"))
            continuation.finish()
        }
        _ = try await client.send(message, toDevices: stream, options: named("order"))
        #expect(keys(transport) == ["order", "order", "order", "order"])
        // Nothing is added to it, so it may be as long as a key.
        _ = try await client.send(message, to: .everyone, options: named(String(repeating: "k", count: 32)))
        let error = await #expect(throws: PushError.self) {
            try await client.send(message, to: .everyone, options: named(String(repeating: "k", count: 33)))
        }
        #expect(error?.kind == .tooLong && transport.requests.count == 5)
    }

    @Test("the life of a message's key begins with the send, so a slice that leaves late is not repeated too late")
    func sharedLife() async throws {
        let clock = VirtualClock()
        // The second slice waits for most of the memory, then its response is lost.
        let transport = ScriptedTransport { _, number throws(PushError) in
            switch number {
            case 1: try Result.ok.get()
            case 2: try Result.status(429, [.retryAfter: "3500"]).get()
            default: try Result.lost.get()
            }
        }
        let client = makeClient(transport, for: acme(.device), clock: clock) {
            $0.retry.repeatsAfterUnknown = [.device]
            $0.concurrentSlices = 1
        }
        var options = SendOptions()
        options.deadline = .seconds(7200)
        let report = try await client.send(message, to: list(1...6), options: options)
        #expect(report.acceptedCount == 3 && transport.requests.count == 3)
        #expect(report.exceptions.map(\.status) == [.unknown, .unknown, .unknown])
    }

    @Test("where keys are short they are letters and digits of that length", arguments: [8, 12, 31])
    func shortKeys(length: Int) async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme(.vendor, length: length)) { $0.concurrentSlices = 1 }
        for _ in 0..<50 { _ = try await client.send(message, to: .everyone) }
        let long = String(repeating: "a-long-name-", count: 8)
        for name in ["order", "order", "other", long, long] {
            _ = try await client.send(message, to: list(1...3), options: named(name))
        }
        _ = try await client.send(message, to: list(4...6), options: named("order"))
        let keys = keys(transport)
        #expect(keys.count == 56 && Set(keys).count == 54)
        #expect(keys[50] == keys[51] && keys[53] == keys[54])
        let digits = AllowedCharacters.alphanumerics + (length < 22 ? "" : "-")
        #expect(keys.allSatisfy { $0.allSatisfy(digits.contains) && $0.utf8.count <= length })
        #expect(keys[..<50].allSatisfy { $0.utf8.count == min(length, 21) })
        for bad in ["", "a b"] {
            let error = await #expect(throws: PushError.self) {
                try await client.send(message, to: .everyone, options: named(bad))
            }
            #expect(error?.kind == .invalidArgument)
        }
    }

    @Test("a request that cannot carry its key says so, and is not repeated")
    func withoutRoom() async throws {
        let transport = ScriptedTransport(.lost, .ok)
        let content = Message(custom: CustomMessage(content: Acme.keylessContent))
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme(.vendor)).send(content, to: .everyone)
        }
        #expect(transport.requests.count == 1 && error?.effect == .unknown)
        #expect(
            error?.report?.slices.map(\.keying) == [.unkeyed("this request cannot carry an idempotency key")])
    }

    @Test("a request that cannot carry a key is refused where the caller requires one")
    func required() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme(.vendor))
        var options = SendOptions()
        options.requiresKeys = true
        let content = Message(custom: CustomMessage(content: Acme.keylessContent))
        let error = await #expect(throws: PushError.self) {
            try await client.send(content, to: .everyone, options: options)
        }
        #expect(error?.kind == .unsupported && error?.effect == .notApplied && transport.requests.isEmpty)
    }
}
