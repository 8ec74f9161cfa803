import ArgumentParser
import Foundation
import PushSimulation
import PushSimulationTesting

/// Plays worlds by seed, and looks for one in which a promise does not hold.
@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Plays worlds by seed in virtual time, and ends with status 1 if a promise did not hold.",
        subcommands: [Play.self, Search.self], defaultSubcommand: Search.self)

    static let worlds: [any World.Type] = [OutboxWorld.self]
}

/// The world that is meant.
struct WorldChoice: ParsableArguments {
    @Option(help: "Only this world: \(Simulate.worlds.map { $0.name }.joined(separator: ", ")).")
    var world: String?

    func chosen() throws -> [any World.Type] {
        guard let world else { return Simulate.worlds }
        let found = Simulate.worlds.filter { $0.name == world }
        guard !found.isEmpty else { throw ValidationError("there is no world \(world)") }
        return found
    }
}

/// Plays one seed, or several one after the other in this process.
struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays one seed, and tells the story.")

    @OptionGroup var choice: WorldChoice

    @Option(help: "The seed.")
    var seed: UInt64

    @Option(help: "How many seeds, from this one on. Of several, only those that fail are told.")
    var count: UInt64 = 1

    @Flag(help: "Looks for the smallest world that fails in the same way.")
    var shrink = false

    func validate() throws {
        // Each process has its own order of sets and dictionaries otherwise.
        guard ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == "1" else {
            throw ValidationError("set SWIFT_DETERMINISTIC_HASHING=1, so that the same seed has the same order")
        }
    }

    func run() throws {
        for world in try choice.chosen() { try play(world) }
    }

    private func play(_ world: (some World).Type) throws {
        for seed in seed..<seed + count {
            print("> \(world.name) \(seed)")
            do throws(Simulation.Failure) {
                let run = try world.run(seed: seed)
                if count == 1 { print(run.story.joined(separator: "\n")) }
                print("= \(world.name) \(seed) \(String(run.trace, radix: 16)) \(run.jobs) jobs, \(run.time)")
            } catch {
                let failure = error
                print("! \(world.name) \(seed) \(failure.reason)")
                guard count == 1 else { continue }
                var random = SplitMix(seed: seed)
                print("\(world.init(drawnWith: &random))\n\(failure.story.joined(separator: "\n"))\n\(failure.reason)")
                guard shrink, let smallest = world.shrunk(seed: seed) else { continue }
                let (small, smallFailure) = smallest
                print("\nthe smallest world that fails:\n\(small)\n\(smallFailure.story.joined(separator: "\n"))")
                print(smallFailure.reason)
            }
        }
    }
}

/// Plays many seeds in processes of their own.
struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays many seeds, in several processes.")

    @OptionGroup var choice: WorldChoice

    @Option(help: "How many seeds of each world.")
    var seeds: UInt64 = 1_000

    @Option(help: "The first seed.")
    var from: UInt64 = 1

    @Option(help: "Plays seeds for so long instead.")
    var minutes: Double?

    func run() throws {
        print("not yet")
    }
}
