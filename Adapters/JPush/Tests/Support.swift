import Foundation
import JPushSimulator
import PushAdapter
import PushClient
import PushJPush
import PushSimulation
import TestSupport

enum Sample {
    static let appKey = "0123456789abcdef01234567"
    static let secret = "aaaabbbbccccddddeeeeffff"
    static let android = "190e35f7e0a1b2c3d4e"
    static let ios = "191e35f7e0a1b2c3d4f"
    static let message = Message(notification: Notification(body: "Hello"))

    static func text(_ body: String) -> Message { Message(notification: Notification(body: body)) }

    /// A message from its JSON form, with options of the vendor.
    static func message(_ contents: String = #""notification":{"body":"B"}"#, options: String) throws -> Message {
        let text = #"{\#(contents),"options":{"jpush":\#(options)}}"#
        return try JSONDecoder().decode(Message.self, from: Data(text.utf8))
    }

    static func key(_ text: String, _ kind: KeyedRequest = .push) -> IdempotencyKey {
        IdempotencyKey(text, kind: kind, mintedAt: .distantPast, expiresAt: .distantFuture)
    }

    static func jpush(
        _ dataCenter: DataCenter = JPush.dataCenters.standard
    ) throws(PushError) -> JPush {
        try JPush(appKey: appKey, masterSecret: Secret(secret), dataCenter: dataCenter)
    }
}

/// A client, its adapter and the simulator in one process, on a virtual clock. Both have a group and the template `tpl`.
struct World {
    let clock = VirtualClock()
    let simulator: JPushSimulator
    let host: SimulatorHost
    let client: PushClient
    let jpush: JPush

    init(
        devices: [VirtualDevice] = [VirtualDevice(Sample.android, .android), VirtualDevice(Sample.ios, .ios)],
        layout: JPush.PathLayout = .standard, secret: String = Sample.secret,
        _ edit: (inout JPushSimulatorSettings, inout ClientConfiguration, inout JPush) -> Void = { _, _, _ in }
    ) throws {
        let group = (key: "gggggggggggggggggggggggg", secret: "hhhhhhhhhhhhhhhhhhhhhhhh")
        var provider = try JPush(
            appKey: Sample.appKey, masterSecret: Secret(secret),
            group: JPushGroup(key: group.key, masterSecret: Secret(group.secret)),
            dataCenter: JPush.dataCenter(at: InProcessTransport.origin, layout: layout))
        var (settings, configuration) = (JPushSimulatorSettings(), ClientConfiguration())
        settings.templates = ["tpl": "Hello {{name}}"]
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        edit(&settings, &configuration, &provider)
        simulator = JPushSimulator(
            appKey: Sample.appKey, masterSecret: Sample.secret, group: (group.key, group.secret), devices: devices,
            settings: settings)
        host = SimulatorHost(simulator, clock: clock)
        jpush = provider
        client = PushClient(provider, transport: InProcessTransport(host), configuration: configuration)
    }
}

extension DirectCalls<JPushSimulator> {
    init(_ simulator: JPushSimulator) { self.init(simulator, user: Sample.appKey, password: Sample.secret) }
}

/// The error of a request that the adapter or the client's guard must refuse.
func refusal<Output>(_ make: () throws(PushError) -> Exchange<Output>) -> PushError? {
    do throws(PushError) {
        try Sample.jpush().capabilities.check(try make().inputs, of: JPush.id)
        return nil
    } catch {
        return error
    }
}
