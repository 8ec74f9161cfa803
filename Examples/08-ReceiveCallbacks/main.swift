// Receives a vendor's callbacks in a web server: accepts only signed calls, stores each event once, responds in time.
//
// The vendor is EngageLab's simulator, which retries a call that gets no response. Its clock is virtual, so the ten
// seconds before a retry take no time. Put a real backend behind TLS: the vendor signs the time of a call, not its
// body.

import EngageLabSimulator
import Glibc
import PushAdapter
import PushBridge
import PushEngageLab
import PushSimulation
import PushWebhooks

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

let (appKey, masterSecret) = ("0123456789abcdef01234567", "simulator0simulator0only")
let phone: DeviceID = "171976fa8a00000a001"
let clock = VirtualClock()
// The same values as in the console's callback settings.
let receiver = try EngageLabCallbacks(username: "demo-user", secret: Secret("demo-secret"))
let store = EventStore()

try await withBackend(CallbackHandler(receiver: receiver, store: store, clock: clock)) { [clock, store] address in
    var settings = EngageLabSimulatorSettings()
    settings.callback = .init(url: address, username: "demo-user", secret: Secret("demo-secret"))
    let vendor = EngageLabSimulator(
        EngageLabSimulator.App(
            key: appKey, masterSecret: masterSecret, devices: [VirtualDevice(phone.rawValue, .ios)]),
        settings: settings)
    let network = try CurlTransport()
    let courier = CallbackCourier(vendor, transport: network, clock: clock)

    print("The console checks the address:")
    await vendor.checkCallbackURL(at: clock.date)
    _ = await courier.run()
    guard await vendor.isCallbackConfirmed else { fail("the response to the check was not its text") }
    print("  the backend responds with the text of the check")

    print("A message is sent, and the vendor reports its events:")
    let engageLab = try EngageLab(
        appKey: appKey, masterSecret: Secret(masterSecret),
        dataCenter: EngageLab.dataCenter(at: InProcessTransport.origin))
    let client = PushClient(engageLab, transport: InProcessTransport(SimulatorHost(vendor, clock: clock)))
    // On iOS, the app's extension reports an arrival; isMutable wakes it.
    let ios = IOSNotification(isMutable: true)
    let message = Message(notification: Notification(body: "Order shipped", ios: ios))
    let report = try await client.send(message, to: .devices([phone]))
    let visits = await courier.run()
    for visit in visits { print("  attempt \(visit.callback.attempt): status \(visit.status ?? 0)") }
    guard let second = visits.first(where: { $0.callback.attempt == 2 }), second.status == 200 else {
        fail("the second attempt should have been stored")
    }

    print("The user opens it:")
    await vendor.open(report.messageIDs[0].rawValue, on: phone.rawValue, at: clock.date)
    _ = await courier.run()

    print("An attacker makes calls: a replayed one, and a forged one:")
    var forged = second.callback
    for name in forged.headers.map(\.name) { forged.headers[name] = "timestamp=1;nonce=1;username=x;signature=y" }
    for callback in [second.callback, forged] {
        let call = TransportRequest(
            method: .post, url: address, headers: callback.headers, body: .json(callback.body), timeout: .seconds(3))
        guard try await network.send(call).status == (callback == forged ? 401 : 409) else { fail("it was accepted") }
    }

    await client.shutdown()
    await network.shutdown()
    let kinds: Set<WebhookEvent.Kind> = ["engagelab.sent", .delivered, "engagelab.impression", "engagelab.click"]
    guard await Set(store.kinds) == kinds else { fail("the store has \(await store.kinds)") }
}
