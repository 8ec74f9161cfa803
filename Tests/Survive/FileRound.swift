import Foundation
import PushAdapter

/// The damage to an outbox's file while a worker uses it.
enum FileHarm: CaseIterable {
    case moved, removed, replaced, movedWithAll, cut, logRemoved, logMoved, logCut, lockRemoved

    /// Whether the damage can be undone, so that the campaign continues.
    var isUndone: Bool { self == .moved || self == .movedWithAll }

    private static let files = ["", "-wal", "-shm", "-lock"]

    /// - Parameter share: the share of a file that remains after a cut.
    func happen(to path: String, share: Double) throws {
        let files = FileManager.default
        func move(_ name: String) throws { try files.moveItem(atPath: path + name, toPath: path + "-away" + name) }
        func cut(_ name: String) throws {
            let file = try FileHandle(forUpdating: URL(filePath: path + name))
            defer { try? file.close() }
            try file.truncate(atOffset: UInt64(Double(try file.seekToEnd()) * share))
        }
        switch self {
        case .moved: try move("")
        case .removed: try files.removeItem(atPath: path)
        case .replaced:
            try move("")
            try files.copyItem(atPath: path + "-away", toPath: path)
        case .movedWithAll: for name in Self.files { try move(name) }
        case .cut: try cut("")
        case .logRemoved: try files.removeItem(atPath: path + "-wal")
        case .logMoved: try move("-wal")
        case .logCut: try cut("-wal")
        case .lockRemoved: try files.removeItem(atPath: path + "-lock")
        }
    }

    func undo(_ path: String) throws {
        for name in self == .moved ? [""] : Self.files where access(path + "-away" + name, F_OK) == 0 {
            if access(path + name, F_OK) == 0 { try FileManager.default.removeItem(atPath: path + name) }
            try FileManager.default.moveItem(atPath: path + "-away" + name, toPath: path + name)
        }
    }
}

/// Damages an outbox's file under its worker. The worker ends with an error or continues, and nothing is sent twice.
struct FileRound {
    private static let longest = Duration.seconds(3)

    let world: World

    func run() async throws {
        let dice = world.dice
        let harm = dice.pick(FileHarm.allCases)
        let round = try OutboxRound("whose file is \(harm)", vendors: dice.happens(30) ? 2 : 1, in: world)
        let worker = try round.worker()
        let start = ContinuousClock.now
        // Waits until the worker has sent a request.
        while round.sites.allSatisfy({ $0.vendor.facts.withLock { $0.acted.isEmpty } }),
            ContinuousClock.now < start + Self.longest
        {
            try await Task.sleep(for: .milliseconds(2))
        }
        try await Task.sleep(for: .milliseconds(dice.roll(0...100)))
        let isTooLate = await worker.wait(.zero)
        let isHarmed = (try? harm.happen(to: round.store, share: Double(dice.roll(0...99)) / 100)) != nil
        let hasGoneOn = !(await worker.wait(Self.longest))
        worker.kill()
        round.check(worker, mayFail: true)
        world.findings.state.withLock { state in
            let what =
                isTooLate || !isHarmed
                ? "too late"
                : hasGoneOn ? "the worker went on" : "the worker ended" + (worker.hasFailed ? " with an error" : "")
            state.outcomes["file \(harm): \(what)", default: 0] += 1
        }
        guard harm.isUndone || !isHarmed else {
            round.stop()
            // The notes may be gone with the file, so no other worker starts.
            round.compare(round.sites.map { _ in Claims() }, resent: round.plan.resends ? round.plan.count : 0)
            round.end()
            return
        }
        // Also after a failure, which may have left half of the damage.
        if harm.isUndone { try harm.undo(round.store) }
        await round.finish()
    }
}
