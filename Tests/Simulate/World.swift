import PushSimulation
import PushSimulationTesting

/// A simulated world: its participants and the events. It is a value, so that smaller worlds can be tried.
protocol World: Sendable, CustomStringConvertible {
    /// The name for `--world`.
    static var name: String { get }
    /// The number of seeds per process. The memory of a world's killed processes is never freed, and a new process
    /// takes time to start.
    static var seedsPerProcess: UInt64 { get }
    /// Draws a world from a seed.
    init(drawnWith random: inout SplitMix)
    /// Worlds without some part of this one.
    var smaller: [Self] { get }
    /// Plays the world. Throws a ``Violation`` if a promise does not hold.
    func play(_ simulation: Simulation) async throws
    /// The limits of a run.
    var limits: Simulation.Limits { get }
}

extension World {
    static var seedsPerProcess: UInt64 { 500 }
    var limits: Simulation.Limits { Simulation.Limits() }

    /// Plays the world of a seed.
    static func run(seed: UInt64) throws(Simulation.Failure) -> Simulation.Run<Void> {
        var random = SplitMix(seed: seed)
        return try Self(drawnWith: &random).run(seed: seed)
    }

    func run(seed: UInt64) throws(Simulation.Failure) -> Simulation.Run<Void> {
        _ = Vendor.areReady
        return try Simulation.run(seed: seed, limits: limits) { try await play($0) }
    }

    /// The smallest world found that also fails, with its failure.
    static func shrunk(seed: UInt64) -> (world: Self, failure: Simulation.Failure)? {
        var random = SplitMix(seed: seed)
        var world = Self(drawnWith: &random)
        guard var failure = world.failure(seed: seed) else { return nil }
        var (runs, hasShrunk) = (0, true)
        while hasShrunk {
            hasShrunk = false
            for smaller in world.smaller where runs < 400 {
                runs += 1
                guard let other = smaller.failure(seed: seed) else { continue }
                (world, failure, hasShrunk) = (smaller, other, true)
                break
            }
        }
        return (world, failure)
    }

    private func failure(seed: UInt64) -> Simulation.Failure? {
        do {
            _ = try run(seed: seed)
            return nil
        } catch {
            return error
        }
    }
}

/// Worlds of another kind, in which certain events always happen. Among all worlds of that kind they are rare.
protocol FocusedWorld: World {
    associatedtype Base: World
    var world: Base { get }
    init(_ world: Base)
    /// Adds the events to a world.
    static func focus(_ world: inout Base, _ random: inout SplitMix)
}

extension FocusedWorld {
    static var seedsPerProcess: UInt64 { Base.seedsPerProcess }

    init(drawnWith random: inout SplitMix) {
        var world = Base(drawnWith: &random)
        Self.focus(&world, &random)
        self.init(world)
    }

    var description: String { "\(world)" }
    var smaller: [Self] { world.smaller.map(Self.init) }
    func play(_ simulation: Simulation) async throws { try await world.play(simulation) }
}

/// A broken promise.
struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Throws unless a condition holds.
func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(what()) }
}

extension Array {
    /// All arrays that lack one element of this one.
    var withoutOne: [[Element]] {
        indices.map { index in
            var fewer = self
            fewer.remove(at: index)
            return fewer
        }
    }
}

extension SplitMix {
    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    mutating func duration(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &self))
    }
}
