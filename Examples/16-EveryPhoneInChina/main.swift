// One Chinese app on every phone: Android phones by Huawei and Xiaomi, iPhones by APNs, HarmonyOS by Huawei's own API.
// JPush is the second way to each Android phone.
//
// A maker reaches a phone on which the app does not run, so it comes first. But makers count marketing. In the middle of
// a sale, Xiaomi's quota of the day is used up, and the rest goes through JPush: each phone gets the message exactly
// once. Messages about orders are another class, and still go through Xiaomi.

import Glibc
import PushAdapter
import PushBridge
import PushJPush
import PushRouter
import PushSimulation
import PushWebhooks

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

let vendors = try Vendors()
let store = MemoryBindingStore(Phone.all.flatMap { $0.bindings(at: vendors.clock.date) })
// The second way is taken only if the first vendor certainly did not apply the message, never after a lost response.
var policy = RoutingPolicy(order: ["huawei", "xiaomi", "jpush"])
policy.failover = .whenNotApplied(patience: .seconds(60))
let router = try PushRouter(routes: vendors.clients, bindings: store, policy: policy, clock: vendors.clock)

/// The results of one message on the phones of one kind.
struct Row: Equatable {
    let kind: Phone.Kind
    /// Messages that the maker accepted.
    var accepted = 0
    /// Messages that the maker accepted and later dropped.
    var dropped = 0
    /// Messages that JPush accepted.
    var second = 0
    /// Bindings of removed apps.
    var pruned = 0
}

/// Sends a message to all users, and reads the receipts: bindings of removed apps go away, and messages that Xiaomi
/// dropped take the second way.
func campaign(_ message: Message) async throws -> [Row] {
    let report = try await router.send(router.plan(message, to: .users(Phone.all.map(\.user))))
    // Receipts come after a second.
    vendors.clock.advance(by: .seconds(2))
    let events: [RouteName: [WebhookEvent]] = [
        "huawei": try await vendors.events(of: vendors.huawei, by: vendors.huaweiReceipts),
        "xiaomi": try await vendors.events(of: vendors.xiaomi, by: vendors.xiaomiReceipts),
    ]
    var rows: [Row] = []
    for kind in Phone.Kind.allCases {
        let outcomes = report.outcomes.filter { $0.chosen.route == kind.route && $0.status == .accepted }
        var row = Row(kind: kind)
        row.accepted = outcomes.count { !$0.isFailedOver }
        row.second = outcomes.count(where: \.isFailedOver)
        if let events = events[kind.route] {
            row.pruned = try await router.prune(events, of: kind.route, receivedAt: vendors.clock.date).retired
            let dropped = events.filter { isDropped($0) }.compactMap(\.device)
            row.dropped = dropped.count
            row.second += try await sendOverJPush(
                message, insteadOf: dropped.map { .init(.device($0), at: kind.route) })
        }
        rows.append(row)
    }
    return rows
}

/// Whether Xiaomi had accepted the message and did not deliver it, because the quota was used up on the way. Xiaomi
/// counts deliveries: a request just below the quota is accepted as a whole.
func isDropped(_ event: WebhookEvent) -> Bool { event.kind == .notDelivered && event.fields["type"] == 128 }

/// Sends to the same phones through JPush, and returns how many messages it accepted.
func sendOverJPush(_ message: Message, insteadOf ways: [RoutedTarget.Way]) async throws -> Int {
    let installations = await store.bindings(at: ways).compactMap(\.installation)
    let bindings = await store.bindings(ofInstallations: installations).filter { $0.route == "jpush" }
    guard !bindings.isEmpty else { return 0 }
    return try await router.send(router.plan(message, to: .bindings(bindings))).accepted(at: "jpush")
}

/// The numbers of copies of a text that phones with the app have, at their makers and at JPush together.
func copies(of text: String) async -> Set<Int> {
    var counts: Set<Int> = []
    for phone in Phone.all where phone.hasApp {
        let own = await vendors.simulators[phone.kind.route]?.snapshot(of: phone.id.rawValue)
        let second = await vendors.simulators["jpush"]?.snapshot(of: phone.jpushID?.rawValue ?? "")
        counts.insert([own, second].reduce(0) { $0 + ($1?.inbox.count { $0.alert == text } ?? 0) })
    }
    return counts
}

/// Xiaomi demands an approved template of a message about an order. The other vendors ignore it.
func order(_ number: String) -> Message {
    let template = MessageClass.Template(ids: ["xiaomi": "P1"], bodyValues: ["number": number])
    return Message(
        notification: Notification(title: "Shop", body: "Order \(number) is on its way"),
        messageClass: MessageClass(.service, .order, template: template))
}

var sale = Message(
    notification: Notification(title: "Shop", body: "Half price today"),
    messageClass: MessageClass(.marketing, .promotion))
// JPush can also pass a message to the maker's service, where the same quota counts. This takes JPush's own connection.
var ownConnection = JPushOptions()
ownConnection.thirdPartyChannel = ["huawei": ["distribution": "jpush"], "xiaomi": ["distribution": "jpush"]]
try sale.set(ownConnection)

await vendors.removeApps()
// The accepted messages about an order, and those of a sale. Receipts of the first message show the removed apps.
let all: [(name: String, message: Message, expected: [Row])] = [
    (
        "order", order("41"),
        [
            Row(kind: .apple, accepted: 50), Row(kind: .harmony, accepted: 50),
            Row(kind: .huawei, accepted: 102, pruned: 2), Row(kind: .xiaomi, accepted: 3_002, pruned: 2),
        ]
    ),
    // Of three requests to Xiaomi with 1,000 phones, two are accepted and the third is refused. 1,250 are delivered.
    (
        "marketing", sale,
        [
            Row(kind: .apple, accepted: 50), Row(kind: .harmony, accepted: 50), Row(kind: .huawei, accepted: 100),
            Row(kind: .xiaomi, accepted: 2_000, dropped: 750, second: 1_000 + 750),
        ]
    ),
    (
        "order", order("42"),
        [
            Row(kind: .apple, accepted: 50), Row(kind: .harmony, accepted: 50), Row(kind: .huawei, accepted: 100),
            Row(kind: .xiaomi, accepted: 3_000),
        ]
    ),
]

func line(_ cells: [String]) { print(cells.map { $0 + String(repeating: " ", count: 12 - $0.count) }.joined()) }

line(["route", "class", "accepted", "dropped", "by JPush", "pruned"])
for (name, message, expected) in all {
    let rows = try await campaign(message)
    for row in rows {
        line([row.kind.rawValue, name] + [row.accepted, row.dropped, row.second, row.pruned].map(String.init))
    }
    guard rows == expected else { fail("the numbers of the message about \(name) are wrong") }
    let counts = await copies(of: message.notification?.body?.plain ?? "")
    guard counts == [1] else { fail("a phone has none or two: \(counts.sorted())") }
}
await router.shutdownClients()
