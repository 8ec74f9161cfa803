// Sends one message to iOS and Android, at a vendor whose apps have one platform each.
//
// TPNS gives an app an AccessId for each platform. Each is a provider in its own client, and the message goes through
// both. The Android app ignores the message's iOS fields, and the other way round.

import Glibc
import PushBridge
import PushSimulation
import PushSimulationServer
import PushTPNS
import TPNSSimulator

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

let secret = "simulator0simulator0only"
let iPhone: DeviceID = "0123456789abcdef0123456789abcdef0001"
let robot: DeviceID = "0123456789abcdef0123456789abcdef0002"
let ann = Account(name: "ann", type: 1)
let apps: [(id: UInt32, platform: Platform, device: DeviceID)] = [
    (1_600_999_001, .ios, iPhone), (1_500_999_001, .android, robot),
]
let simulator = TPNSSimulator(
    apps: apps.map { app in
        TPNSApp(
            accessID: app.id, secretKey: secret, platform: app.platform,
            devices: [VirtualDevice(app.device.rawValue, app.platform)])
    })

try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
    var settings = CurlConfiguration()
    settings.caFile = server.caFile
    var message = Message(
        notification: Notification(
            title: "Shop", body: "Order shipped", ios: IOSNotification(subtitle: "#42", badge: .change(by: 1)),
            android: AndroidNotification(channelID: "orders")))

    for app in apps {
        let provider = try TPNS(
            accessID: app.id, secretKey: Secret(secret), platform: app.platform,
            dataCenter: TPNS.dataCenter(at: server.origin))
        let client = PushClient(provider, transport: try CurlTransport(settings))
        // The vendor binds the account some time after it responds, so the push waits for the declared write delay.
        _ = try await client.updateAccounts(.add([ann]), of: app.device)
        try await Task.sleep(for: client.capabilities.writeDelay[.addAccounts] ?? .zero)
        let report = try await client.send(message, to: .accounts([ann]))
        print(app.platform, "accepted", report.acceptedCount ?? 0, "message", report.messageIDs.map(\.rawValue))

        // A message that names the other platform is refused before anything is sent, with advice.
        message.platforms = [.ios, .android]
        let refusals = client.explain(message, to: .everyone).refusals
        message.platforms = nil
        guard refusals.first?.kind == .unsupported else { fail("one platform would not get it") }
        print("  for both platforms at once:", refusals[0].message)
        await client.shutdown()
    }

    let inboxes = [await simulator.inbox(of: iPhone.rawValue), await simulator.inbox(of: robot.rawValue)]
    guard inboxes.map(\.count) == [1, 1], inboxes[0][0].badge == 1, inboxes[1][0].badge == nil else {
        fail("each platform gets the message once, and the badge is for iOS")
    }
}
