// One backend, iPhones at APNs and Androids at FCM: one call over both.
//
// Ann has an iPhone and an Android phone, Ben has an Android phone with a dead token, and Cleo has an iPhone. The
// router sends each phone its message through its vendor, reports each outcome, and removes the dead token.

import APNsSimulator
import FCMSimulator
import FoundationEssentials
import Glibc
import PushAPNs
import PushAdapter
import PushBridge
import PushFCM
import PushLoopback
import PushRouter
import PushSimulation
import PushSimulationServer

func fail(_ reason: String) -> Never {
    print("failed:", reason)
    exit(1)
}

func token(_ number: Int) -> DeviceID { DeviceID("7c1e" + String(repeating: "0", count: 59) + "\(number)") }
func registration(_ number: Int) -> DeviceID { DeviceID("dEvIcE\(number):APA91b" + String(repeating: "x", count: 134)) }

let (signer, pem) = try APNsSigner.generate(keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
let apple = APNsSimulator(
    apps: [
        APNsApp(
            bundleID: "com.example.shop", teamID: "T3AMEXAMP1",
            devices: [1, 3].map { VirtualDevice(token($0).rawValue, .ios) })
    ], signers: [signer])
let (account, keyFile) = try FCMServiceAccount.generate(in: "shop")
// Number 2 is missing from its devices.
let google = FCMSimulator(
    projects: [FCMProject(id: "shop", number: "42", devices: [VirtualDevice(registration(1).rawValue, .android)])],
    accounts: [account])

let store = MemoryBindingStore(
    [
        ("ann", "ann's iPhone", "apple", token(1)), ("ann", "ann's Android", "google", registration(1)),
        ("ben", "ben's Android", "google", registration(2)), ("cleo", "cleo's iPhone", "apple", token(3)),
    ].map { user, installation, route, device in
        Binding(
            user: UserID(user), installation: InstallationID(installation), route: RouteName(route),
            target: .device(device), platform: route == "apple" ? .ios : .android,
            boundAt: Date(timeIntervalSinceNow: -86_400))
    })

try await SimulationServer.withTransport(to: SimulatorHost(apple)) { appleOrigin, appleTransport in
    try await SimulationServer.withTransport(to: SimulatorHost(google)) { googleOrigin, googleTransport in
        let apns = try APNs(
            APNsKey(pem: pem, keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1"), topic: "com.example.shop",
            dataCenter: APNs.dataCenters.standard.moved(to: appleOrigin))
        let fcm = try FCM(
            ServiceAccount(json: Secret(JSONWriter.bytes(of: .object(keyFile)))),
            dataCenter: FCM.dataCenters.standard.moved(to: googleOrigin))
        let router = try PushRouter(
            routes: [
                "apple": PushClient(apns, transport: appleTransport),
                "google": PushClient(fcm, transport: googleTransport),
            ], bindings: store)

        // The message is too long for both vendors. The plan says so, and nothing is sent.
        let long = Message(notification: Notification(body: String(repeating: "x", count: 5_000)))
        let refused = try await router.plan(long, to: .users(["ann", "ben", "cleo"]))
        for problem in refused.problems { print("refused:", problem) }
        do throws(PushError) {
            _ = try await router.send(refused)
            fail("a vendor takes 4,096 bytes")
        } catch {
            guard error.kind == .tooLong, error.effect == .notApplied else { fail("\(error)") }
        }

        let message = Message(notification: Notification(title: "Shop", body: "Order shipped"))
        let report = try await router.send(router.plan(message, to: .users(["ann", "ben", "cleo", "dan"])))
        for outcome in report.outcomes {
            guard let binding = outcome.binding else { continue }
            print(binding.installation?.rawValue ?? "-", "at", binding.route, outcome.status)
        }
        print("without a phone:", report.unreachable.users.map(\.rawValue))
        guard report.outcomes.map(\.status) == [.accepted, .accepted, .invalid(), .accepted],
            report.unreachable.users == ["dan"]
        else { fail("each phone has its own outcome") }

        // A call about a user becomes a call about each of the user's phones. FCM has topics; APNs has nothing similar.
        for outcome in try await router.perform(.updateTags(.add(["vip"])), for: "ann") {
            switch outcome.result {
            case .success: print("tags at \(outcome.binding.route): done")
            case .failure(let error): print("tags at \(outcome.binding.route):", error.message)
            }
        }

        let pruned = try await router.prune(report)
        let left = await store.bindings(of: ["ben"])
        guard pruned.retired == 1, left.isEmpty else { fail("the dead token is still bound") }
        print("pruned", pruned.retired)
        let inboxes = [
            await apple.snapshot(of: token(1).rawValue), await apple.snapshot(of: token(3).rawValue),
            await google.snapshot(of: registration(1).rawValue),
        ]
        guard inboxes.map({ $0?.inbox.count }) == [1, 1, 1] else { fail("each phone gets the message once") }
    }
}
