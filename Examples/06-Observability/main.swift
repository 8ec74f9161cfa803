// Logs and counts every call, with a throttle in the middle.
//
// The client gets its layers once. Labels are provider, operation, outcome and cause: no tag, device or text.

import Glibc
import JPushSimulator
import Logging
import Metrics
import PushBridge
import PushJPush
import PushObservability
import PushSimulation
import PushSimulationServer

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

let appKey = "0123456789abcdef01234567"
let secret = "simulator0simulator0only"
let phone: DeviceID = "190e35f7e0a1b2c3d4e"
let simulator = JPushSimulator(
    appKey: appKey, masterSecret: secret, devices: [VirtualDevice(phone.rawValue, .android)])
let host = SimulatorHost(simulator)
// The next push gets a 429, and the quota resets in a second.
host.faults.add(.throttle(reset: 1), path: "/v3/push")

try await SimulationServer.withServer(host) { server in
    var settings = CurlConfiguration()
    settings.caFile = server.caFile
    var logger = Logger(label: "shop.push")
    logger.logLevel = .debug

    var configuration = ClientConfiguration()
    // Bootstrap MetricsSystem and InstrumentationSystem with your own backends; TracingLayer() goes in the same list.
    configuration.layers = [LoggingLayer(logger), MetricsLayer()]
    let provider = try JPush(
        appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: server.origin))
    let client = PushClient(provider, transport: try CurlTransport(settings), configuration: configuration)

    let report = try await client.send(
        Message(notification: Notification(body: "Order shipped")), to: .devices([phone]))
    // A refusal before sending is logged and counted like everything else.
    let refused = try? await client.updateTags(.add(["no spaces allowed"]), of: phone)
    await client.shutdown()

    guard report.isComplete, refused == nil, host.journal.entries(path: "/v3/push").count == 2 else {
        fail("the calls did not end as they should")
    }
}
