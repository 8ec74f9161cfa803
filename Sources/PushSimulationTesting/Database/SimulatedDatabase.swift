import FoundationEssentials
import PushAdapter
public import PushOutbox

/// A simulated server that stores an outbox, as PostgreSQL does. Several processes work on it at once, each with its
/// own session. A worker counts as alive while it renews its claim, by the server's clock.
public final class SimulatedDatabase: Sendable {
    /// Faults between a process and the server.
    public struct Weather: Sendable {
        /// The longest usual time for a statement or its answer to arrive.
        public var latency = Duration.milliseconds(5)
        /// The probability that a statement does not arrive.
        public var lostStatements = 0.0
        /// The probability that a statement has its effect, but its answer is lost.
        public var lostAnswers = 0.0
        /// The probability that a statement or its answer takes seconds.
        public var delays = 0.0

        /// A good connection.
        public init() {}
    }

    struct Claim {
        var end: Duration
        let host: String
    }

    struct Lease {
        let epoch: Int
        let routes: [RouteName]
    }

    struct Server {
        var claims: [Int64: Claim] = [:]
        /// The leases of each worker whose answers have not come to it.
        var unanswered: [Int64: [SliceRow.ID: Lease]] = [:]
        var forgotten: [String] = []
        var planners: [Int64: Int64] = [:]
        var loaders: [Int64: SimulatedProcess] = [:]
    }

    /// How long a claim lasts without a renewal.
    public let workerLife: Duration
    let rows = MemoryOutboxStore()
    let server = Locked(Server())
    let simulation: Simulation
    private let weather = Locked(Weather())

    /// An empty database.
    public init(_ simulation: Simulation, workerLife: Duration = .seconds(30)) {
        (self.simulation, self.workerLife) = (simulation, workerLife)
    }

    /// Sets the weather of all connections from now on.
    public func setWeather(_ weather: Weather) { self.weather.withLock { $0 = weather } }

    var now: Duration { simulation.clock.elapsed }
    var currentWeather: Weather { weather.withLock { $0 } }

    /// Returns a process's view of the store.
    public func session(of process: SimulatedProcess) -> any OutboxStore {
        SimulatedSession(database: self, process: process)
    }

    /// Breaches of a rule: a worker that lost the answer to a lease gives those slices back before it leases again at the
    /// same routes. A slice that it forgets waits for a minute.
    package var forgotten: [String] { server.withLock(\.forgotten) }

    /// - Parameter held: the slices that the worker has now.
    func noteForgotten(_ request: OutboxLease, held: () -> [SliceRow]) {
        let leases = server.withLock { $0.unanswered[request.worker] ?? [:] }
        guard !leases.isEmpty else { return }
        for slice in held() where slice.state == .leased {
            guard let lease = leases[slice.id], lease.epoch == slice.epoch, lease.routes == request.routes else {
                continue
            }
            let what = "worker \(request.worker) leases again, and has not given back \(slice.id) of a lost answer"
            simulation.tell("--- \(what)")
            server.withLock { $0.forgotten.append(what) }
        }
    }
}
