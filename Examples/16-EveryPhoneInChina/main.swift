// One Chinese app on every phone: Android phones by their makers, iPhones by APNs, and HarmonyOS by Huawei's newer API.
// JPush is the second way to each Android phone.
//
// A maker comes first, because it reaches a phone whose app does not run. But makers limit marketing. In the middle of
// a sale, Xiaomi's quota of the day is used up, and the other phones get the message through JPush: each phone exactly
// once. Messages about orders are of another class, and still go through Xiaomi.
//
// Some phones have removed the app. Huawei, Xiaomi and OPPO accept messages to them, and say by receipts that the apps
// are gone. vivo refuses them, but its answer also fits a phone with notifications off. Honor lists them as dead, but
// its adapter is a draft. So the backend removes the bindings of the first three makers only.

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
/// The makers of Android phones: names of routes.
let makers = Phone.Kind.allCases.filter { $0.platform == .android }.map(\.rawValue)
// A message takes the second way only if the first vendor certainly did not accept it, never after a lost response.
var policy = RoutingPolicy(order: makers.map { RouteName($0) } + ["jpush"])
policy.failover = .whenNotApplied(patience: .seconds(60))
let router = try PushRouter(routes: vendors.clients, bindings: store, policy: policy, clock: vendors.clock)

/// What became of a message on the phones of one kind.
struct Row: Equatable {
    let kind: Phone.Kind
    /// Accepted by the vendor that comes first.
    var accepted = 0
    /// Refused by that vendor, without proof that the app is gone.
    var suspect = 0
    /// Dropped by that vendor later, as its receipts say.
    var dropped = 0
    /// Accepted by JPush instead.
    var byJPush = 0
    /// Bindings removed, because the app is gone.
    var pruned = 0
}

/// Sends a message to all users and reads the receipts.
func campaign(_ message: Message) async throws -> [Row] {
    let report = try await router.send(router.plan(message, to: .users(Phone.all.map(\.user))))
    guard report.failedOver.allSatisfy({ $0.attempts.first?.failure?.kind == .quotaExhausted }) else {
        fail("a message took the second way for another reason than the quota")
    }
    guard try await router.prune(report).retired == 0 else { fail("a binding was removed without a receipt") }
    var rows: [Row] = []
    for kind in Phone.Kind.allCases {
        let outcomes = report.outcomes.filter { $0.chosen.route == kind.route }
        let accepted = outcomes.filter { $0.status == .accepted }
        let events = try await vendors.events(of: kind)
        let dropped = events.filter(isDropped).compactMap(\.device)
        var row = Row(kind: kind, accepted: accepted.count { !$0.isFailedOver }, dropped: dropped.count)
        row.suspect = outcomes.count { $0.status == .suspect }
        row.byJPush = accepted.count(where: \.isFailedOver)
        row.byJPush += try await sendByJPush(message, to: dropped.map { RoutedTarget.Way(.device($0), at: kind.route) })
        row.pruned = try await router.prune(events, of: kind.route, receivedAt: vendors.clock.date).retired
        rows.append(row)
    }
    return rows
}

/// Whether Xiaomi accepted a message and did not deliver it, because other deliveries used up the quota. The quota
/// counts deliveries, so Xiaomi accepts a whole request as long as a little of the quota is left.
func isDropped(_ event: WebhookEvent) -> Bool {
    event.kind == .notDelivered && event.fields["type"]?.identifier == "128"
}

/// Sends to these phones by their second way. Returns how many messages JPush accepted.
func sendByJPush(_ message: Message, to firstWays: [RoutedTarget.Way]) async throws -> Int {
    let installations = await store.bindings(at: firstWays).compactMap(\.installation)
    let bindings = await store.bindings(ofInstallations: installations).filter { $0.route == "jpush" }
    guard !bindings.isEmpty else { return 0 }
    return try await router.send(router.plan(message, to: .bindings(bindings))).accepted(at: "jpush")
}

/// How often the phones show a text, by all ways together: [1] if each phone shows it once.
func copies(of text: String?) async -> Set<Int> {
    var counts: Set<Int> = []
    for phone in Phone.all where phone.hasApp {
        let first = await vendors.copies(of: text, on: phone.id, at: phone.kind.route)
        counts.insert(first + (await vendors.copies(of: text, on: phone.jpushID, at: "jpush")))
    }
    return counts
}

/// "Your order is on its way." Xiaomi demands an approved template for it, which the other vendors ignore. The text is
/// Chinese, because vivo refuses others as tests.
func order(_ number: String) -> Message {
    let template = MessageClass.Template(ids: ["xiaomi": "P1"], bodyValues: ["number": number])
    return Message(
        notification: Notification(title: "商城", body: "您的订单 \(number) 已发货"),
        messageClass: MessageClass(.service, .order, template: template))
}

/// "Half price today."
var sale = Message(
    notification: Notification(title: "商城", body: "今天全场半价"), messageClass: MessageClass(.marketing, .promotion))
// JPush can pass a message on to the maker, where the same quota counts. This message takes JPush's own connection.
var (ownConnection, channel, channels) = (JPushOptions(), JPushChannel(), JPushChannels())
channel.distribution = "jpush"
(channels.huawei, channels.honor, channels.xiaomi) = (channel, channel, channel)
(channels.oppo, channels.vivo) = (channel, channel)
ownConnection.thirdPartyChannel = channels
try sale.set(ownConnection)

func line(_ cells: [String]) { print(cells.map { $0 + String(repeating: " ", count: 11 - $0.count) }.joined()) }

/// The rows of a message: all phones with the app get it by the first way, except as these rows say.
func rows(but others: Row...) -> [Row] {
    Phone.Kind.allCases.map { kind in
        others.first { $0.kind == kind } ?? Row(kind: kind, accepted: kind.phones.count(where: \.hasApp))
    }
}

func check(_ name: String, _ message: Message, _ expected: [Row]) async throws {
    let rows = try await campaign(message)
    for row in rows {
        let numbers = [row.accepted, row.suspect, row.dropped, row.byJPush, row.pruned]
        line([row.kind.rawValue, name] + numbers.map(String.init))
    }
    guard rows == expected else { fail("a number of the message about \(name) is wrong") }
    let counts = await copies(of: message.notification?.body?.plain)
    guard counts == [1] else { fail("each phone shows the message once, not \(counts.sorted()) times") }
}

await vendors.removeApps()
let (vivo, honor) = (Row(kind: .vivo, accepted: 50, suspect: 2), Row(kind: .honor, accepted: 50, suspect: 2))
line(["route", "class", "accepted", "suspect", "dropped", "by JPush", "pruned"])
try await check(
    "order", order("41"),
    rows(
        but: Row(kind: .huawei, accepted: 52, pruned: 2), Row(kind: .xiaomi, accepted: 3_002, pruned: 2), vivo,
        Row(kind: .oppo, accepted: 52, pruned: 2), honor))
// Xiaomi accepts two requests of 1,000 phones, delivers 1,250 messages, and refuses the third request.
try await check(
    "marketing", sale,
    rows(but: Row(kind: .xiaomi, accepted: 2_000, dropped: 750, byJPush: 1_750), vivo, honor))
try await check("order", order("42"), rows(but: vivo, honor))
await router.shutdownClients()
