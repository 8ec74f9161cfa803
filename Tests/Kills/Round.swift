import Foundation
import Glibc
import PostgresServer
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationServer

/// One vendor on one engine: runs campaign after campaign until enough workers were killed.
struct Round {
    /// The results of a round.
    struct Result {
        let vendor: KilledVendor
        let engine: Engine
        var kills = 0
        /// Workers that were stopped for longer than `Engine.life`.
        var stops = 0
        var campaigns = 0
        var accepted = 0
        var unknown = 0
        var unknownArrived = 0
        /// Slices that a person had to resume, because they were being sent alone at three kills.
        var quarantined = 0
        var violations: [String] = []
        var seconds = 0.0

        var line: String {
            """
            \(vendor.name) on \(engine.rawValue): \(kills) kills, \(stops) stops, \(campaigns) campaigns, \(accepted) accepted, \(unknown) unknown \
            (\(unknownArrived) of them arrived), \(quarantined) quarantined, \(violations.count) violations, \(Int(seconds)) s
            """
        }
    }

    /// A round that takes longer than this has failed.
    private static let longest = Duration.seconds(600)

    let vendor: KilledVendor
    let engine: Engine
    let kills: Int
    var random: SplitMix

    mutating func run() async throws -> Result {
        let (simulator, simulated) = try vendor.simulated()
        let host = SimulatorHost(simulator)
        let folder = FileManager.default.temporaryDirectory.appending(path: "kills-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = try await engine.place(in: folder, of: vendor)
        let store = try await engine.open(place, of: vendor)
        let (vendor, engine, kills, random) = (vendor, engine, kills, Locked(random))
        return try await SimulationServer.withServer(host) { server in
            let access = try Access.write(simulated, server.origin, server.caFile, in: folder)
            let provider = try vendor.provider(Access(contentsOf: access.path()))
            let scene = Scene(vendor: vendor, hasKeys: provider.hasKeys, simulator: simulator, store: store)
            let areEnough = Locked(false)
            let disturbing = Task {
                while !Task.isCancelled {
                    host.faults.removeAll()
                    // The last worker is left alone. Otherwise its last requests would get every fault.
                    guard !areEnough.withLock({ $0 }) else { return }
                    let fault: Fault = Bool.random() ? .actedThenLost : .actedThenLate(.milliseconds(300))
                    host.faults.add(fault)
                    try? await Task.sleep(for: provider.lostEvery)
                }
            }
            defer { disturbing.cancel() }
            var result = Result(vendor: vendor, engine: engine)
            let start = ContinuousClock.now
            while result.kills < kills {
                result.campaigns += 1
                let arguments = [
                    "work", vendor.name, access.path(), engine.rawValue, place, String(result.campaigns),
                ]
                var workers = try (0..<engine.workers).map { _ in try Worker(arguments) }
                defer { for worker in workers { worker.end() } }
                while workers.contains(where: \.isRunning) {
                    let moment = random.withLock { Int.random(in: 50...1_500, using: &$0) } / engine.workers
                    let end = ContinuousClock.now + .milliseconds(moment)
                    while workers.contains(where: \.isRunning), ContinuousClock.now < end {
                        try await Task.sleep(for: .milliseconds(2))
                    }
                    guard ContinuousClock.now - start < Self.longest else {
                        result.violations.append("not done after \(Self.longest)")
                        return result
                    }
                    let number = random.withLock { Int.random(in: workers.indices, using: &$0) }
                    // After the last kill, the workers may finish.
                    guard result.kills < kills, workers[number].isRunning else {
                        result.quarantined += try await scene.resume(result.campaigns)
                        continue
                    }
                    if engine.workers > 1, random.withLock({ Int.random(in: 0..<4, using: &$0) }) == 0 {
                        result.stops += workers[number].stop(for: Engine.life * 1.5) ? 1 : 0
                        continue
                    }
                    guard workers[number].end() else { continue }
                    result.kills += 1
                    areEnough.withLock { $0 = result.kills >= kills }
                    result.quarantined += try await scene.resume(result.campaigns)
                    workers[number] = try Worker(arguments)
                }
                for status in workers.compactMap(\.status) where status != 0 {
                    result.violations.append("a worker ended with status \(status)")
                }
                try await scene.check(result.campaigns, &result)
            }
            if result.unknown > (result.kills + result.stops) * provider.mostUnknown {
                result.violations.append("more are unknown than were on their way")
            }
            result.seconds = Double((ContinuousClock.now - start).components.seconds)
            return result
        }
    }
}

/// The parts of a round that show what happened.
private struct Scene {
    let vendor: KilledVendor
    let hasKeys: Bool
    let simulator: any ObservableSimulator
    let store: any OutboxStore

    /// Resumes quarantined slices, as a person would. Returns their number.
    func resume(_ campaign: Int) async throws -> Int {
        let outbox = PushOutbox(store, routes: [:])
        var quarantined = 0
        // The worker may have been killed before it enqueued anything.
        if try await outbox.campaigns().contains(where: { $0.name == Campaigns.name(campaign) && $0.state == .active })
        {
            quarantined = try await outbox.progress(now: Campaigns.name(campaign)).slices[.quarantined] ?? 0
            if quarantined > 0 { try await outbox.resume(Campaigns.name(campaign)) }
        }
        return quarantined
    }

    /// Compares a campaign's report with the messages that the phones got.
    func check(_ campaign: Int, _ result: inout Round.Result) async throws {
        let outbox = PushOutbox(store, routes: [:])
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
                if hasKeys { result.violations.append("phone \(number) is unknown in spite of keys") }
            case let other?:
                result.violations.append("phone \(number) is \(other) and got \(count)")
            }
        }
    }
}

/// A worker process.
private final class Worker: Sendable {
    private let process: ChildProcess
    private let isStopped = Locked(false)

    init(_ arguments: [String]) throws {
        process = try ChildProcess(URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, arguments)
    }

    var isRunning: Bool { process.isRunning }
    /// The exit status; nil while it runs.
    var status: Int32? { process.status }

    /// Kills the process. Returns false if it had already ended.
    @discardableResult
    func end() -> Bool {
        guard process.isRunning else { return false }
        process.send(SIGKILL)
        while process.isRunning { usleep(2_000) }
        return process.status == SIGKILL
    }

    /// Stops the process for a time, like a machine that runs out of memory. Returns false if it is already stopped.
    func stop(for time: Duration) -> Bool {
        guard
            !isStopped.withLock({ isStopped in
                defer { isStopped = true }
                return isStopped
            })
        else { return false }
        process.send(SIGSTOP)
        Task {
            try? await Task.sleep(for: time)
            process.send(SIGCONT)
            isStopped.withLock { $0 = false }
        }
        return true
    }
}
