// Makes a phone's tags exactly a given set, on a vendor that can only add and remove.
//
// The client reads, compares, adds and removes. The outcome says what was done, and that it was not atomic. A change
// that stops half-way also returns an outcome, because a part of it was done.

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
let simulator = JPushSimulator(
    appKey: appKey, masterSecret: secret, devices: [VirtualDevice(phone.rawValue, .android)])

try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
    var settings = CurlConfiguration()
    settings.caFile = server.caFile
    let provider = try JPush(
        appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: server.origin))
    let client = PushClient(provider, transport: try CurlTransport(settings))

    _ = try await client.updateTags(.add(["trial", "news", "city_上海"]), of: phone)

    // What would be sent? Nothing is sent yet.
    let plan = client.explain(.updateTags(.replace(["news", "paid"])), of: phone)
    for step in plan.steps { print("would begin with", step.operation) }
    print(plan.rule ?? "")

    let outcome = try await client.replaceTags(with: ["news", "paid"], of: phone)
    print("added", outcome.added.sorted(), "removed", outcome.removed.sorted())
    print(outcome.requests, "requests, atomic:", outcome.isAtomic)
    if let failure = outcome.failure { print("stopped half-way:", failure) }
    await client.shutdown()

    guard await simulator.tags(of: phone.rawValue) == ["news", "paid"] else {
        fail("the tags are not the requested ones")
    }
}
