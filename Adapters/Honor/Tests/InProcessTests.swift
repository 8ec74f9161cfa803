import Foundation
import HonorSimulator
import PushAdapter
import PushClient
import PushHonor
import PushSimulation
import Testing

/// A client of the shop, and the vendor in this process.
private struct World {
    static let devices = [SimulatedHonor.phone, SimulatedHonor.tablet, SimulatedHonor.foreign].map { DeviceID($0) }

    let vendor: SimulatedHonor
    let client: PushClient
    let host: SimulatorHost

    init(_ edit: (inout Honor, inout HonorSimulatorSettings) -> Void = { _, _ in }) throws {
        var honor = try Honor(
            appID: "104411", clientID: "c1", clientSecret: Secret("s3cret"),
            dataCenter: Honor.dataCenters.standard.moved(to: InProcessTransport.origin))
        honor.defaultTitle = "Shop"
        vendor = SimulatedHonor { edit(&honor, &$1) }
        host = SimulatorHost(vendor.simulator, clock: vendor.clock)
        var configuration = ClientConfiguration()
        configuration.clock = vendor.clock
        client = PushClient(honor, transport: InProcessTransport(host), configuration: configuration)
    }

    /// The sends that reached the vendor.
    var sends: Int { host.journal.entries(path: SimulatedHonor.path).count }

    /// Sends to the phone, or to these devices.
    func send(
        _ category: MessageClass.Category = .order, to devices: [DeviceID] = [devices[0]]
    ) async throws -> SendReport {
        var message = Message(notification: Notification(body: "您的订单已发货"))
        message.messageClass = MessageClass(category == .marketing ? .marketing : .service, category)
        return try await client.send(message, to: .devices(devices))
    }
}

@Suite("Honor in one process")
struct InProcessTests {
    @Test("a dead token is suspect, and one that the vendor refuses is rejected; the third is accepted")
    func lists() async throws {
        let world = try World()
        await world.vendor.simulator.setDead(true, SimulatedHonor.phone)
        let report = try await world.send(to: World.devices)
        #expect(report.exceptions.map(\.position) == [0, 2])
        #expect(report.exceptions.map(\.status) == [.suspect, .rejected(mayRetry: false)])
        #expect(await world.vendor.inbox(SimulatedHonor.tablet).count == 1)
    }

    @Test("an access token that ends early is renewed once, in every form of that answer")
    func renewal() async throws {
        for (usesStatuses, code) in [(true, 401), (false, 401), (false, 80_200_003)] {
            let world = try World { _, settings in
                (settings.usesStatuses, settings.endedTokenCode) = (usesStatuses, code)
            }
            #expect(try await world.send().isComplete)
            world.vendor.pass(600)
            await world.vendor.simulator.endTokens()
            #expect(try await world.send().isComplete)
            #expect(world.sends == 3)
            #expect(await world.vendor.simulator.exchangeCount == 2)
        }
    }

    @Test("a success that says that nothing was sent leaves the effect unknown, and is not repeated")
    func denied() async throws {
        let world = try World { _, settings in settings.sendResult = false }
        let error = await #expect(throws: PushError.self) { try await world.send() }
        #expect(error?.effect == .unknown && world.sends == 1)
    }

    @Test("a timestamp that the vendor refuses is named, and one in seconds is accepted")
    func clock() async throws {
        let world = try World { honor, _ in honor.timestampUnit = .seconds }
        #expect(try await world.send().isComplete)
        let strict = try World { _, settings in settings.clockTolerance = 0 }
        let error = await #expect(throws: PushError.self) { try await strict.send() }
        #expect(error?.kind == .misconfigured && error?.vendor?.code == 10_207 && error?.effect == .notApplied)
    }

    @Test("two marketing messages a day reach a phone, and every service message")
    func classes() async throws {
        let world = try World()
        for category: MessageClass.Category in [.marketing, .marketing, .marketing, .order, .order] {
            #expect(try await world.send(category).isComplete)
        }
        #expect(await world.vendor.inbox().count == 4)
    }
}
