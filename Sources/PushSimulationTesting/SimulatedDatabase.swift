import FoundationEssentials
import PushAdapter
public import PushOutbox

/// A server of a simulation that keeps an outbox, as PostgreSQL does: several processes work on it at once, each with a session of
/// its own, and workers are there as long as they renew their claim by the server's clock.
public final class SimulatedDatabase: Sendable {
    /// What goes wrong between a process and the server.
    public struct Weather: Sendable {
        /// The longest usual way of a statement, or of its answer.
        public var latency = Duration.milliseconds(5)
        /// The probability that a statement does not arrive.
        public var lostStatements = 0.0
        /// The probability that it has its effect, and no answer comes back.
        public var lostAnswers = 0.0
        /// The probability that the way takes seconds.
        public var delays = 0.0

        /// A good connection.
        public init() {}
    }

    struct Claim {
        var end: Duration
        let host: String
    }

    struct Server {
        var claims: [Int64: Claim] = [:]
        var planners: [Int64: Int64] = [:]
        var loaders: [Int64: SimulatedProcess] = [:]
    }

    /// How long a worker that does not renew its claim keeps it.
    public let workerLife: Duration
    let rows = MemoryOutboxStore()
    let server = Locked(Server())
    let simulation: Simulation
    private let weather = Locked(Weather())

    /// An empty database.
    public init(_ simulation: Simulation, workerLife: Duration = .seconds(30)) {
        (self.simulation, self.workerLife) = (simulation, workerLife)
    }

    /// The connections from now on.
    public func setWeather(_ weather: Weather) { self.weather.withLock { $0 = weather } }

    var now: Duration { simulation.clock.elapsed }
    var currentWeather: Weather { weather.withLock { $0 } }

    /// The store, as a process sees it.
    public func session(of process: SimulatedProcess) -> any OutboxStore {
        SimulatedSession(database: self, process: process)
    }
}
