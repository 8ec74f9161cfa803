// Sends to a list with repeated, malformed and unknown devices, reads the report, and sends again where it is safe.
//
// If JPush does not know one device, it refuses the whole request. The report marks that device as invalid, and the
// others as safe to send again: nothing was delivered to them.

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
let phones = (0..<5).map { DeviceID("100e35f7e0a1b2c3d4\($0)") }
let stranger: DeviceID = "1f0e35f7e0a1b2c3dff"
let simulator = JPushSimulator(
    appKey: appKey, masterSecret: secret, devices: phones.map { VirtualDevice($0.rawValue, .android) })

try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
    var settings = CurlConfiguration()
    settings.caFile = server.caFile
    let provider = try JPush(
        appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: server.origin))
    let client = PushClient(provider, transport: try CurlTransport(settings))
    let message = Message(notification: Notification(body: "Hello"))

    let list = phones + [phones[0], "not a device", stranger]
    do throws(PushError) {
        let report = try await client.send(message, to: .devices(list))
        print("accepted at once:", report.acceptedCount ?? 0)
    } catch {
        // Nothing was accepted. The error says whether the vendor acted; its report has each target's status.
        print(error.kind, "- effect:", error.effect)
        let report = error.report ?? SendReport()
        for item in report.exceptions { print(item.position, item.target.text, item.status) }
        print("remove from your records:", report.invalidTargets.map(\.text))

        guard let rest = Audience(report.retryable()) else { fail("nothing is left to send to") }
        let second = try await client.send(message, to: rest)
        print("second attempt accepted:", second.acceptedCount ?? 0)
    }
    await client.shutdown()

    for phone in phones {
        guard await simulator.inbox(of: phone.rawValue).count == 1 else {
            fail("a phone did not get the message exactly once")
        }
    }
}
