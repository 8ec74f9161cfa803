import Foundation
import OPPOSimulator
import PushAdapter
import PushClient
import PushOPPO
import PushSimulation
import PushWebhooks
import Testing

/// The adapter in a client, over the simulator.
@Suite("OPPO in a client")
struct ClientTests {
    private static let (phone, tablet) = (SimulatedOPPO.phone, SimulatedOPPO.tablet)
    private static let unicast = SimulatedOPPO.message + "/unicast"

    /// A client of the shop, and the simulator of its region.
    private struct World {
        let clock = VirtualClock()
        let host: SimulatorHost
        let simulator: OPPOSimulator
        let client: PushClient

        init(
            region: OPPORegion = .china, _ edit: (inout OPPOApp) -> Void = { _ in },
            adapter: (inout OPPO) throws -> Void = { _ in }
        ) throws {
            simulator = SimulatedOPPO(region: region) { app, _ in edit(&app) }.simulator
            host = SimulatorHost(simulator, clock: clock)
            let center = try OPPO.dataCenters.named(region == .china ? "china" : "international")
            var oppo = try OPPO(
                appKey: SimulatedOPPO.key, masterSecret: Secret(SimulatedOPPO.secret),
                dataCenter: center.moved(to: InProcessTransport.origin))
            oppo.defaultTitle = "商店"
            try adapter(&oppo)
            var configuration = ClientConfiguration()
            configuration.clock = clock
            client = PushClient(oppo, transport: InProcessTransport(host), configuration: configuration)
        }

        func send(_ fields: [String: JSONValue] = [:], to devices: [String] = [phone]) async throws -> SendReport {
            let all = ["notification": ["body": "您的订单已发货"]].merging(fields) { $1 }
            return try await client.send(Shop.message(.object(all)), to: .devices(devices.map { DeviceID($0) }))
        }

        func requests() -> Int { host.journal.entries(path: unicast).count }
    }

    @Test("a token that ended early is renewed, and the request repeated")
    func renewal() async throws {
        let world = try World()
        _ = try await world.send()
        // The client does not replace a token that it has just got.
        world.clock.advance(by: .seconds(3600))
        await world.simulator.endTokens()
        #expect(try await world.send().isComplete)
        #expect(await world.simulator.inbox(of: Self.phone).count == 2)
        #expect(await world.simulator.tokenCount == 2)
        #expect(world.requests() == 3)
    }

    @Test("marketing that is used up is not asked for again that day; service messages go on")
    func usedUp() async throws {
        let world = try World { $0.marketingPerDay = 1 }
        _ = try await world.send()
        for _ in 0..<2 {
            let error = await #expect(throws: PushError.self) { _ = try await world.send() }
            #expect(error?.kind == .quotaExhausted && error?.effect == .notApplied)
        }
        #expect(world.requests() == 2)
        let order: JSONValue = ["intent": "service", "category": "order"]
        #expect(try await world.send(["class": order]).isComplete)
        world.clock.advance(
            by: .seconds(CalendarDay.china.end(after: world.clock.date).timeIntervalSince(world.clock.date)))
        #expect(try await world.send().isComplete)
    }

    @Test("a key has at most 64 characters", arguments: [(64, nil), (65, .tooLong)] as [(Int, PushError.Kind?)])
    func keyLength(count: Int, kind: PushError.Kind?) async throws {
        let world = try World()
        var options = SendOptions()
        options.key = String(repeating: "k", count: count)
        let (message, audience) = (try Shop.message(), Audience.devices([DeviceID(Self.phone)]))
        var refusal: PushError?
        do throws(PushError) {
            _ = try await world.client.send(message, to: audience, options: options)
        } catch { refusal = error }
        #expect(refusal?.kind == kind)
        #expect(world.requests() == (kind == nil ? 1 : 0))
    }

    @Test("a template has its values, and the phone shows its wording")
    func template() async throws {
        for writesObjects in [false, true] {
            let world = try World(adapter: { $0.writesTemplateObjects = writesObjects })
            let template: JSONValue = [
                "ids": ["oppo": "t1"], "titleValues": ["shop": "小店"], "bodyValues": ["number": "7"],
            ]
            let order: JSONValue = ["intent": "service", "category": "order", "template": template]
            #expect(try await world.send(["class": order]).isComplete)
            #expect(await world.simulator.inbox(of: Self.phone).map(\.title) == ["小店"])
            #expect(await world.simulator.inbox(of: Self.phone).map(\.alert) == ["订单 7 已发货"])
        }
    }

    @Test("each region's adapter reaches its own phones, and sends nothing to the others")
    func regions() async throws {
        for (region, own, other) in [
            (.china, Self.phone, SimulatedOPPO.abroad), (.abroad, SimulatedOPPO.abroad, Self.phone),
        ] as [(OPPORegion, String, String)] {
            let world = try World(region: region)
            let report = try await world.send(to: [other, own])
            #expect(report.exceptions.map(\.position) == [0] && report.invalidTargets.isEmpty)
            #expect(await world.simulator.inbox(of: own).count == 1)
            #expect(await world.simulator.inbox(of: other).isEmpty)
            #expect(world.requests() == 1)
        }
    }

    @Test("an id with a separator is not sent, and the others of its list are", arguments: [",", ";"])
    func separators(separator: String) async throws {
        let world = try World()
        let report = try await world.send(to: ["abc" + separator + "def", Self.phone])
        #expect(report.exceptions.map(\.position) == [0] && report.exceptions.allSatisfy(\.status.isMalformed))
        #expect(await world.simulator.inbox(of: Self.phone).count == 1)
    }

    @Test("a receipt of the vendor tells of each device of a list")
    func receipts() async throws {
        let callback = try OPPOCallback(Secret("https://backend.example/x"), parameter: Secret("p+1"))
        let world = try World(adapter: { $0.callback = callback })
        await world.simulator.setGone(true, Self.tablet, at: world.clock.date)
        let report = try await world.send(to: [Self.phone, Self.tablet])
        #expect(report.isComplete && report.messageIDs.count == 2)
        world.clock.advance(by: .seconds(1))
        let call = try #require(await world.simulator.takeCallbacks(9, at: world.clock.date).first)
        let answer = try OPPOReceipts(callback).receive(
            WebhookCall(headers: [:], body: call.body), at: world.clock.date)
        #expect(answer.events.map(\.kind) == [.delivered, .notDelivered])
        #expect(answer.events.map(\.device?.rawValue) == [Self.phone, Self.tablet])
        #expect(answer.events.map(\.verdict) == [nil, .dead()])
        #expect(answer.events.compactMap(\.message) == report.messageIDs)
    }
}
