import PushAdapter
import PushClient
import PushMemory
import PushSimulation
import Testing

/// The memory vendor made to behave like one that lists no tags, keeps one account per type, and clears later than it
/// says.
private struct Reserved {
    let vendor: MemoryVendor
    let host: SimulatorHost
    let clock = VirtualClock()

    init() {
        vendor = MemoryVendor(
            key: Secret("k"), devices: ["d1", "d2", "d3"].map { VirtualDevice($0, .ios) }, attributeNames: ["a", "b"])
        host = SimulatorHost(vendor, clock: clock)
    }

    func client(_ edit: (inout ClientConfiguration) -> Void = { _ in }) -> PushClient {
        var provider = MemoryProvider(key: Secret("k"))
        for feature in [Feature.readTags, .testTag, .replaceTags, .replaceAccounts, .replaceAttributes] {
            provider.capabilities.support[feature] = .unsupported("the vendor has no such call")
        }
        provider.capabilities.limits[.accountsPerType] = Limit(1, .count, .reject, source: "test")
        provider.capabilities.separatesAccountTypes = true
        provider.capabilities.limits[.accountsPerSend] = Limit(2, .count, .split, source: "test")
        provider.capabilities.writeDelay = [.clearTags: .seconds(2), .clearAccounts: .seconds(2)]
        var configuration = ClientConfiguration()
        configuration.clock = clock
        edit(&configuration)
        return PushClient(provider, transport: InProcessTransport(host), configuration: configuration)
    }

    func requests(_ path: String) -> Int { host.journal.entries(path: path).count }
}

/// A store that tests can break.
private actor FragileLedger: DeviceLedger {
    struct Broken: Error {}
    var records: [DeviceID: DeviceRecord] = [:]
    var writes: [DeviceRecord] = []
    var canRead = true
    var canKeep = true

    func damage(reading: Bool = false, keeping: Bool = false) {
        canRead = !reading
        canKeep = !keeping
    }

    func record(of device: DeviceID) throws -> DeviceRecord {
        guard canRead else { throw Broken() }
        return records[device] ?? DeviceRecord()
    }

    func keep(_ record: DeviceRecord, of device: DeviceID) throws {
        try Task.checkCancellation()
        guard canKeep else { throw Broken() }
        records[device] = record
        writes.append(record)
    }
}

@Suite("Replacing by clearing")
struct ClearingTests {
    @Test("a vendor that clears later than it says replaces only for those who accept the loss, and waits in between")
    func tags() async throws {
        let world = Reserved()
        let strict = world.client()
        let error = await #expect(throws: PushError.self) { try await strict.replaceTags(with: ["x"], of: "d1") }
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("waits 2.0 s") == true)
        #expect(world.host.journal.count == 0)

        let client = world.client { $0.acceptedLosses = [.replaceTags] }
        _ = try await client.updateTags(.add(["a", "b"]), of: "d1")
        let outcome = try await client.replaceTags(with: ["x", "y"], of: "d1")
        #expect(await world.vendor.snapshot(of: "d1")?.tags == ["x", "y"])
        #expect(outcome.requests == 2 && !outcome.isAtomic && outcome.isComplete)
        #expect(outcome.added == ["x", "y"])
        #expect(world.clock.elapsed == .seconds(2))
        #expect(
            client.explain(.updateTags(.replace(["x"])), of: "d1").steps.map(\.operation) == [.clearTags, .addTags])
    }

    @Test("a replacement that stops after clearing is an outcome that says so")
    func halfWay() async throws {
        let world = Reserved()
        let client = world.client {
            $0.acceptedLosses = [.replaceAccounts]
            $0.retry = .none
        }
        _ = try await client.updateAccounts(.add([Account(name: "one")]), of: "d1")
        world.host.faults.add(.oversize(bytes: 0), path: "/accounts")
        world.host.faults.add(.throttle(reset: nil), path: "/accounts")
        let outcome = try await client.updateAccounts(.replace([Account(name: "two")]), of: "d1")
        #expect(outcome.failure?.kind == .rateLimited)
        #expect(!outcome.isComplete && outcome.added.isEmpty)
        #expect(await world.vendor.snapshot(of: "d1")?.accounts == [])
    }

    @Test("attributes are cleared at once, so replacing them needs no consent")
    func attributes() async throws {
        let world = Reserved()
        let client = world.client()
        _ = try await client.updateAttributes(.add(["a": "1", "b": "2"]), of: "d1")
        let outcome = try await client.updateAttributes(.replace(["a": "3"]), of: "d1")
        #expect(outcome.requests == 2 && !outcome.isAtomic)
        #expect(await world.vendor.snapshot(of: "d1")?.attributes == ["a": "3"])
        #expect(world.clock.elapsed == .zero)
    }

    @Test("a native replacement that refuses a set is made by clearing, for those who accept the loss")
    func refusedNatively() async throws {
        let clock = VirtualClock()
        var picky = Acme()
        picky.capabilities.support[.readTags] = nil
        picky.capabilities.support[.replaceTags] = .native
        picky.refusesReplacing = ["x"]
        picky.capabilities.writeDelay = [.clearTags: .seconds(2)]
        let transport = ScriptedTransport(.ok)
        let strict = makeClient(transport, for: picky)
        let error = await #expect(throws: PushError.self) { try await strict.replaceTags(with: ["x"], of: "d") }
        #expect(error?.kind == .unsupported)
        let client = makeClient(transport, for: picky, clock: clock) { $0.acceptedLosses = [.replaceTags] }
        #expect(try await client.replaceTags(with: ["y"], of: "d").isAtomic)
        #expect(try await !client.replaceTags(with: ["x"], of: "d").isAtomic)
        #expect(transport.requests.map(\.text) == ["tags.replace y", "tags.clear ", "tags.add x"])
        #expect(clock.elapsed == .seconds(2))
    }
}

@Suite("Write delays")
struct WriteDelayTests {
    @Test("calls of one family about the same subject wait until an earlier one was carried out, others do not")
    func subjects() async throws {
        let world = Reserved()
        let client = world.client()
        _ = try await client.updateTags(.clear, of: "d1")
        _ = try await client.updateTags(.add(["a"]), of: "d2")
        _ = try await client.updateAccounts(.add([Account(name: "ann")]), of: "d1")
        #expect(world.clock.elapsed == .zero)
        _ = try await client.updateTags(.add(["a"]), of: "d1")
        #expect(world.clock.elapsed == .seconds(2))
        _ = try await client.updateTags(.add(["b"]), of: "d1")
        #expect(world.clock.elapsed == .seconds(2))
    }

    @Test("a call whose answer was lost may still be carried out, one that was refused is not")
    func outcomes() async throws {
        let world = Reserved()
        let client = world.client { $0.retry = .none }
        world.host.faults.add(.throttle(reset: nil), path: "/tags")
        await #expect(throws: PushError.self) { try await client.updateTags(.clear, of: "d1") }
        world.clock.advance(by: .seconds(1))
        let start = world.clock.elapsed
        _ = try await client.updateTags(.add(["a"]), of: "d2")
        #expect(world.clock.elapsed - start < .seconds(2))
        world.host.faults.add(.actedThenLost, path: "/tags")
        await #expect(throws: PushError.self) { try await client.updateTags(.clear, of: "d3") }
        let lost = world.clock.elapsed
        _ = try await client.updateTags(.add(["a"]), of: "d3")
        #expect(world.clock.elapsed - lost == .seconds(2))
    }

    @Test("a call that is tried again does not wait for its own first try")
    func repetition() async throws {
        let world = Reserved()
        let client = world.client()
        world.host.faults.add(.actedThenLost, path: "/tags")
        _ = try await client.updateTags(.clear, of: "d1")
        #expect(world.requests("/tags") == 2)
        #expect(world.clock.elapsed < .seconds(2))
    }

    @Test("a replacement whose wait is longer than a call may take is shown as refused, as it would be")
    func explained() async throws {
        let world = Reserved()
        let client = world.client {
            $0.acceptedLosses = [.replaceTags]
            $0.deadline = .seconds(1)
        }
        #expect(client.explain(.updateTags(.replace(["x"])), of: "d1").refusals.map(\.kind) == [.misconfigured])
        await #expect(throws: PushError.self) { try await client.replaceTags(with: ["x"], of: "d1") }
        #expect(world.host.journal.count == 0)
    }

    @Test("a wait that is longer than the call may take ends it before anything is sent")
    func deadline() async throws {
        let world = Reserved()
        let client = world.client { $0.deadline = .seconds(1) }
        _ = try await client.updateTags(.clear, of: "d1")
        let error = await #expect(throws: PushError.self) { try await client.updateTags(.add(["a"]), of: "d1") }
        #expect(error?.kind == .rateLimited && error?.effect == .notApplied)
        #expect(error?.retry == .after(.seconds(2)))
        #expect(world.requests("/tags") == 1)
    }
}

@Suite("The ledger")
struct LedgerTests {
    @Test("it answers what the vendor cannot, from what was confirmed, and without a request")
    func reading() async throws {
        let world = Reserved()
        let client = world.client { $0.ledger = MemoryLedger() }
        guard case .emulated(let recipe) = client.capabilities[.readTags] else {
            Issue.record("reading tags is emulated")
            return
        }
        #expect(recipe.fidelity == .lossy && recipe.caveat.contains("not what others have set"))
        _ = try await client.updateTags(.add(["a", "b"]), of: "d1")
        _ = try await client.updateTags(.remove(["b"]), of: "d1")
        let before = world.host.journal.count
        #expect(try await client.readTags(of: "d1") == ["a"])
        #expect(try await client.hasTag("a", device: "d1"))
        #expect(try await !client.hasTag("b", device: "d1"))
        #expect(try await client.readTags(of: "d2") == [])
        #expect(world.host.journal.count == before)
        let error = await #expect(throws: PushError.self) { try await client.readTags(of: "no id") }
        #expect(error?.kind == .invalidArgument)
        let without = world.client()
        let refusal = await #expect(throws: PushError.self) { try await without.readTags(of: "d1") }
        #expect(refusal?.kind == .unsupported)
    }

    @Test("after a change whose answer was lost, only what is there either way stays confirmed")
    func doubt() async throws {
        let world = Reserved()
        let client = world.client {
            $0.ledger = MemoryLedger()
            $0.retry = .none
        }
        _ = try await client.updateTags(.add(["a", "b"]), of: "d1")
        for (change, confirmed) in [
            (.add(["b", "c"]), ["a", "b"]), (.remove(["b"]), ["a"]), (.clear, []),
        ] as [(TagUpdate, Set<PushCore.Tag>)] {
            world.host.faults.add(.actedThenLost, path: "/tags")
            await #expect(throws: PushError.self) { try await client.updateTags(change, of: "d1") }
            #expect(try await client.readTags(of: "d1") == confirmed)
        }
        world.host.faults.add(.throttle(reset: nil), path: "/tags")
        _ = try? await client.updateTags(.add(["z"]), of: "d1")
        #expect(try await client.readTags(of: "d1") == [])
    }

    @Test("accounts are unbound by type only under the names that were given")
    func types() async throws {
        let world = Reserved()
        let client = world.client { $0.ledger = MemoryLedger() }
        _ = try await client.updateAccounts(
            .add([Account(name: "ann", type: 1), Account(name: "+86", type: 1002)]), of: "d1")
        // The vendor keeps one account per type, and so does the ledger.
        _ = try await client.updateAccounts(.add([Account(name: "ben", type: 1)]), of: "d1")
        let outcome = try await client.removeAccounts(ofTypes: [1], of: "d1")
        #expect(outcome.removed == [Account(name: "ben", type: 1)])
        let error = await #expect(throws: PushError.self) { try await client.removeAccounts(ofTypes: [1], of: "d1") }
        #expect(error?.kind == .invalidState && error?.effect == .notApplied)
        let without = world.client()
        let refusal = await #expect(throws: PushError.self) {
            try await without.removeAccounts(ofTypes: [1002], of: "d1")
        }
        #expect(refusal?.kind == .unsupported)
        #expect(await world.vendor.snapshot(of: "d1")?.accounts.contains(Account(name: "+86", type: 1002)) == true)
    }

    @Test("an unreadable ledger keeps the change from being sent; one that cannot be written is an outcome")
    func broken() async throws {
        let world = Reserved()
        let ledger = FragileLedger()
        let client = world.client { $0.ledger = ledger }
        await ledger.damage(reading: true)
        let error = await #expect(throws: PushError.self) { try await client.updateTags(.add(["a"]), of: "d1") }
        #expect(error?.effect == .notApplied && error?.underlying is FragileLedger.Broken)
        #expect(world.host.journal.count == 0)
        await ledger.damage(keeping: true)
        let outcome = try await client.updateTags(.add(["a"]), of: "d1")
        #expect(outcome.added == ["a"] && outcome.failure?.effect == .applied)
        #expect(await world.vendor.snapshot(of: "d1")?.tags == ["a"])
        let sent = world.host.journal.count
        await ledger.damage()
        #expect(try await client.updateTags(.add(["a", "b"]), of: "d1").isComplete)
        await ledger.damage(keeping: true)
        // The client strikes out removed tags first, so this failure cannot leave a false claim.
        let kept = await #expect(throws: PushError.self) { try await client.updateTags(.remove(["a"]), of: "d1") }
        #expect(kept?.effect == .notApplied && kept?.message.contains("nothing was sent") == true)
        #expect(world.host.journal.count == sent + 1)
    }

    @Test("what a change takes away is struck out before it is sent")
    func writeAhead() async throws {
        let world = Reserved()
        let ledger = FragileLedger()
        let client = world.client {
            $0.ledger = ledger
            $0.retry = .none
        }
        _ = try await client.updateTags(.add(["a", "b"]), of: "d1")
        world.host.faults.add(.throttle(reset: nil), path: "/tags")
        await #expect(throws: PushError.self) { try await client.updateTags(.remove(["a"]), of: "d1") }
        // The refusal is certain, so the record is restored.
        #expect(await ledger.records["d1"]?.tags == ["a", "b"])
        #expect(await ledger.writes.map(\.tags) == [["a", "b"], ["b"], ["a", "b"]])
    }

    @Test("what was confirmed to a task that was cancelled is written down all the same")
    func cancelled() async throws {
        let clock = VirtualClock()
        let ledger = FragileLedger()
        let transport = ScriptedTransport { _, _ throws(PushError) in
            withUnsafeCurrentTask { $0?.cancel() }
            return try Result.ok.get()
        }
        var acme = Acme()
        acme.capabilities.support[.readTags] = .unsupported("the vendor has no such call")
        let client = makeClient(transport, for: acme, clock: clock) { $0.ledger = ledger }
        let outcome = await Task { try await client.updateTags(.add(["a"]), of: "d") }.result
        #expect(try outcome.get().isComplete)
        #expect(await ledger.records["d"]?.tags == ["a"])
    }

    @Test("a client that was shut down answers nothing from the ledger either")
    func closed() async throws {
        let world = Reserved()
        let client = world.client { $0.ledger = MemoryLedger() }
        await client.shutdown()
        let error = await #expect(throws: PushError.self) { try await client.readTags(of: "d1") }
        #expect(error?.kind == .stopped)
    }

    @Test("changes of one device are written down one after the other")
    func concurrent() async throws {
        let world = Reserved()
        let client = world.client { $0.ledger = MemoryLedger() }
        await withTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask { _ = try? await client.updateTags(.add([PushCore.Tag("t\(number)")]), of: "d1") }
            }
        }
        #expect(try await client.readTags(of: "d1").count == 20)
    }
}

@Suite("Accounts")
struct AccountTests {
    @Test("accounts of different types go in different requests, and each has its status")
    func slices() async throws {
        let world = Reserved()
        let client = world.client { $0.concurrentSlices = 1 }
        let accounts = [("a", 1), ("b", 2), ("c", 1), ("d", 1), ("b", 2), ("e", nil)].map {
            Account(name: $0.0, type: $0.1)
        }
        let bound: [DeviceID: Set<Account>] = [
            "d1": [accounts[0]], "d2": [accounts[1], accounts[3]], "d3": [accounts[2], accounts[5]],
        ]
        for (device, accounts) in bound {
            for account in accounts { _ = try await client.updateAccounts(.add([account]), of: device) }
        }
        let message = Message(notification: Notification(body: "n"))
        let steps = client.explain(message, to: .accounts(accounts)).steps.filter { $0.operation == .send }
        #expect(steps.map(\.targetCount) == [2, 1] && steps.map(\.count) == [1, 3])
        let report = try await client.send(message, to: .accounts(accounts))
        #expect(report.slices.map(\.index) == [0, 1, 2, 3])
        #expect(report.exceptions.map(\.position) == [4])
        #expect(report.exceptions.map(\.status) == [.duplicate(of: 1)])
        #expect(report.acceptedCount == 5 && report.targetCount == 6)
        #expect(world.requests("/messages") == 4)
        let few = try await client.send(message, to: .accounts([accounts[0], accounts[2]]))
        #expect(few.slices.count == 1)
        // A target that is not sent does not get its own slice when others are sent.
        let mixed = try await client.send(message, to: .accounts([accounts[0], accounts[2], accounts[0], accounts[1]]))
        #expect(mixed.slices.map(\.targetCount) == [2, 2] && mixed.slices.map(\.index) == [0, 1])
        #expect(mixed.slices.map(\.acceptedCount) == [2, 1] && mixed.exceptions.map(\.position) == [2])
    }

    @Test("names differ by their bytes, and are never shown")
    func identity() {
        #expect(Account(name: "\u{E9}") != Account(name: "e\u{301}"))
        #expect(Account(name: "a", type: 1) != Account(name: "a"))
        var text = "\(Account(name: "ann@example.com"))"
        dump(Account(name: "ann@example.com"), to: &text)
        #expect(!text.contains("ann@"))
    }

    @Test("attributes that the app does not have are named; when all are unknown, nothing was done")
    func attributes() async throws {
        let world = Reserved()
        let client = world.client()
        let outcome = try await client.updateAttributes(.add(["a": "1 2", "ghost": "x"]), of: "d1")
        #expect(outcome.added == ["a"] && outcome.rejected == ["ghost"] && !outcome.isComplete)
        let error = await #expect(throws: PushError.self) {
            try await client.updateAttributes(.add(["ghost": "x"]), of: "d1")
        }
        #expect(error?.kind == .misconfigured && error?.effect == .notApplied)
        #expect(try await client.readAttributes(of: "d1") == ["a": "1 2"])
        // The replacement cleared the old attributes, so this is an outcome, not an error.
        let emptied = try await client.updateAttributes(.replace(["ghost": "x"]), of: "d1")
        #expect(emptied.rejected == ["ghost"] && !emptied.isComplete)
        #expect(try await client.readAttributes(of: "d1") == [:])
    }
}
