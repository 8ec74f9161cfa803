import APNsSimulator
import FoundationEssentials
import PushAPNs
import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("APNs, adapter against simulator")
struct APNsInProcessTests {
    private let message = Shop.shown(extras: ["order": 7])
    private let first = Audience.devices([Shop.device(0)])

    /// The end of the paths of a device's requests.
    private func path(_ number: Int) -> String { Shop.device(number).rawValue }

    @Test("a list writes its message once: one request a device, under the ids of the report, over one connection")
    func list() async throws {
        let shop = try ShopClient(devices: 50)
        for message in [message, message.with(\.timeToLive, .seconds(60))] {
            shop.host.journal.removeAll()
            let report = try await shop.deliver(message, to: Shop.devices(50))
            #expect(shop.bearers.count == 1 && shop.connections.count == 1 && report.messageIDs.count == 50)
            #expect(await shop.inbox(7).last?.messageID == report.messageIDs[7].rawValue)
            let bodies = shop.host.journal.entries.map(\.request.body)
            // Copies of one array share its memory.
            let places = Set(bodies.map { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } })
            #expect(bodies.count == 50 && places.count == 1 && bodies.first?.isEmpty == false)
        }
    }

    @Test("a device whose token is there in small and in capital letters gets one push")
    func letters() async throws {
        let shop = try ShopClient()
        let token = Shop.device(1).rawValue
        let (small, capital) = (DeviceID(token.lowercased()), DeviceID(token.uppercased()))
        try #require(small != capital)
        let report = try await shop.client.send(message, to: .devices([small, Shop.device(0), capital]))
        #expect(report.exceptions.map(\.status) == [.duplicate(of: 0)] && report.exceptions.map(\.position) == [2])
        #expect(shop.host.journal.count == 2)
        #expect(await shop.inbox(1).count == 1)
    }

    @Test("the environment of a message chooses the servers; a token of the other one is suspect, never invalid")
    func environments() async throws {
        let shop = try ShopClient()
        let both = Audience.devices([Shop.device(0), ShopClient.sandboxed])
        for (message, wrong) in [(message, 1), (message.with(\.environment, .development), 0)] {
            let report = try await shop.client.send(message, to: both)
            #expect(report.exceptions.map(\.status) == [.suspect] && report.exceptions.map(\.position) == [wrong])
            #expect(report.invalidTargets.isEmpty && report.retryable().isEmpty && report.acceptedCount == 1)
            #expect(report.interruption == nil)
        }
        #expect(shop.bearers.count == 1)
        #expect(await [shop.production.sendCount, shop.development.sendCount] == [1, 1])
        #expect(await shop.development.inbox(of: ShopClient.sandboxed.rawValue).map(\.alert) == ["B"])
    }

    @Test("a device without the app is invalid since the vendor's date, once the vendor knows")
    func uninstalled() async throws {
        let shop = try ShopClient()
        shop.clock.advance(by: .seconds(100))
        await shop.production.uninstall(path(1), at: shop.clock.date)
        shop.clock.advance(by: .seconds(100))
        // The vendor accepts the push but does not deliver it.
        try await shop.deliver(message, to: Shop.devices(3))
        #expect(await shop.inbox(1).isEmpty)
        shop.clock.advance(by: .seconds(100))
        let late = try await shop.client.send(message, to: Shop.devices(3))
        let date = Shop.now.addingTimeInterval(200)
        #expect(late.exceptions.map(\.status) == [.invalid(since: date)] && late.exceptions.map(\.position) == [1])
        #expect(late.invalidTargets == [.device(Shop.device(1))] && late.acceptedCount == 2)
        #expect(late.exceptions.map(\.isSaidByVendor) == [true] && late.retryable().isEmpty)
    }

    @Test("many bad tokens end connections, and the other devices are reached")
    func badTokens() async throws {
        let shop = try ShopClient(devices: 20, adapter: { $0.capabilities.concurrency = 10 })
        let unknown = (1000..<1120).map(Shop.device)
        let report = try await shop.client.send(message, to: .devices(unknown + (0..<20).map(Shop.device)))
        #expect(report.acceptedCount == 20 && report.exceptions.count == 120)
        let areSuspect = report.exceptions.allSatisfy { $0.status == .suspect }
        #expect(areSuspect && report.invalidTargets.isEmpty && report.interruption == nil)
        #expect(shop.connections.count > 1)
    }

    @Test("a device that gets too much waits alone, and may be tried again")
    func tooMany() async throws {
        let shop = try ShopClient(settings: { $0.pushesPerToken = 1 })
        try await shop.deliver(message, to: first)
        let report = try await shop.client.send(message, to: Shop.devices(3))
        #expect(report.exceptions.map(\.status) == [.rejected(mayRetry: true)] && report.acceptedCount == 2)
        #expect(report.retryable() == [.device(Shop.device(0))] && report.interruption == nil)
        #expect(report.slices.first?.failures == [.rateLimited: 1])
        shop.clock.advance(by: .seconds(60))
        try await shop.deliver(message, to: first)
    }

    @Test("a send whose response was lost is repeated under its id, if the caller accepts duplicates")
    func lost() async throws {
        let careless = try ShopClient(adapter: { $0.acceptsDuplicates = true })
        careless.host.faults.add(.actedThenLost, path: path(1))
        let repeated = try await careless.deliver(message, to: Shop.devices(3))
        #expect(await careless.inbox(1).count == 2)
        // Both pushes have the same id, so the vendor's console and the device can tell that they are one message.
        let entries = careless.host.journal.entries(path: path(1))
        let ids = entries.compactMap { Shop.header("apns-id", of: $0.request.headers) }
        #expect(ids.count == 2 && Set(ids) == [repeated.messageIDs[1].rawValue])
    }

    @Test("a refused stream and a GOAWAY did nothing, and are repeated", arguments: [Fault.refusedStream, .goAway])
    func notProcessed(fault: Fault) async throws {
        let shop = try ShopClient()
        shop.host.faults.add(fault, path: path(1))
        try await shop.deliver(message, to: Shop.devices(3))
        #expect(await shop.production.sendCount == 3)
    }

    @Test("a failure of the vendor that may be repeated waits for 15 minutes", arguments: [500, 503])
    func failure(status: Int) async throws {
        let careless = try ShopClient(adapter: { $0.acceptsDuplicates = true })
        careless.host.faults.add(.serverError(status: status))
        let error = await expectThrows(.error(.server, effect: .unknown)) {
            try await careless.client.send(message, to: first)
        }
        #expect(careless.host.journal.count == 1)
        let wait: Duration? = if case .after(let wait)? = error?.retry { wait } else { nil }
        #expect(wait.map { (.seconds(900)...(.seconds(3600))).contains($0) } == true, "\(error?.retry)")
    }

    @Test("a server that shuts down gets no further requests over the connection")
    func shutdown() async throws {
        let shop = try ShopClient()
        shop.refuse(503, "Shutdown")
        let error = await expectThrows { try await shop.client.send(message, to: first) }
        #expect(error?.report?.exceptions.map(\.status) == [.unknown] && shop.connections.count == 1)
        try await shop.deliver(message, to: first)
        #expect(shop.connections.count == 2)
    }
}
