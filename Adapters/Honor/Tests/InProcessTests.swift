import Foundation
import HonorSimulator
import PushAdapter
import PushClient
import PushHonor
import PushSimulation
import TestSupport
import Testing

/// A client, and the vendor in this process with three devices.
private struct World {
    static let (app, client, secret) = ("104411", "c1", "s3cret")
    static let devices = ["a", "b", "c"].map { DeviceID("token-\($0)") }

    let clock = VirtualClock()
    let simulator: HonorSimulator
    let host: SimulatorHost
    let client: PushClient

    init(_ edit: (inout Honor, inout HonorSimulatorSettings) -> Void = { _, _ in }) throws {
        var honor = try Honor(
            appID: Self.app, clientID: Self.client, clientSecret: Secret(Self.secret),
            dataCenter: Honor.dataCenters.standard.moved(to: InProcessTransport.origin))
        honor.defaultTitle = "Shop"
        var settings = HonorSimulatorSettings()
        edit(&honor, &settings)
        let app = HonorApp(
            appID: Self.app, clientID: Self.client, clientSecret: Secret(Self.secret),
            devices: Self.devices.map { VirtualDevice($0.rawValue, .android) })
        simulator = HonorSimulator([app], settings: settings)
        host = SimulatorHost(simulator, clock: clock)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        client = PushClient(honor, transport: InProcessTransport(host), configuration: configuration)
    }

    /// The sends that reached the vendor.
    var sends: Int { host.journal.entries(path: "/api/v1/\(Self.app)/sendMessage").count }

    func send(_ category: MessageClass.Category = .order) async throws -> SendReport {
        var message = Message(notification: Notification(body: "您的订单已发货"))
        message.messageClass = MessageClass(category == .marketing ? .marketing : .service, category)
        return try await client.send(message, to: .devices(Self.devices))
    }

    /// The status of each device; nil for an accepted one.
    func statuses() async throws -> [TargetStatus?] {
        let report = try await send()
        return Self.devices.indices.map { index in report.exceptions.first { $0.position == index }?.status }
    }
}

@Suite("Honor in one process")
struct InProcessTests {
    @Test("a dead token is suspect and a refused one rejected; both are left out of the accepted ones")
    func lists() async throws {
        let world = try World()
        await world.simulator.setDead(true, World.devices[0].rawValue)
        await world.simulator.setRefused(true, World.devices[2].rawValue)
        #expect(try await world.statuses() == [.suspect, nil, .rejected(mayRetry: false)])
        #expect(await world.simulator.inbox(of: World.devices[1].rawValue).count == 1)
    }

    @Test("an access token that ends early is renewed once, in every form of that answer")
    func renewal() async throws {
        for (usesStatuses, code) in [(true, 401), (false, 401), (false, 80_200_003)] {
            let world = try World { _, settings in
                (settings.usesStatuses, settings.endedTokenCode) = (usesStatuses, code)
            }
            #expect(try await world.send().isComplete)
            world.clock.advance(by: .seconds(600))
            await world.simulator.endTokens()
            #expect(try await world.send().isComplete)
            #expect(world.sends == 3)
            #expect(await world.simulator.exchangeCount == 2)
        }
    }

    @Test("a send whose answer is lost is not repeated, unless the app accepts duplicates", arguments: [false, true])
    func lost(isAccepted: Bool) async throws {
        let world = try World { honor, _ in honor.acceptsDuplicates = isAccepted }
        world.host.faults.add(.actedThenLost, path: "/sendMessage")
        if isAccepted {
            #expect(try await world.send().isComplete)
        } else {
            await expectThrows(.error(.transport)) { try await world.send() }
        }
        #expect(await world.simulator.inbox(of: World.devices[0].rawValue).count == (isAccepted ? 2 : 1))
    }

    @Test("a success that says that nothing was sent leaves the effect unknown, and is not repeated")
    func denied() async throws {
        let world = try World { _, settings in settings.sendResult = false }
        let error = await #expect(throws: PushError.self) { try await world.send() }
        #expect(error?.effect == .unknown && world.sends == 1)
    }

    @Test("a clock that is an hour off is named, and a timestamp in seconds is accepted")
    func clock() async throws {
        let world = try World { honor, _ in honor.timestampUnit = .seconds }
        #expect(try await world.send().isComplete)
        let strict = try World { _, settings in settings.clockTolerance = 0 }
        let error = await #expect(throws: PushError.self) { try await strict.send() }
        #expect(error?.kind == .misconfigured && error?.vendor?.code == 10_207 && error?.effect == .notApplied)
    }

    @Test("the class decides what a phone gets: two of marketing a day, and every service message")
    func classes() async throws {
        let world = try World()
        for category: MessageClass.Category in [.marketing, .marketing, .marketing, .order, .order] {
            #expect(try await world.send(category).isComplete)
        }
        #expect(await world.simulator.inbox(of: World.devices[0].rawValue).count == 4)
    }
}
