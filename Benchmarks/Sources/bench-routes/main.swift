import FoundationEssentials
import Glibc
import Load
import PushAdapter
import PushClient
import PushJPush
import PushRouter
import PushRouterSQLite

// Plans for a million users with two bindings each, from a database of bindings.
// `bench-routes make FILE USERS` writes the database; `bench-routes all FILE USERS` plans for all users of the store, and
// `bench-routes plan FILE USERS` for a list that comes in another order than the file has. Both print the time, the processor
// time and the peak memory.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3, let users = Int(arguments[2]), users > 0 else {
    print("usage: bench-routes make|all|plan FILE USERS")
    exit(64)
}
let store = try SQLiteBindingStore(path: arguments[1])

/// The user with this number: texts as a backend has them, which are not in the order of the database.
@Sendable func user(_ number: Int) -> UserID {
    UserID("user-" + String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 36))
}

switch arguments[0] {
case "make":
    let now = Date()
    for first in stride(from: 0, to: users, by: 10_000) {
        var bindings: [Binding] = []
        for number in first..<min(first + 10_000, users) {
            let installation = InstallationID("installation-\(number)")
            let digits = String(number)
            let zeros = String(repeating: "0", count: 8 - digits.count)
            bindings.append(
                Binding(
                    user: user(number), installation: installation, route: "jpush",
                    target: .device(DeviceID("190e35f7e0a" + zeros + digits)), platform: .android, boundAt: now))
            // As long as FCM's.
            let token = "dEvIcE" + zeros + digits + ":APA91b" + String(repeating: "x", count: 134)
            bindings.append(
                Binding(
                    user: user(number), installation: installation, route: "fcm", target: .device(DeviceID(token)),
                    platform: .android, boundAt: now))
        }
        try await store.bind(bindings)
    }
case "plan", "all":
    var policy = RoutingPolicy(order: ["fcm", "jpush"])
    policy.migrations = [RouteMigration("to-fcm", from: "jpush", to: "fcm", .percent(50))]
    let jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
    // Two clients of one adapter: no request is made, and the longer ids are no concern of the plan.
    let client = PushClient(jpush, transport: InstantTransport())
    let router = try PushRouter(routes: ["jpush": client, "fcm": client], bindings: store, policy: policy)
    let message = Message(notification: Notification(body: "Hello"))
    let stream = AsyncStream(unfolding: { [next = Locked(0)] in
        next.withLock { number -> UserID? in
            defer { number += 1 }
            return number < users ? user(number) : nil
        }
    })
    let start = Usage()
    var (choices, moved, problems) = (0, 0, 0)
    func note(_ plan: RoutePlan) {
        choices += plan.choices.count
        moved += plan.shares.first { $0.route == "fcm" }?.count ?? 0
        problems += plan.problems.count + plan.unreachable.count
    }
    if arguments[0] == "all" {
        for try await plan in router.plans(message, to: store.users) { note(plan) }
    } else {
        for try await plan in router.plans(message, to: stream) { note(plan) }
    }
    let end = Usage()
    guard choices == users, problems == 0 else { fatalError("\(choices) choices and \(problems) problems") }
    let seconds = end.elapsed - start.elapsed
    print(
        "\(choices) users with two bindings each, \(moved) at the new route:",
        "\((seconds * 100).rounded() / 100) s, \(Int(Double(users) / seconds)) users a second,",
        "CPU \(((end.cpu - start.cpu) * 100).rounded() / 100) s, peak memory \(end.peakKB / 1024) MiB")
    await client.shutdown()
default:
    print("usage: bench-routes make|all|plan FILE USERS")
    exit(64)
}
