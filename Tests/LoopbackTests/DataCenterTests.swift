import EngageLabSimulator
import PushAdapter
import PushClient
import PushCurl
import PushEngageLab
import PushSimulation
import PushSimulationServer
import Testing

/// Six data centers of one vendor at the same time, over TLS, each with its own apps.
@Suite("Data centers over loopback")
struct DataCenterTests {
    private static let key = "0123456789abcdef01234567"
    private static let secret = "fedcba9876543210fedcba98"
    private static let device = "171976fa8a00000a001"

    /// The running centers, and their hosts.
    private struct Centers {
        let catalog: DataCenterCatalog
        let hosts: [String: SimulatorHost]
        let transport: CurlTransport

        func probe(_ allowed: [String]) -> DataCenterProbe {
            DataCenterProbe(allowed: allowed, transport: transport) { (center) throws(PushError) in
                try EngageLab(appKey: key, masterSecret: Secret(secret), dataCenter: center)
            }
        }

        /// The names of the centers that got a request.
        var asked: [String] { hosts.filter { $0.value.journal.count > 0 }.keys.sorted() }
    }

    /// - Parameters:
    ///   - homes: the centers with an app under the key.
    ///   - deaf: a center without a listening server.
    private func withCenters(
        homes: Set<String>, deaf: String? = nil, _ body: @Sendable (Centers) async throws -> Void
    ) async throws {
        let known = EngageLab.dataCenters.all
        let hosts = known.map { center in
            let app = EngageLabSimulator.App(
                key: Self.key, masterSecret: Self.secret, devices: [VirtualDevice(Self.device, .ios)])
            return SimulatorHost(EngageLabSimulator(homes.contains(center.name) ? app : nil))
        }
        try await SimulationServer.withServers(hosts) { servers in
            let centers = zip(known, servers).map { center, server in
                // Nothing listens at port 1 of this machine.
                let origin = center.name == deaf ? "https://localhost:1" : server.origin
                return EngageLab.dataCenter(at: origin, named: center.name, region: center.region)
            }
            var curl = CurlConfiguration()
            curl.caFile = servers[0].caFile
            let transport = try CurlTransport(curl)
            let result: Result<Void, any Error>
            do {
                try await body(
                    Centers(
                        catalog: DataCenterCatalog(centers[0], and: Array(centers.dropFirst())),
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

    @Test("a key is found at the one center of six where it lives, with one read-only call to each, once")
    func found() async throws {
        try await withCenters(homes: ["japan"]) { centers in
            let probe = centers.probe(Self.names)
            let center = try await centers.catalog.select(.derived(probe), forKey: Self.key)
            #expect(center.name == "japan")
            #expect(try await probe.resolve(key: Self.key, in: centers.catalog).grade == .confirmed)
            for host in centers.hosts.values {
                #expect(
                    host.journal.entries.map { "\($0.request.method) \($0.request.path)" } == ["GET /v4/app/vip/status"]
                )
            }
            // The app can be used at this center; the next center would refuse it.
            let engageLab = try EngageLab(appKey: Self.key, masterSecret: Secret(Self.secret), dataCenter: center)
            let client = PushClient(engageLab, transport: centers.transport)
            _ = try await client.updateTags(.add(["vip"]), of: DeviceID(Self.device))
            #expect(try await client.readTags(of: DeviceID(Self.device)) == ["vip"])
        }
    }

    @Test("a key that every center refuses is misconfigured, and a default is not guessed")
    func refusedEverywhere() async throws {
        try await withCenters(homes: []) { centers in
            let error = await #expect(throws: PushError.self) {
                try await centers.catalog.select(.derived(centers.probe(Self.names)), forKey: Self.key)
            }
            #expect(error?.kind == .misconfigured)
            #expect(Self.names.allSatisfy { error?.message.contains($0) == true })
            #expect(error?.message.contains(Self.secret) == false && error?.message.contains(Self.key) == false)
        }
    }

    @Test("a center that could not be asked is named, because the key may live there")
    func unreachable() async throws {
        try await withCenters(homes: ["brazil"], deaf: "brazil") { centers in
            let error = await #expect(throws: PushError.self) {
                try await centers.catalog.select(.derived(centers.probe(Self.names)), forKey: Self.key)
            }
            #expect(error?.kind == .transport && error?.message.contains("brazil could not be probed") == true)
        }
    }

    @Test("a center that is not on the list never sees the key, though it lives there")
    func allowList() async throws {
        try await withCenters(homes: ["hongkong"]) { centers in
            let error = await #expect(throws: PushError.self) {
                try await centers.catalog.select(
                    .derived(centers.probe(["Singapore", "frankfurt"])), forKey: Self.key)
            }
            #expect(error?.kind == .misconfigured)
            #expect(centers.asked == ["frankfurt", "singapore"])
        }
    }

    @Test("a probe shows the key to no center of a region that is not allowed, also when it lives there")
    func regions() async throws {
        try await withCenters(homes: ["virginia"]) { centers in
            let names = ["frankfurt", "singapore"]
            let error = await #expect(throws: PushError.self) {
                try await centers.catalog.select(
                    .derived(centers.probe(names)), forKey: Self.key, allowedRegions: ["DE", "SG"])
            }
            #expect(error?.kind == .misconfigured && error?.message.contains("outside DE, SG were left out") == true)
            #expect(centers.asked == names)
            // If the list includes a center in a forbidden region, the probe calls none.
            let wider = await #expect(throws: PushError.self) {
                try await centers.catalog.select(
                    .derived(centers.probe(names + ["virginia"])), forKey: Self.key, allowedRegions: ["DE", "SG"])
            }
            #expect(wider?.kind == .misconfigured)
            #expect(centers.hosts["virginia"]?.journal.count == 0)
            let named = await #expect(throws: PushError.self) {
                try await centers.catalog.select(.named("virginia"), forKey: Self.key, allowedRegions: ["DE", "SG"])
            }
            #expect(named?.message.contains("US") == true)
        }
    }

    @Test("two apps under one key at two centers know nothing of each other")
    func isolation() async throws {
        try await withCenters(homes: ["frankfurt", "singapore"]) { centers in
            let device = DeviceID(Self.device)
            let kept: [(center: String, tags: Set<PushCore.Tag>)] = [("frankfurt", ["a"]), ("singapore", [])]
            for (name, tags) in kept {
                let engageLab = try EngageLab(
                    appKey: Self.key, masterSecret: Secret(Self.secret), dataCenter: try centers.catalog.named(name))
                let client = PushClient(engageLab, transport: centers.transport)
                if name == "frankfurt" { _ = try await client.updateTags(.add(["a"]), of: device) }
                #expect(try await client.readTags(of: device) == tags)
            }
            // A key that two centers accept is ambiguous.
            let error = await #expect(throws: PushError.self) {
                try await centers.catalog.select(.derived(centers.probe(Self.names)), forKey: Self.key)
            }
            #expect(error?.kind == .misconfigured && error?.message.contains("several") == true)
        }
    }
}
