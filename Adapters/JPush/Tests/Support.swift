import Foundation
import JPushSimulator
import PushAdapter
import PushClient
import PushJPush
import PushSimulation

enum Sample {
    static let appKey = "0123456789abcdef01234567"
    static let secret = "aaaabbbbccccddddeeeeffff"
    static let android = "190e35f7e0a1b2c3d4e"
    static let ios = "191e35f7e0a1b2c3d4f"
    static let message = Message(notification: Notification(body: "Hello"))

    static func jpush(
        _ dataCenter: DataCenter = JPush.dataCenters.standard
    ) throws(PushError) -> JPush {
        try JPush(appKey: appKey, masterSecret: Secret(secret), dataCenter: dataCenter)
    }
}

/// A client, its adapter and the simulator in one process, on a virtual clock.
struct World {
    let clock = VirtualClock()
    let simulator: JPushSimulator
    let host: SimulatorHost
    let client: PushClient
    let jpush: JPush

    init(
        devices: [VirtualDevice] = [VirtualDevice(Sample.android, .android), VirtualDevice(Sample.ios, .ios)],
        layout: JPush.PathLayout = .standard, secret: String = Sample.secret,
        settings: JPushSimulatorSettings = JPushSimulatorSettings(),
        configure: (inout ClientConfiguration, inout JPush) -> Void = { _, _ in }
    ) throws {
        simulator = JPushSimulator(
            appKey: Sample.appKey, masterSecret: Sample.secret, devices: devices, settings: settings)
        host = SimulatorHost(simulator, clock: clock)
        var provider = try JPush(
            appKey: Sample.appKey, masterSecret: Secret(secret),
            dataCenter: JPush.dataCenter(at: InProcessTransport.origin, layout: layout))
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        configure(&configuration, &provider)
        jpush = provider
        client = PushClient(provider, transport: InProcessTransport(host), configuration: configuration)
    }
}

extension WireBody {
    var text: String { if case .bytes(let bytes, _) = self { String(decoding: bytes, as: UTF8.self) } else { "" } }
}

extension WireResponse {
    init(_ status: Int, _ body: String, _ headers: [(String, String)] = []) {
        var fields = HTTPFields()
        for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        self.init(status: status, headers: fields, body: Array(body.utf8))
    }
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
