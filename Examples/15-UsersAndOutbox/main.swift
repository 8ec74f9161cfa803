// Users with phones at two vendors, and an outbox that carries campaigns to them.
//
// Ann has an iPhone and an Android phone; the token of Ben's phone is dead. FCM once reached the iPhone as well, and now
// APNs does. After two campaigns the bindings are clean: pruning removes the dead token, the migration the old one.

import APNsSimulator
import FCMSimulator
import FoundationEssentials
import Glibc
import PushAPNs
import PushAdapter
import PushBridge
import PushFCM
import PushOutbox
import PushRouter
import PushSimulation

let iPhone = DeviceID("7c1e" + String(repeating: "0", count: 60))
func token(_ number: Int) -> DeviceID { DeviceID("dEvIcE\(number):APA91b" + String(repeating: "x", count: 134)) }

// The vendors, in this process. FCM does not know token 3 any more.
let (signer, pem) = try APNsSigner.generate(keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
let app = APNsApp(bundleID: "com.example.shop", teamID: "T3AMEXAMP1", devices: [VirtualDevice(iPhone.rawValue, .ios)])
let apple = APNsSimulator(apps: [app], signers: [signer])
let (account, keyFile) = try FCMServiceAccount.generate(in: "shop")
let known = [VirtualDevice(token(1).rawValue, .ios), VirtualDevice(token(2).rawValue, .android)]
let google = FCMSimulator(projects: [FCMProject(id: "shop", number: "42", devices: known)], accounts: [account])

// A client for each vendor.
let apns = try APNs(
    APNsKey(pem: pem, keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1"), topic: "com.example.shop",
    dataCenter: APNs.dataCenters.standard.moved(to: InProcessTransport.origin))
let fcm = try FCM(
    ServiceAccount(json: Secret(JSONWriter.bytes(of: .object(keyFile)))),
    dataCenter: FCM.dataCenters.standard.moved(to: InProcessTransport.origin))
let clients: [RouteName: PushClient] = [
    "apple": PushClient(apns, transport: InProcessTransport(SimulatorHost(apple))),
    "google": PushClient(fcm, transport: InProcessTransport(SimulatorHost(google))),
]

// What the apps reported a week ago: which phone is whose, and how each vendor reaches it.
let store = MemoryBindingStore(
    [
        ("ann", "ann's iPhone", "apple", iPhone), ("ann", "ann's iPhone", "google", token(1)),
        ("ann", "ann's Android", "google", token(2)), ("ben", "ben's Android", "google", token(3)),
    ].map { user, installation, route, device in
        Binding(
            user: UserID(user), installation: InstallationID(installation), route: RouteName(route),
            target: .device(device), boundAt: Date(timeIntervalSinceNow: -7 * 86_400))
    })

// The router chooses a way to each phone. The drain removes old bindings at once; by default it waits two weeks.
var drain = RouteMigration("to-apns", from: "google", to: "apple", .drain(since: Date()))
drain.keepsOldFor = .zero
var policy = RoutingPolicy(order: ["apple", "google"])
policy.migrations = [drain]
policy.failover = .whenNotApplied(patience: .seconds(60))
let router = try PushRouter(routes: clients, bindings: store, policy: policy)

// The outbox sends, and tells the router what was accepted.
var settings = OutboxSettings()
settings.onAccepted = { ways, date in
    do { try await router.noteAccepted(ways, at: date) } catch { print("a later campaign drains this:", error) }
}
let outbox = PushOutbox(MemoryOutboxStore(), routes: clients, settings: settings)

for name: CampaignName in ["sale-monday", "sale-friday"] {
    let message = Message(notification: Notification(title: "Shop", body: "Half price today"))
    let users = AsyncStream<UserID> { feed in
        for user: UserID in ["ann", "ben"] { feed.yield(user) }
        feed.finish()
    }
    let targets = router.targets(message, to: users)
    try await outbox.enqueue(
        message, to: [.routed(targets, over: targets.routes, patience: targets.patience)], as: name)

    // In a backend, a worker runs all the time. Here it ends with the campaign, once nothing is in flight.
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await outbox.run() }
        group.addTask { for try await progress in outbox.progress(of: name) { print(name, progress) } }
        // If the worker fails, the campaign does not end.
        try await group.next()
        group.cancelAll()
        try await group.waitForAll()
    }

    let report = try await outbox.report(of: name)
    for try await item in report.exceptions { print("  target \(item.position) at \(item.route): \(item.status)") }
    let pruned = try await router.prune(report)
    print("  bindings removed: \(pruned.retired), kept: \(pruned.spared), routes halted: \(pruned.halted.count)")
}

let coverage = try await router.status(ofMigration: "to-apns").coverage
let (atApple, atGoogle) = (await apple.sendCount, await google.sendCount)
print("bound at google \(coverage.onlyFrom), at both \(coverage.both), at apple \(coverage.onlyTo)")
await router.shutdownClients()
guard coverage == RouteCoverage(onlyFrom: 1, both: 0, onlyTo: 1), atApple == 2, atGoogle == 2 else {
    print("failed: a phone got none or two, or an old binding is still there")
    exit(1)
}
