// Moves an app from TPNS to JPush while campaigns go out.
//
// A hundred phones have the app. Sixty of them have the new version, which also reports its id at JPush. The router
// uses one route per phone, so every phone shows each message once, whatever moves in between.

import FoundationEssentials
import Glibc
import JPushSimulator
import PushBridge
import PushJPush
import PushRouter
import PushSimulation
import PushSimulationServer
import PushTPNS
import TPNSSimulator

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

func padded(_ number: Int, _ length: Int) -> String {
    String(repeating: "0", count: length - String(number).count) + String(number)
}

let (phones, updated) = (100, 60)
let secret = "simulator0simulator0only"
let (accessID, appKey): (UInt32, String) = (1_500_999_001, "0123456789abcdef01234567")
let tokens = (0..<phones).map { DeviceID("0123456789abcdef0123456789ab" + padded($0, 8)) }
let ids = (0..<phones).map { DeviceID("190e35f7e0a" + padded($0, 8)) }
let old = TPNSSimulator(apps: [
    TPNSApp(
        accessID: accessID, secretKey: secret, platform: .android,
        devices: tokens.map { VirtualDevice($0.rawValue, .android) })
])
let new = JPushSimulator(
    appKey: appKey, masterSecret: secret, devices: ids.map { VirtualDevice($0.rawValue, .android) })

// The app's reports: at first its token at TPNS; since the new version, also its id at JPush.
let store = MemoryBindingStore()
func bind(_ number: Int, _ route: RouteName, _ device: DeviceID) async {
    await store.bind(
        Binding(
            user: UserID("user-\(number)"), installation: InstallationID("phone-\(number)"), route: route,
            target: .device(device), platform: .android, boundAt: Date()))
}
for number in 0..<phones { await bind(number, "tpns", tokens[number]) }
for number in 0..<updated { await bind(number, "jpush", ids[number]) }

/// The number of messages at each vendor, and of phones that have exactly one.
func inboxes(_ text: String) async -> (tpns: Int, jpush: Int, once: Int) {
    var counts = (tpns: 0, jpush: 0, once: 0)
    for number in 0..<phones {
        let atOld = await old.inbox(of: tokens[number].rawValue).count { $0.alert == text }
        let atNew = await new.inbox(of: ids[number].rawValue).count { $0.alert == text }
        counts.tpns += atOld
        counts.jpush += atNew
        if atOld + atNew == 1 { counts.once += 1 }
    }
    return counts
}

try await SimulationServer.withServer(SimulatorHost(old)) { oldServer in
    try await SimulationServer.withServer(SimulatorHost(new)) { newServer in
        let tpns = try TPNS(
            accessID: accessID, secretKey: Secret(secret), platform: .android,
            dataCenter: TPNS.dataCenter(at: oldServer.origin))
        let jpush = try JPush(
            appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: newServer.origin))
        var settings = CurlConfiguration()
        settings.caFile = oldServer.caFile
        let oldClient = PushClient(tpns, transport: try CurlTransport(settings))
        settings.caFile = newServer.caFile
        let newClient = PushClient(jpush, transport: try CurlTransport(settings))

        func router(_ stage: RouteMigration.Stage) throws -> PushRouter {
            var policy = RoutingPolicy(order: ["tpns", "jpush"])
            policy.migrations = [RouteMigration("to-jpush", from: "tpns", to: "jpush", stage)]
            return try PushRouter(routes: ["tpns": oldClient, "jpush": newClient], bindings: store, policy: policy)
        }
        let users = (0..<phones).map { UserID("user-\($0)") }
        func message(_ text: String) -> Message { Message(notification: Notification(title: "Shop", body: text)) }

        print("stage         TPNS  JPush  phones with it once")
        func campaign(_ name: String, _ report: RouterReport, moved: Range<Int>) async {
            let counts = await inboxes(name)
            print(
                name + String(repeating: " ", count: 14 - name.count), counts.tpns, "  ", counts.jpush, "   ",
                counts.once)
            guard counts.once == phones, moved.contains(counts.jpush) else { fail("\(name): a phone got none or two") }
            guard report.accepted(at: "jpush") == counts.jpush, report.accepted(at: "tpns") == counts.tpns else {
                fail("\(name): the report is wrong")
            }
        }

        // No installation moves yet. The router only checks whether JPush would take the message.
        let shadow = try router(.shadow(sample: 1))
        let asked = try await shadow.send(shadow.plan(message("shadow"), to: .users(users)))
        await campaign("shadow", asked, moved: 0..<1)
        guard let answer = asked.shadows.first, answer.count == updated, answer.refused == 0 else {
            fail("JPush would refuse the message")
        }
        // A plan keeps its routes, even if it is carried out after the share has changed.
        let early = try await shadow.plan(message("planned early"), to: .users(users))
        let shares: [(name: String, percent: Double, moved: Range<Int>)] = [
            ("10 %", 10, 1..<20), ("50 %", 50, 20..<45), ("back to 10 %", 10, 1..<20),
            ("100 %", 100, updated..<updated + 1),
        ]
        for (name, percent, moved) in shares {
            let router = try router(.percent(percent))
            await campaign(name, try await router.send(router.plan(message(name), to: .users(users))), moved: moved)
        }
        await campaign("planned early", try await router(.percent(100)).send(early), moved: 0..<1)

        // Two weeks after JPush accepted a message for a phone, pruning removes the phone's binding at TPNS. Here it
        // does so at once.
        var policy = RoutingPolicy(order: ["tpns", "jpush"])
        var drain = RouteMigration("to-jpush", from: "tpns", to: "jpush", .drain(since: Date()))
        drain.keepsOldFor = .zero
        policy.migrations = [drain]
        let last = try PushRouter(
            routes: ["tpns": oldClient, "jpush": newClient], bindings: store, policy: policy)
        for name in ["drain 1", "drain 2"] {
            let report = try await last.send(last.plan(message(name), to: .users(users)))
            await campaign(name, report, moved: updated..<updated + 1)
            try await last.prune(report)
        }
        let coverage = try await last.status(ofMigration: "to-jpush").coverage
        print("only at TPNS \(coverage.onlyFrom), at both \(coverage.both), only at JPush \(coverage.onlyTo)")
        guard coverage == RouteCoverage(onlyFrom: phones - updated, both: 0, onlyTo: updated) else {
            fail("the old bindings are still there")
        }
        await last.shutdownClients()
    }
}
