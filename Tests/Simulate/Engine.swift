import Foundation
import PushAdapter
import PushOutbox
import PushOutboxSQLite
import PushSimulation
import PushSimulationTesting

/// The store of a world's outbox.
enum Engine: Sendable {
    case server(SimulatedDatabase)
    case file(SimulatedFile)

    /// The store, as a process sees it.
    func store(of process: SimulatedProcess) async throws -> any OutboxStore {
        switch self {
        case .server(let database): database.session(of: process)
        case .file(let file): try await file.store(of: process)
        }
    }

    func setWeather(_ weather: SimulatedDatabase.Weather) {
        if case .server(let database) = self { database.setWeather(weather) }
    }

    /// What workers never gave back. In a file, no answer is lost.
    var forgotten: [String] { if case .server(let database) = self { database.forgotten } else { [] } }

    func remove() { if case .file(let file) = self { file.remove() } }
}

/// A real SQLite file. When a process ends, its open files close, as on a real system.
final class SimulatedFile: Sendable {
    private let simulation: Simulation
    private let folder: URL
    /// Each run has its own file, because a failed run closes nothing.
    private let number: Int
    private static let lastNumber = Locked(0)

    init(_ simulation: Simulation) {
        self.simulation = simulation
        number = Self.lastNumber.withLock { last in
            last += 1
            return last
        }
        folder = FileManager.default.temporaryDirectory.appending(
            path: "simulate-\(ProcessInfo.processInfo.processIdentifier)")
    }

    func store(of process: SimulatedProcess) async throws -> any OutboxStore {
        let path = folder.appending(path: "outbox-\(number).db").path
        let store = try await simulation.outside { [folder] in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try SQLiteOutboxStore(path: path)
        }
        process.leave { [simulation] in
            await process.untilEnd()
            try? await simulation.outside { try store.close() }
        }
        return OutsideStore(store, for: process)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// The same world over a file.
struct FileWorld: FocusedWorld {
    static let name = "file"

    let world: OutboxWorld
    init(_ world: OutboxWorld) { self.world = world }

    static func focus(_ world: inout OutboxWorld, _ random: inout SplitMix) {
        world.isInFile = true
        world.machines = [world.machines[0]]
        // All processes are on one machine and share its clock, and no connection to the store is lost.
        world.incidents = world.incidents.compactMap { incident in
            var incident = incident
            switch incident.kind {
            case .kill: incident.kind = .kill(0)
            case .pause(_, let time): incident.kind = .pause(0, time)
            case .setClock(_, let lead): incident.kind = .setClock(0, lead)
            case .stop: incident.kind = .stop(0)
            case .database: return nil
            default: break
            }
            return incident
        }
        for index in world.trips.indices {
            world.trips[index].machine = 0
            // No process can take over from one that still holds the lock.
            if case .takeover = world.trips[index].event { world.trips[index].event = .kill }
        }
        // The machine is off for a long time, and its clock is set back by as much.
        if random.chance(0.3) {
            world.useKeys(&random)
            let time = random.duration(0...500) + world.sales[0].start
            world.incidents.append(.init(time: world.sales[0].start, kind: .network(random.duration(500...5_000))))
            world.incidents.append(.init(time: time, kind: .blackout(.seconds(100_000))))
            world.incidents.append(.init(time: time + .seconds(1), kind: .setClock(0, .seconds(-100_000))))
        }
    }
}
