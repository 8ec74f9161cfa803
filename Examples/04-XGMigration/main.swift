// Moves code for TPNS's device SDK (XG), which reports to a delegate, to JPush.
//
// Nothing is renamed. JPush has one alias and no accounts: with the session's consent, an account of type 1 becomes the
// alias. JPush has no attributes: the client reports those calls as unsupported and sends nothing.

import Glibc
import JPushSimulator
import PushBridge
import PushDevice
import PushJPush
import PushPhone
import PushSimulation
import PushSimulationServer
import PushStyles

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

/// The app's handling of XG's reports: here it prints them.
final class Reports: XGPushDelegate, XGPushTokenManagerDelegate {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (lines, continuation) = AsyncStream.makeStream() }

    /// The next `count` reports, in any order.
    func next(_ count: Int) async -> [String] {
        var found: [String] = []
        for await line in lines {
            print(line)
            found.append(line)
            if found.count == count { break }
        }
        return found.sorted()
    }

    private func report(_ call: String, _ error: (any Error)?) {
        continuation.yield("\(call): \((error as? ResultError).map { $0.error.kind.rawValue } ?? "done")")
    }

    func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {
        report("registered", error)
    }
    func xgPushNetworkConnected() { report("connected", nil) }
    func xgPushDidSetBadge(_ isSuccess: Bool, error: (any Error)?) { report("setBadge", error) }
    func xgPushDidFinishStop(_ isSuccess: Bool, error: (any Error)?) { report("stop", error) }
    func xgPushDidQueryTags(_ tags: [String]?, totalCount: UInt, error: (any Error)?) {
        report("queryTags \(tags ?? []) of \(totalCount)", error)
    }
    func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) { report("appendTags \(tags)", error) }
    func xgPushDidClearAndAppendTags(_ tags: [String], error: (any Error)?) {
        report("clearAndAppendTags \(tags)", error)
    }
    func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: (any Error)?) {
        report("upsertAccounts of types \(accountsDict.keys.sorted())", error)
    }
    func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?) {
        report("upsertAttributes \(attributes.keys.sorted())", error)
    }
}

let key = "0123456789abcdef01234567"
let secret = "simulator0simulator0only"
let device = VirtualDevice("190e35f7e0a1b2c3d4e", .ios)
let simulator = JPushSimulator(appKey: key, masterSecret: secret, devices: [device])

try await SimulationServer.withServer(SimulatorHost(simulator)) { server in
    var curl = CurlConfiguration()
    curl.caFile = server.caFile
    let client = PushClient(
        try JPush(appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: server.origin)),
        transport: try CurlTransport(curl))
    // A virtual phone registers and keeps the badge, which no server can do.
    let phone = VirtualPhone(device)
    let session = DeviceSession(
        client, rules: .tpns, host: phone, consent: SessionConsent(aliasAccountType: 1))
    let manager = XGTokenManager(session, queue: SequencedPushService.privateQueue())
    let reports = Reports()
    manager.delegate = reports

    // Before the device registers, the session sends nothing.
    manager.appendTags(["early"])
    var received = await reports.next(1)
    manager.startXG(withAccessID: 1_600_999_001, accessKey: "the key of the app", delegate: reports)
    received += await reports.next(2)
    manager.appendTags(["member", "women"])
    manager.clearAndAppendTags(["vip"])
    manager.upsertAccounts(byDict: [1: "ann"])
    manager.upsertPhoneNumber("+8613711112222")
    manager.upsertAttributes(["tier": "gold"])
    manager.setBadge(3)
    received += await reports.next(6)
    manager.queryTags(0, limit: 200)
    received += await reports.next(1)
    manager.stopXGNotification()
    received += await reports.next(1)

    let expected = [
        #"appendTags ["early"]: notRegistered"#, "connected: done", "registered: done",
        #"appendTags ["member", "women"]: done"#, #"clearAndAppendTags ["vip"]: done"#, "setBadge: done",
        "upsertAccounts of types [1002]: done", "upsertAccounts of types [1]: done",
        #"upsertAttributes ["tier"]: unsupported"#, #"queryTags ["vip"] of 1: done"#, "stop: done",
    ]
    guard received == expected else { fail("the reports are \(received)") }
    let kept = await simulator.snapshot(of: device.id)
    let number = try await client.readPhone(of: DeviceID(device.id))
    guard kept?.tags == ["vip"], kept?.alias == "ann", number == "+8613711112222", phone.badge == 3 else {
        fail("JPush should have the tag, the alias and the number, not \(String(describing: kept))")
    }
    await client.shutdown()
}
