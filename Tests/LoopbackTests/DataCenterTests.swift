import EngageLabSimulator
import PushClient
import PushCore
import PushCurl
import PushEngageLab
import PushSimulation
import PushSimulationServer
import Testing

/// Six data centres of one vendor at once, over TLS, each with apps of its own.
@Suite("Data centres over loopback")
struct DataCenterTests {
    private static let key = "0123456789abcdef01234567"
    private static let secret = "fedcba9876543210fedcba98"
    private static let device = "171976fa8a00000a001"

    /// The centres as they run here, and what reached each.
    private struct Centres {
        let catalog: DataCenterCatalog
        let hosts: [String: SimulatorHost]
        let transport: CurlTransport

        func probe(_ allowed: [String]) -> DataCenterProbe {
            DataCenterProbe(allowed: allowed, transport: transport) { (centre) throws(PushError) in
                try EngageLab(appKey: key, masterSecret: Secret(secret), dataCenter: centre)
            }
        }

        /// The centres that were asked, by name.
        var asked: [String] { hosts.filter { $0.value.journal.count > 0 }.keys.sorted() }
    }

    /// - Parameters:
    ///   - homes: where apps with the key live.
    ///   - deaf: a centre whose address nobody listens at.
    private func withCentres(
        homes: Set<String>, deaf: String? = nil, _ body: @Sendable (Centres) async throws -> Void
    ) async throws {
        let known = EngageLab.dataCenters.all
        let hosts = known.map { centre in
            let app = EngageLabSimulator.App(
                key: Self.key, masterSecret: Self.secret, devices: [VirtualDevice(Self.device, .ios)])
            return SimulatorHost(EngageLabSimulator(homes.contains(centre.name) ? app : nil))
        }
        try await SimulationServer.withServers(hosts) { servers in
            let centres = zip(known, servers).map { centre, server in
                // Port 1 of this machine: nobody is there.
                let origin = centre.name == deaf ? "https://localhost:1" : server.origin
                return EngageLab.dataCenter(at: origin, named: centre.name, region: centre.region)
            }
            var curl = CurlConfiguration()
            curl.caFile = servers[0].caFile
            let transport = try CurlTransport(curl)
            let result: Result<Void, any Error>
            do {
                try await body(
                    Centres(
                        catalog: DataCenterCatalog(centres[0], and: Array(centres.dropFirst())),
                        hosts: Dictionary(uniqueKeysWithValues: zip(known.map(\.name), hosts)), transport: transport))
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await transport.shutdown()
            try result.get()
        }
    }

    private static let names = EngageLab.dataCenters.all.map(\.name)

    @Test("a key is found at the one centre of six where it lives, with one read-only call to each, once")
    func found() async throws {
        try await withCentres(homes: ["japan"]) { centres in
            let probe = centres.probe(Self.names)
            let centre = try await centres.catalog.select(.derived(probe), forKey: Self.key)
            #expect(centre.name == "japan")
            #expect(try await probe.resolve(key: Self.key, in: centres.catalog).grade == .confirmed)
            for host in centres.hosts.values {
                #expect(
                    host.journal.entries.map { "\($0.request.method) \($0.request.path)" } == ["GET /v4/app/vip/status"]
                )
            }
            // And the app is used there, which the next centre would refuse.
            let engageLab = try EngageLab(appKey: Self.key, masterSecret: Secret(Self.secret), dataCenter: centre)
            let client = PushClient(engageLab, transport: centres.transport)
            _ = try await client.updateTags(.add(["vip"]), of: DeviceID(Self.device))
            #expect(try await client.readTags(of: DeviceID(Self.device)) == ["vip"])
        }
    }

    @Test("a key that every centre refuses is misconfigured, and a default is not guessed")
    func refusedEverywhere() async throws {
        try await withCentres(homes: []) { centres in
            let error = await #expect(throws: PushError.self) {
                try await centres.catalog.select(.derived(centres.probe(Self.names)), forKey: Self.key)
            }
            #expect(error?.kind == .misconfigured)
            #expect(Self.names.allSatisfy { error?.message.contains($0) == true })
            #expect(error?.message.contains(Self.secret) == false && error?.message.contains(Self.key) == false)
        }
    }

    @Test("a centre that could not be asked is named, because the key may live there")
    func unreachable() async throws {
        try await withCentres(homes: ["brazil"], deaf: "brazil") { centres in
            let error = await #expect(throws: PushError.self) {
                try await centres.catalog.select(.derived(centres.probe(Self.names)), forKey: Self.key)
            }
            #expect(error?.kind == .transport && error?.message.contains("brazil could not be asked") == true)
        }
    }

    @Test("a centre that is not on the list never sees the key, though it lives there")
    func allowList() async throws {
        try await withCentres(homes: ["hongkong"]) { centres in
            let error = await #expect(throws: PushError.self) {
                try await centres.catalog.select(
                    .derived(centres.probe(["Singapore", "frankfurt"])), forKey: Self.key)
            }
            #expect(error?.kind == .misconfigured)
            #expect(centres.asked == ["frankfurt", "singapore"])
        }
    }

    @Test("a probe shows the key to no centre of a region that is not allowed, also when it lives there")
    func regions() async throws {
        try await withCentres(homes: ["virginia"]) { centres in
            let names = ["frankfurt", "singapore"]
            let error = await #expect(throws: PushError.self) {
                try await centres.catalog.select(
                    .derived(centres.probe(names)), forKey: Self.key, allowedRegions: ["DE", "SG"])
            }
            #expect(error?.kind == .misconfigured && error?.message.contains("outside DE, SG were left out") == true)
            #expect(centres.asked == names)
            // A list with a centre that the regions forbid asks nobody at all.
            let wider = await #expect(throws: PushError.self) {
                try await centres.catalog.select(
                    .derived(centres.probe(names + ["virginia"])), forKey: Self.key, allowedRegions: ["DE", "SG"])
            }
            #expect(wider?.kind == .misconfigured)
            #expect(centres.hosts["virginia"]?.journal.count == 0)
            let named = await #expect(throws: PushError.self) {
                try await centres.catalog.select(.named("virginia"), forKey: Self.key, allowedRegions: ["DE", "SG"])
            }
            #expect(named?.message.contains("US") == true)
        }
    }

    @Test("two apps under one key at two centres know nothing of each other")
    func isolation() async throws {
        try await withCentres(homes: ["frankfurt", "singapore"]) { centres in
            let device = DeviceID(Self.device)
            let kept: [(centre: String, tags: Set<PushCore.Tag>)] = [("frankfurt", ["a"]), ("singapore", [])]
            for (name, tags) in kept {
                let engageLab = try EngageLab(
                    appKey: Self.key, masterSecret: Secret(Self.secret), dataCenter: try centres.catalog.named(name))
                let client = PushClient(engageLab, transport: centres.transport)
                if name == "frankfurt" { _ = try await client.updateTags(.add(["a"]), of: device) }
                #expect(try await client.readTags(of: device) == tags)
            }
            // And a key that is at both is nobody's guess.
            let error = await #expect(throws: PushError.self) {
                try await centres.catalog.select(.derived(centres.probe(Self.names)), forKey: Self.key)
            }
            #expect(error?.kind == .misconfigured && error?.message.contains("several") == true)
        }
    }
}
