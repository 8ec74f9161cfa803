import DemoStory
import PushAdapter

#if SQLite
    import Foundation
    import Glibc
    import JPushSimulator
    import PushBridge
    import PushJPush
    import PushOutbox
    import PushOutboxSQLite
    import PushSimulation
    import PushSimulationServer
#endif

/// The last chapter of the demo: `pushctl outbox run` is killed in the middle of a campaign, and another one finishes it.
enum KilledWorker {
    #if SQLite
        private static let (appKey, secret) = ("0123456789abcdef01234567", "simulator0simulator0only")
        private static let text = "Everything is half price until Sunday"
        /// Enough phones for six requests.
        private static let phones = (0..<6_000).map { DeviceID("190e35f7e0a\(10_000_000 + $0)") }

        static func run() async throws -> [StoryStep] {
            let folder = FileManager.default.temporaryDirectory.appending(path: "pushctl-demo-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let simulator = JPushSimulator(
                appKey: appKey, masterSecret: secret, devices: phones.map { VirtualDevice($0.rawValue, .android) })
            let host = SimulatorHost(simulator)
            // The vendor answers two requests. It carries out every second one of the others, and answers none of them.
            host.faults.add(.actedThenLate(.milliseconds(1)), times: 2, path: "/push")
            for _ in 1...2 {
                host.faults.add(.silence, path: "/push")
                host.faults.add(.actedThenLate(.seconds(300)), path: "/push")
            }
            let jpush = try JPush(
                appKey: appKey, masterSecret: Secret(secret),
                dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
            let client = PushClient(jpush, transport: InProcessTransport(host))
            let store = folder.appending(path: "outbox.db").path()
            let outbox = PushOutbox(try SQLiteOutboxStore(path: store), routes: ["jpush": client])
            try await outbox.enqueue(
                Message(notification: Notification(title: "Shop", body: text)),
                to: [.audience(.devices(phones), at: "jpush")], as: "sale")

            return try await SimulationServer.withServer(host) { server in
                let config = folder.appending(path: "push.json")
                try Data(settings(server)).write(to: config)
                let arguments = ["outbox", "run", "--store", store, "--config", config.path()]
                let first = try start(arguments)
                let killed = try await wait(for: first) { try await hasAnswers(outbox) }
                kill(first.processIdentifier, SIGKILL)
                first.waitUntilExit()
                let left = try await outbox.progress(now: "sale")
                host.faults.removeAll()
                let second = try start(arguments + ["--until-idle"])
                _ = try await wait(for: second) { false }
                let ended = try await outbox.progress(now: "sale")
                return [try await step(simulator, left, ended, isRight: killed && second.terminationStatus == 0)]
            }
        }

        /// The settings of the worker, as a person would write them.
        private static func settings(_ server: SimulationServer) -> [UInt8] {
            let jpush: JSONValue = [
                "appKey": .string(appKey), "masterSecret": .string(secret), "origin": .string(server.origin),
            ]
            let route: JSONValue = [
                "vendor": "jpush", "jpush": jpush, "caFile": .string(server.caFile ?? ""), "attemptSeconds": 300,
                "deadlineSeconds": 600,
            ]
            return JSONWriter.bytes(of: .object(["routes": ["jpush"], "jpush": route]))
        }

        private static func start(_ arguments: [String]) throws -> Process {
            let process = Process()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PUSHBRIDGE_") }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }

        /// Waits until a condition holds, and returns true; false if the process ends first. Kills the process after four
        /// minutes: a busy machine is slow.
        private static func wait(for process: Process, until isDone: () async throws -> Bool) async throws -> Bool {
            let end = ContinuousClock.now + .seconds(240)
            while process.isRunning {
                if try await isDone() { return true }
                if ContinuousClock.now > end { kill(process.processIdentifier, SIGKILL) }
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }

        /// Whether the file shows that the first requests were answered, and that others are in flight.
        private static func hasAnswers(_ outbox: PushOutbox) async throws -> Bool {
            let progress = try await outbox.progress(now: "sale")
            return progress.accepted == 2_000 && progress.targets[.openAgain] == 4_000
        }

        private static func step(
            _ simulator: JPushSimulator, _ left: CampaignProgress, _ ended: CampaignProgress, isRight: Bool
        ) async throws -> StoryStep {
            var (once, twice) = (0, 0)
            for phone in phones {
                let count = await simulator.inbox(of: phone.rawValue).count { $0.alert == text }
                if count == 1 { once += 1 }
                if count > 1 { twice += 1 }
            }
            let isWhole = once == phones.count && ended.accepted == phones.count && ended.state == .finished
            return StoryStep(
                title: "A worker is killed in the middle of a campaign, and another one finishes it",
                isRight: isRight && isWhole && twice == 0,
                facts: [
                    ("accepted, when it was killed", JSONValue(left.accepted)),
                    ("on their way, when it was killed", JSONValue(left.targets[.openAgain] ?? 0)),
                    ("accepted in the end", JSONValue(ended.accepted)), ("unknown", JSONValue(ended.unknown)),
                    ("phones with the message", JSONValue(once)), ("phones that got it twice", JSONValue(twice)),
                ])
        }
    #else
        /// This pushctl is built without the outbox.
        static func run() async throws -> [StoryStep] { [] }
    #endif
}
