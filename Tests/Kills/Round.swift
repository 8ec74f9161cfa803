import Foundation
import Glibc
import PushClient
import PushCore
import PushOutbox
import PushOutboxSQLite
import PushSimulation
import PushSimulationServer

/// One vendor: campaign after campaign, until enough workers were killed.
struct Round {
    /// What came of it.
    struct Result {
        let vendor: KilledVendor
        var kills = 0
        var campaigns = 0
        var accepted = 0
        var unknown = 0
        var unknownArrived = 0
        /// Slices that were being tried alone at three kills, which a person had to let go on.
        var held = 0
        var violations: [String] = []
        var seconds = 0.0

        var line: String {
            """
            \(vendor.rawValue): \(kills) kills, \(campaigns) campaigns, \(accepted) accepted, \(unknown) unknown \
            (\(unknownArrived) of them arrived), \(held) held, \(violations.count) violations, \(Int(seconds)) s
            """
        }
    }

    /// A request in this many is lost on its way back or comes late.
    private static let lostEvery = Duration.milliseconds(40)
    /// A round that takes longer has failed.
    private static let longest = Duration.seconds(600)

    let vendor: KilledVendor
    let kills: Int
    var random: SplitMix

    mutating func run() async throws -> Result {
        let (simulator, keyFile) = try vendor.simulator()
        let host = SimulatorHost(simulator)
        let folder = FileManager.default.temporaryDirectory.appending(path: "kills-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appending(path: "key.json").path()
        try Data(keyFile).write(to: URL(filePath: key))
        let store = folder.appending(path: "outbox.db").path()
        let (vendor, kills, random) = (vendor, kills, Locked(random))
        return try await SimulationServer.withServer(host) { server in
            let areEnough = Locked(false)
            let disturbing = Task {
                while !Task.isCancelled {
                    host.faults.removeAll()
                    // The last worker is left in peace, or its last requests would get every fault.
                    guard !areEnough.withLock({ $0 }) else { return }
                    let fault: Fault = Bool.random() ? .actedThenLost : .actedThenLate(.milliseconds(300))
                    host.faults.add(fault)
                    try? await Task.sleep(for: Self.lostEvery)
                }
            }
            defer { disturbing.cancel() }
            var result = Result(vendor: vendor)
            let start = ContinuousClock.now
            while result.kills < kills {
                result.campaigns += 1
                let arguments = [
                    "work", vendor.rawValue, server.origin, server.caFile ?? "", key, store,
                    String(result.campaigns),
                ]
                while !(try await Self.worked(arguments, random, upTo: kills, &result)) {
                    result.held += try await Self.resume(result.campaigns, store)
                    areEnough.withLock { $0 = result.kills >= kills }
                    guard ContinuousClock.now - start < Self.longest else {
                        result.violations.append("not done after \(Self.longest)")
                        return result
                    }
                }
                try await Self.check(result.campaigns, vendor, simulator, store, &result)
            }
            result.seconds = Double((ContinuousClock.now - start).components.seconds)
            return result
        }
    }

    /// Starts a worker and kills it at a random moment; true if it had finished before.
    private static func worked(
        _ arguments: [String], _ random: Locked<SplitMix>, upTo kills: Int, _ result: inout Result
    ) async throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        try process.run()
        // After the last kill, it may finish.
        let moment = result.kills == kills ? 120_000 : random.withLock { Int.random(in: 50...1_500, using: &$0) }
        let end = ContinuousClock.now + .milliseconds(moment)
        while process.isRunning, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
        let isKilled = process.isRunning
        if isKilled { kill(process.processIdentifier, SIGKILL) }
        while process.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        if isKilled, process.terminationReason == .uncaughtSignal {
            result.kills += 1
            return false
        }
        guard process.terminationStatus == 0 else {
            result.violations.append("a worker ended with status \(process.terminationStatus)")
            return true
        }
        return true
    }

    /// Does what a person does about held slices; returns how many there were.
    private static func resume(_ campaign: Int, _ store: String) async throws -> Int {
        let outbox = PushOutbox(try SQLiteOutboxStore(path: store), routes: [:])
        var held = 0
        // The worker may have been killed before it had enqueued anything.
        if try await outbox.campaigns().contains(where: { $0.name == Campaigns.name(campaign) && $0.state == .active })
        {
            held = try await outbox.progress(now: Campaigns.name(campaign)).slices[.held] ?? 0
            if held > 0 { try await outbox.resume(Campaigns.name(campaign)) }
        }
        return held
    }

    /// Compares the report of a campaign with what the phones got.
    private static func check(
        _ campaign: Int, _ vendor: KilledVendor, _ simulator: any ObservableSimulator, _ store: String,
        _ result: inout Result
    ) async throws {
        let outbox = PushOutbox(try SQLiteOutboxStore(path: store), routes: [:])
        let report = try await outbox.report(of: Campaigns.name(campaign))
        var statuses: [DeviceID: TargetStatus] = [:]
        for try await item in report.exceptions {
            if case .device(let id) = item.target { statuses[id] = item.status }
        }
        if report.progress.state != .finished || report.progress.open > 0 {
            result.violations.append("campaign \(campaign) is not finished: \(report.progress)")
        }
        for number in 0..<Campaigns.devices {
            let device = vendor.device(number)
            let inbox = await simulator.snapshot(of: device.rawValue)?.inbox ?? []
            let count = inbox.count { $0.alert == "campaign-\(campaign)" }
            if count > 1 { result.violations.append("phone \(number) got campaign \(campaign) \(count) times") }
            switch statuses[device] {
            case nil:
                result.accepted += 1
                if count != 1 { result.violations.append("phone \(number) is accepted and got nothing") }
            case .unknown:
                result.unknown += 1
                result.unknownArrived += count
                if vendor.hasKeys { result.violations.append("phone \(number) is unknown in spite of keys") }
            case let other?:
                result.violations.append("phone \(number) is \(other) and got \(count)")
            }
        }
    }
}
