// Tags two phones and sends a notification to one tag.
//
// It runs on a simulator. For the real service, leave the simulator out, take the app key and the master secret from
// your console, and create `JPush` without a data center.

import Glibc
import JPushSimulator
import PushBridge
import PushJPush
import PushSimulation
import PushSimulationServer

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

let appKey = "0123456789abcdef01234567"
let secret = "simulator0simulator0only"
let phone: DeviceID = "190e35f7e0a1b2c3d4e"
let tablet: DeviceID = "191e35f7e0a1b2c3d4f"
let simulator = JPushSimulator(
    appKey: appKey, masterSecret: secret,
    devices: [VirtualDevice(phone.rawValue, .android), VirtualDevice(tablet.rawValue, .ios)])

try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
    var settings = CurlConfiguration()
    settings.caFile = server.caFile
    let provider = try JPush(
        appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: server.origin))
    let client = PushClient(provider, transport: try CurlTransport(settings))

    _ = try await client.updateTags(.add(["news"]), of: phone)
    _ = try await client.updateTags(.add(["sport"]), of: tablet)

    let message = Message(notification: Notification(title: "Daily", body: "The news of today"))
    let report = try await client.send(message, to: .tagged(anyOf: ["news"]))
    print("accepted as", report.messageIDs.map(\.rawValue))

    for delivery in try await client.readDeliveries(of: report.messageIDs) {
        print("received by", delivery.received, "device")
    }
    await client.shutdown()

    // The simulator knows what every phone shows.
    let shown = await simulator.inbox(of: phone.rawValue).map(\.alert)
    guard shown == ["The news of today"], await simulator.inbox(of: tablet.rawValue).isEmpty else {
        fail("the wrong devices were reached")
    }
}
