// Kills a worker in the middle of a campaign, starts another one, and counts what every phone got.
//
// The program runs itself as the worker, which sends a campaign from a file. JPush makes idempotency keys: the outbox writes the
// key of each request down before the request leaves, and the next worker sends the same request with the same key. So
// every phone gets the message, and none gets it twice.

import Foundation
import Glibc
import JPushSimulator
import PushBridge
import PushJPush
import PushOutbox
import PushSimulation
import PushSimulationServer

#if SQLite
    import PushOutboxSQLite

    func fail(_ reason: String) -> Never {
        print("failed:", reason)
        exit(1)
    }

    let appKey = "0123456789abcdef01234567"
    let secret = "simulator0simulator0only"
    let campaign: CampaignName = "sale-2026-11"
    let text = "Everything is half price until Sunday"
    let phones = (0..<20_000).map { number in
        let digits = String(number)
        return DeviceID("190e35f7e0a" + String(repeating: "0", count: 8 - digits.count) + digits)
    }

    /// The worker: enqueues the campaign, if that has not happened, and works until it has ended.
    func work(origin: String, caFile: String, store: String) async throws {
        var settings = CurlConfiguration()
        settings.caFile = caFile
        let jpush = try JPush(appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: origin))
        let client = PushClient(jpush, transport: try CurlTransport(settings))
        let outbox = PushOutbox(try SQLiteOutboxStore(path: store), routes: ["jpush": client])
        // After a crash this finds the campaign, and reads no list again.
        try await outbox.enqueue(
            Message(notification: Notification(title: "Shop", body: text)),
            to: [.audience(.devices(phones), at: "jpush")], as: campaign)
        let worker = Task { try await outbox.run() }
        for try await progress in outbox.progress(of: campaign) where progress.state.isEnded { worker.cancel() }
        try await worker.value
        await client.shutdown()
    }

    /// Starts this program as the worker.
    func startWorker(_ server: SimulationServer, _ store: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["work", server.origin, server.caFile ?? "", store]
        try process.run()
        return process
    }

    func wait(for process: Process, until isDone: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while process.isRunning {
            if try await isDone() { return }
            guard ContinuousClock.now < end else {
                kill(process.processIdentifier, SIGKILL)
                fail("the worker takes too long")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Whether the vendor has accepted something of the campaign.
    func hasBegun(_ outbox: PushOutbox) async throws -> Bool {
        let campaigns = try await outbox.campaigns()
        guard campaigns.contains(where: { $0.name == campaign }) else { return false }
        return try await outbox.progress(now: campaign).accepted > 0
    }

    let arguments = CommandLine.arguments
    if arguments.count == 5, arguments[1] == "work" {
        try await work(origin: arguments[2], caFile: arguments[3], store: arguments[4])
        exit(0)
    }

    let folder = FileManager.default.temporaryDirectory.appending(path: "survive-kill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "outbox.db").path()
    let simulator = JPushSimulator(
        appKey: appKey, masterSecret: secret, devices: phones.map { VirtualDevice($0.rawValue, .android) })
    let host = SimulatorHost(simulator)

    try await SimulationServer.withServer(host) { server in
        // Anybody may watch a campaign, without a client.
        let watcher = PushOutbox(try SQLiteOutboxStore(path: store), routes: [:])
        // Answers come late, so that some requests are on their way when the worker is killed.
        host.faults.add(.actedThenLate(.milliseconds(200)), times: 100, path: "/push")
        let first = try startWorker(server, store)
        try await wait(for: first) { try await hasBegun(watcher) }
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        print("killed:", try await watcher.progress(now: campaign))

        let second = try startWorker(server, store)
        try await wait(for: second) { false }
        guard second.terminationStatus == 0 else { fail("the second worker failed") }
        let progress = try await watcher.progress(now: campaign)
        print("ended: ", progress)

        var counts: [Int: Int] = [:]
        for phone in phones {
            let count = await simulator.inbox(of: phone.rawValue).count { $0.alert == text }
            counts[count, default: 0] += 1
        }
        print("phones with the message once:", counts[1] ?? 0)
        guard counts == [1: phones.count], progress.accepted == phones.count else { fail("a phone got none or two") }
    }
#else
    print("this example needs the trait SQLite: swift run --traits SQLite 14-SurviveKill")
#endif
