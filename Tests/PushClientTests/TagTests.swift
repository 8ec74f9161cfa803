import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("Tag updates")
struct TagTests {
    /// A device that applies the requests.
    private final class Device: Sendable {
        let tags: Locked<Set<String>>
        let overlap = Locked((now: 0, most: 0))
        /// A request ends once this number of requests was in flight at once.
        private let leastOverlap: Int

        init(_ tags: Set<String>, leastOverlap: Int = 1) {
            self.tags = Locked(tags)
            self.leastOverlap = leastOverlap
        }

        var transport: ScriptedTransport { transport { _ in nil } }

        func transport(_ failure: @escaping @Sendable (String) -> PushError?) -> ScriptedTransport {
            ScriptedTransport { [self] request, _ throws(PushError) in
                overlap.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                defer { overlap.withLock { $0.now -= 1 } }
                await until { overlap.withLock { $0.most } >= leastOverlap }
                for _ in 0..<5 { await Task.yield() }
                if let error = failure(request.text) { throw error }
                let words = request.text.split(separator: " ", omittingEmptySubsequences: false)
                guard words.count == 2 else {
                    let list = tags.withLock { $0.sorted() }.map { "\"\($0)\"" }.joined(separator: ",")
                    return WireResponse(status: 200, body: Array("[\(list)]".utf8))
                }
                let named = words[1].split(separator: ",").map(String.init)
                tags.withLock { tags in
                    switch words[0] {
                    case "tags.add": tags.formUnion(named)
                    case "tags.remove": tags.subtract(named)
                    default: tags = []
                    }
                }
                return WireResponse(status: 200)
            }
        }
    }

    @Test("a replacement reads, adds, then removes, and says that it is not atomic")
    func replacement() async throws {
        let device = Device(["a", "b", "c"])
        let transport = device.transport
        let outcome = try await makeClient(transport).replaceTags(with: ["b", "x"], of: "d")
        #expect(device.tags.withLock { $0 } == ["b", "x"])
        #expect(transport.requests.map(\.text) == ["", "tags.add x", "tags.remove a,c"])
        #expect(outcome.added == ["x"])
        #expect(outcome.removed == ["a", "c"])
        #expect(outcome.current == ["b", "x"])
        #expect(outcome.requests == 3)
        #expect(!outcome.isAtomic)
        #expect(outcome.isComplete)
    }

    @Test("on a full device just enough removes go first")
    func fullDevice() async throws {
        let device = Device(["a", "b", "c", "d"])
        let transport = device.transport
        _ = try await makeClient(transport).replaceTags(with: ["x", "y", "c"], of: "d")
        #expect(device.tags.withLock { $0 } == ["x", "y", "c"])
        #expect(transport.requests.map(\.text) == ["", "tags.remove a,b", "tags.add x,y", "tags.remove d"])
    }

    @Test("nothing is written when nothing differs")
    func noDifference() async throws {
        let device = Device(["a"])
        let transport = device.transport
        let outcome = try await makeClient(transport).replaceTags(with: ["a"], of: "d")
        #expect(transport.requests.count == 1)
        #expect(outcome.isComplete)
        #expect(outcome.added.isEmpty && outcome.removed.isEmpty)
    }

    @Test("a replacement that stops half-way says what is set")
    func halfWay() async throws {
        let device = Device(["a"])
        let transport = device.transport { text in
            text.hasPrefix("tags.remove") ? PushError(.blocked, "no", effect: .notApplied) : nil
        }
        let outcome = try await makeClient(transport).replaceTags(with: ["x"], of: "d")
        #expect(outcome.failure?.kind == .blocked)
        #expect(outcome.added == ["x"])
        #expect(outcome.current == ["a", "x"])
        #expect(!outcome.isComplete)
    }

    @Test("a replacement that changed nothing throws")
    func nothingDone() async {
        let transport = Device([]).transport { _ in PushError(.blocked, "no", effect: .notApplied) }
        await #expect(throws: PushError.self) { try await makeClient(transport).replaceTags(with: ["x"], of: "d") }
    }

    @Test("many tags are split by number and by bytes")
    func splitting() async throws {
        let transport = Device([]).transport
        let outcome = try await makeClient(transport).updateTags(.add(["a", "b", "c"]), of: "d")
        #expect(transport.requests.map(\.text) == ["tags.add a,b", "tags.add c"])
        #expect(!outcome.isAtomic)

        var acme = Acme()
        acme.capabilities.limits[.tagBytesPerCall] = Limit(9, .utf8Bytes, .split, source: "test")
        let bytes = Device([]).transport
        _ = try await makeClient(bytes, for: acme).updateTags(.add(["1234567", "123", "ab"]), of: "d")
        #expect(bytes.requests.map(\.text) == ["tags.add 123", "tags.add 1234567,ab"])
    }

    @Test("more tags than a device can have are removed in several requests, and not added")
    func manyRemovals() async throws {
        let transport = Device(["a"]).transport
        let client = makeClient(transport)
        let outcome = try await client.updateTags(.remove(["a", "b", "c", "d", "e"]), of: "d")
        #expect(outcome.requests == 3 && outcome.isComplete)
        let error = await #expect(throws: PushError.self) {
            try await client.updateTags(.add(["a", "b", "c", "d", "e"]), of: "d")
        }
        #expect(error?.kind == .limitExceeded && transport.requests.count == 3)
    }

    @Test("replacements of one device wait for each other, those of others do not")
    func serialized() async throws {
        let device = Device(["a"])
        let client = makeClient(device.transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { _ = try await client.replaceTags(with: [Tag("t\(number)")], of: "one") }
            }
            try await group.waitForAll()
        }
        #expect(device.overlap.withLock { $0.most } == 1)
        #expect(device.tags.withLock { $0.count } == 1)

        let other = Device([], leastOverlap: 2)
        let second = makeClient(other.transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { _ = try await second.replaceTags(with: ["t"], of: DeviceID("d\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(other.overlap.withLock { $0.most } >= 2)
    }

    @Test("a replacement that is cancelled while it waits its turn sends nothing, and holds up nobody")
    func cancelledTurn() async throws {
        let gate = Locked(false)
        let transport = ScriptedTransport { request, _ throws(PushError) in
            await until { gate.withLock { $0 } }
            return WireResponse(status: 200, body: Array("[]".utf8))
        }
        let clock = VirtualClock()
        let client = makeClient(transport, clock: clock)
        let first = Task { try await client.replaceTags(with: ["a"], of: "d") }
        await until { !transport.requests.isEmpty }
        let second = Task { try await client.replaceTags(with: ["b"], of: "d") }
        let third = Task { try await client.replaceTags(with: ["c"], of: "d") }
        await until { clock.expiries == 2 }
        second.cancel()
        let error = await #expect(throws: PushError.self) { try await second.value }
        #expect(error?.kind == .cancelled)
        gate.withLock { $0 = true }
        _ = try await first.value
        _ = try await third.value
        #expect(transport.requests.allSatisfy { !$0.text.contains("b") })
    }

    @Test("a change of several requests, and those that wait behind it, end by their deadline")
    func oneDeadline() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { request, _ throws(PushError) in
            clock.advance(by: .seconds(1))
            return WireResponse(status: 200, body: Array("[\"x\",\"y\",\"z\"]".utf8))
        }
        let client = makeClient(transport, clock: clock) { $0.deadline = .seconds(3) }
        // One read, one addition and two removals are four seconds.
        let outcome = try await client.replaceTags(with: ["a"], of: "d")
        #expect(outcome.failure?.kind == .timeout && outcome.failure?.effect == .notApplied)
        #expect(outcome.requests == 3 && clock.elapsed <= .seconds(3))
    }

    @Test("a replacement whose turn comes after its deadline sends nothing")
    func lateTurn() async throws {
        let clock = VirtualClock()
        let gate = Locked(false)
        let transport = ScriptedTransport { _, _ throws(PushError) in
            await until { gate.withLock { $0 } }
            return WireResponse(status: 200, body: Array("[]".utf8))
        }
        let client = makeClient(transport, clock: clock)
        let first = Task { try await client.replaceTags(with: ["a"], of: "d") }
        await until { !transport.requests.isEmpty }
        let second = Task { try await client.replaceTags(with: ["b"], of: "d") }
        await until { clock.expiries == 1 }
        clock.advance(by: .seconds(31))
        gate.withLock { $0 = true }
        _ = try? await first.value
        let error = await #expect(throws: PushError.self) { try await second.value }
        #expect(error?.kind == .timeout && error?.effect == .notApplied)
        #expect(error?.message.contains("earlier changes of the device") == true)
        #expect(transport.requests.allSatisfy { !$0.text.contains("b") })
    }

    @Test("a replacement whose read is lost has written nothing")
    func lostRead() async {
        let error = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.lost)).replaceTags(with: ["a"], of: "d")
        }
        #expect(error?.effect == .notApplied)
        #expect(error?.operation == .replaceTags)
    }

    @Test("clearing is one request, and reports over the limit of a call are split")
    func clearAndReports() async throws {
        let transport = Device(["a"]).transport
        let client = makeClient(transport)
        let outcome = try await client.updateTags(.clear, of: "d")
        #expect(outcome.isAtomic && outcome.requests == 1)
        let reports = try await client.readDeliveries(of: ["1", "2", "3"])
        #expect(reports.map(\.messageID) == ["1", "2", "3"])
        #expect(transport.requests.count == 3)
    }
}
