import PushAdapter
import PushClient
import PushMemory
import PushSimulation
import Testing

/// A vendor that removes an alias only by its name, from whichever device has it.
@Suite("Removing an alias by its name")
struct AliasTests {
    private let vendor = MemoryVendor(key: Secret("k"), devices: ["d1", "d2"].map { VirtualDevice($0, .ios) })

    private func client(
        _ transport: (any HTTPTransport)? = nil, _ edit: (inout Capabilities) -> Void = { _ in }
    ) -> (client: PushClient, host: SimulatorHost) {
        var provider = MemoryProvider(key: Secret("k"))
        provider.capabilities.support[.removeAlias] = .unsupported("the vendor deletes by name")
        edit(&provider.capabilities)
        let host = SimulatorHost(vendor, clock: VirtualClock())
        var configuration = ClientConfiguration()
        configuration.clock = host.clock
        return (
            PushClient(provider, transport: transport ?? InProcessTransport(host), configuration: configuration), host
        )
    }

    @Test("it is read, looked up and deleted, and says that it is not atomic")
    func removal() async throws {
        let (client, host) = client()
        guard case .emulated(let recipe) = client.capabilities[.removeAlias] else {
            Issue.record("removing an alias is emulated")
            return
        }
        #expect(recipe.fidelity == .faithful && !recipe.isAtomic && recipe.requests == 3)
        try await client.setAlias("ann", of: "d1")
        try await client.setAlias("bob", of: "d2")
        let before = host.journal.count
        try await client.removeAlias(of: "d1")
        #expect(host.journal.count - before == 3)
        #expect(await vendor.snapshot(of: "d1")?.alias == nil)
        #expect(await vendor.snapshot(of: "d2")?.alias == "bob")
        // The device has no alias any more.
        try await client.removeAlias(of: "d1")
        #expect(host.journal.count - before == 4)
    }

    @Test("an alias that has moved to another device in between stays there")
    func moved() async throws {
        let (mover, host) = client()
        try await mover.setAlias("ann", of: "d1")
        let transport = InProcessTransport(host)
        let client = client(
            ScriptedTransport { request, _ throws(PushError) in
                let response = try await transport.send(request)
                if request.method == .get, request.url.hasSuffix("/devices/d1/alias") {
                    try await mover.setAlias("ann", of: "d2")
                }
                return response
            }
        ).client
        try await client.removeAlias(of: "d1")
        #expect(await vendor.snapshot(of: "d2")?.alias == "ann")
    }

    @Test("an alias that several devices have is not deleted for one of them")
    func shared() async throws {
        let transport = ScriptedTransport { request, _ throws(PushError) in
            let body = request.url.hasSuffix("/alias") ? #"["ann"]"# : #"["d1","d2"]"#
            return WireResponse(status: 200, body: Array(body.utf8))
        }
        let error = await #expect(throws: PushError.self) { try await client(transport).client.removeAlias(of: "d1") }
        #expect(error?.kind == .invalidState && error?.effect == .notApplied)
        #expect(transport.requests.allSatisfy { $0.method == .get })
    }

    @Test("an answer that is lost on the way says what was done: nothing by a read, nobody knows by the deletion")
    func lost() async throws {
        let effects: [(path: String, effect: PushError.Effect)] = [
            ("/devices/d1/alias", .notApplied), ("/aliases/ann", .notApplied),
        ]
        for (path, effect) in effects {
            let (client, host) = client()
            try await client.setAlias("ann", of: "d1")
            host.faults.add(.actedThenLost, times: 3, path: path)
            let error = await #expect(throws: PushError.self) { try await client.removeAlias(of: "d1") }
            #expect(error?.effect == effect && error?.operation == .removeAlias)
        }
        let transport = ScriptedTransport { request, _ throws(PushError) in
            guard request.method == .get else { throw PushError(.timeout, "lost", retry: .backoff, effect: .unknown) }
            let body = request.url.hasSuffix("/alias") ? #"["ann"]"# : #"["d1"]"#
            return WireResponse(status: 200, body: Array(body.utf8))
        }
        let error = await #expect(throws: PushError.self) { try await client(transport).client.removeAlias(of: "d1") }
        #expect(error?.effect == .unknown && error?.operation == .removeAlias)
    }

    @Test("within one client an alias is not given away while it is taken off")
    func noRace() async throws {
        let (client, host) = client()
        for round in 0..<20 {
            try await client.setAlias("ann", of: "d1")
            async let removal: Void = client.removeAlias(of: "d1")
            async let gift: Void = client.setAlias("ann", of: "d2")
            _ = try await (removal, gift)
            #expect(await vendor.snapshot(of: "d2")?.alias == "ann", "round \(round)")
        }
        #expect(host.journal.count > 60)
    }

    @Test("a provider's own emulation is left alone")
    func ownEmulation() {
        let recipe = Recipe(.lossy, isAtomic: true, requests: 1, caveat: "its own")
        let client = client { $0.support[.removeAlias] = .emulated(recipe) }.client
        #expect(client.capabilities[.removeAlias] == .emulated(recipe))
    }

    @Test("without one of the three calls it is refused")
    func unsupported() async throws {
        for feature in [Feature.readAlias, .readAliasDevices, .deleteAlias] {
            let client = client { $0.support[feature] = .unsupported("not here") }.client
            let error = await #expect(throws: PushError.self) { try await client.removeAlias(of: "d1") }
            #expect(error?.kind == .unsupported)
        }
    }
}
