// Kills a worker with SIGKILL in the middle of a campaign, starts another one, and counts the messages on every phone.
//
// The program starts itself as the worker, which sends a campaign to 20,000 phones from a file. Before a request
// leaves, the outbox records its phones and its idempotency key. So the next worker knows which requests may have been
// sent:
//
// - A vendor with keys gets the same request with the same key, and acts once. Every phone has the message, none twice.
// - Without keys, the outbox cannot know. It does not resend, and reports these phones as unknown. Some of them have
//   the message. `CampaignOptions.afterUnknown` or `resendUnknown` would send to them once more.

import Foundation
import Glibc
import JPushSimulator
import PushBridge
import PushOutbox
import PushSimulation
import PushSimulationServer

#if SQLite
    import PushOutboxSQLite

    /// The worker: enqueues the campaign if necessary, and works until it has ended.
    func work(_ client: PushClient, store: String) async throws {
        var settings = OutboxSettings()
        settings.slicesInFlight = 4
        let outbox = PushOutbox(try SQLiteOutboxStore(path: store), routes: ["jpush": client], settings: settings)
        // After a crash, this finds the campaign and does not read the list again.
        try await outbox.enqueue(
            Message(notification: Notification(title: "Shop", body: text)),
            to: [.audience(.devices(phones), at: "jpush")], as: campaign)
        let worker = Task { try await outbox.run() }
        for try await progress in outbox.progress(of: campaign) where progress.state.isEnded { worker.cancel() }
        try await worker.value
        await client.shutdown()
    }

    /// Starts this program as the worker.
    func startWorker(_ keys: Keys, _ server: SimulationServer, _ store: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["work", keys.rawValue, server.origin, server.caFile ?? "", store]
        try process.run()
        return process
    }

    /// Waits until the worker has ended or a condition holds.
    func wait(for worker: Process, until isDone: () async throws -> Bool = { false }) async throws {
        let end = ContinuousClock.now + .seconds(50)
        while worker.isRunning {
            if try await isDone() { return }
            guard ContinuousClock.now < end else {
                kill(worker.processIdentifier, SIGKILL)
                fail("the worker takes too long")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Whether the outbox's file shows that a quarter of the phones is accepted, and that other requests are in flight.
    func isUnderWay(_ outbox: PushOutbox) async throws -> Bool {
        let names = try await outbox.campaigns().map(\.name)
        guard names.contains(campaign) else { return false }
        let progress = try await outbox.progress(now: campaign)
        return progress.accepted >= phones.count / 4 && progress.targets[.openAgain, default: 0] > 0
    }

    func survive(_ keys: Keys, store: String) async throws {
        let simulator = JPushSimulator(
            appKey: appKey, masterSecret: secret, devices: phones.map { VirtualDevice($0.rawValue, .android) })
        let host = SimulatorHost(simulator)
        // The vendor answers five requests. Then it stops answering, and carries out every second request.
        host.faults.add(.actedThenLate(.milliseconds(1)), times: 5, path: "/push")
        for _ in 1...10 {
            host.faults.add(.silence, path: "/push")
            host.faults.add(.actedThenLate(.seconds(60)), path: "/push")
        }
        let watcher = PushOutbox(try SQLiteOutboxStore(path: store), routes: [:])
        try await SimulationServer.withServer(host) { server in
            let first = try startWorker(keys, server, store)
            try await wait(for: first) { try await isUnderWay(watcher) }
            kill(first.processIdentifier, SIGKILL)
            first.waitUntilExit()
            guard first.terminationReason == .uncaughtSignal else { fail("the worker ended before it was killed") }
            host.faults.removeAll()
            print("killed:", try await watcher.progress(now: campaign))

            let second = try startWorker(keys, server, store)
            try await wait(for: second)
            guard second.terminationStatus == 0 else { fail("the second worker failed") }
        }
        let report = try await watcher.report(of: campaign)
        print("ended: ", report.progress)

        var unknown: Set<DeviceID> = []
        for try await item in report.exceptions {
            guard item.status == .unknown, case .device(let phone) = item.target else { fail("a phone is lost") }
            unknown.insert(phone)
        }
        var (twice, missed, arrived) = (0, 0, 0)
        for phone in phones {
            let count = await simulator.inbox(of: phone.rawValue).count { $0.alert == text }
            if count > 1 { twice += 1 }
            if unknown.contains(phone) { arrived += min(count, 1) } else if count == 0 { missed += 1 }
        }
        print("phones with the message twice: \(twice), accepted without it: \(missed), unknown: \(unknown.count)")
        guard twice == 0, missed == 0, report.progress.accepted + unknown.count == phones.count else {
            fail("a promise is broken")
        }
        guard unknown.isEmpty == (keys == .keys) else { fail("only without keys, some phones are unknown") }
        if !unknown.isEmpty { print("\(arrived) of the unknown phones have the message; only their inboxes can tell") }
    }

    let arguments = CommandLine.arguments
    if arguments.count == 6, arguments[1] == "work", let keys = Keys(rawValue: arguments[2]) {
        // Ends the worker if the program that started it is gone.
        alarm(60)
        try await work(keys.client(origin: arguments[3], caFile: arguments[4]), store: arguments[5])
        exit(0)
    }

    let folder = FileManager.default.temporaryDirectory.appending(path: "survive-kill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for keys in Keys.allCases {
        print(keys == .keys ? "A vendor with idempotency keys" : "\nA vendor without")
        try await survive(keys, store: folder.appending(path: "\(keys).db").path())
    }
#else
    print("this example needs the trait SQLite")
#endif
