import ArgumentParser
import Foundation
import PushAdapter
import PushSimulation
import PushSimulationTesting

/// Plays worlds by seed, and looks for a world that breaks a promise.
@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Plays worlds by seed in virtual time, and ends with status 1 if a promise did not hold.",
        subcommands: [Play.self, Search.self, Hunt.self, Breaches.self], defaultSubcommand: Search.self)

    static let worlds: [any World.Type] = [
        OutboxWorld.self, TakeoverWorld.self, NightWorld.self, BadDatabaseWorld.self, FileWorld.self,
        ClientWorld.self, QuotaWorld.self, BadHeadWorld.self, DeviceWorld.self, RouterWorld.self,
    ]

    static func main() {
        OpenSSLNumbers.followSeed()
        main(nil)
    }
}

/// The chosen world.
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

/// Plays one seed, or several in a row in this process.
struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays one seed, and tells the story.")

    @OptionGroup var choice: WorldChoice

    @Option(help: "The seed.")
    var seed: UInt64

    @Option(help: "How many seeds, from this one on. Of several, only those that fail are told.")
    var count: UInt64 = 1

    @Flag(help: "Ends with the first seed that fails.")
    var once = false

    @Flag(help: "Looks for the smallest world that still fails.")
    var shrink = false

    func validate() throws {
        // Otherwise each process orders sets and dictionaries differently.
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
            fflush(nil)
            do throws(Simulation.Failure) {
                let run = try world.run(seed: seed)
                if count == 1 { print(run.story.joined(separator: "\n")) }
                print("= \(world.name) \(seed) \(String(run.trace, radix: 16)) \(run.jobs) jobs, \(run.time)")
            } catch {
                let failure = error
                print("! \(world.name) \(seed) \(failure.reason)")
                if once { throw ExitCode(1) }
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

/// Plays many seeds in separate processes: the memory of a world's killed processes is never freed, and a crash ends
/// only one process.
struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays many seeds, in several processes.")

    @OptionGroup var choice: WorldChoice

    @Option(help: "How many seeds of each world.")
    var seeds: UInt64 = 1_000

    @Option(help: "The first seed.")
    var from: UInt64 = 1

    @Option(help: "Goes on for so many minutes instead.")
    var minutes: Double?

    @Option(help: "Ends after so many failures.")
    var failures = 10

    /// The next seeds of each world.
    private struct Work {
        var next: [(world: String, batch: UInt64, seed: UInt64)]
        var end: UInt64?
        var turn = 0
        let stopsAt: Date?
        var played = [String: (count: Int, jobs: Int)]()
        var failures = [String]()

        mutating func take(failuresAllowed: Int) -> (world: String, seed: UInt64, count: UInt64)? {
            guard failures.count < failuresAllowed, stopsAt.map({ Date() < $0 }) ?? true else { return nil }
            for _ in next.indices {
                turn = (turn + 1) % next.count
                let (world, batch, seed) = next[turn]
                let count = min(batch, (end ?? .max) - seed)
                guard count > 0 else { continue }
                next[turn].seed += count
                return (world, seed, count)
            }
            return nil
        }
    }

    func run() throws {
        let worlds = try choice.chosen()
        let start = Date()
        let work = Locked(
            Work(
                next: worlds.map { ($0.name, $0.seedsPerProcess, from) }, end: minutes == nil ? from + seeds : nil,
                stopsAt: minutes.map { start.addingTimeInterval($0 * 60) }))
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            while let batch = work.withLock({ $0.take(failuresAllowed: failures) }) {
                let output = Self.play(batch.world, batch.seed, batch.count)
                var said = Self.failures(in: output, of: batch.world)
                // Plays the last seed again, alone in another process: the same seed must give the same run.
                let last = batch.seed + batch.count - 1
                let again = Self.play(batch.world, last, 1).last { $0.hasPrefix("= ") || $0.hasPrefix("! ") }
                if let again, !output.contains(again) {
                    said.append(("\(last)", "\(batch.world) \(last) is another run the second time: \(again)"))
                }
                for failure in said {
                    print("\(failure.what)\n    scripts/simulate.sh --world \(batch.world) --seed \(failure.seed)")
                    fflush(nil)
                }
                let jobs = output.lazy.filter { $0.hasPrefix("= ") }
                    .compactMap { $0.split(separator: " ").dropFirst(4).first.flatMap { Int($0) } }.reduce(0, +)
                work.withLock { work in
                    work.failures += said.map(\.what)
                    work.played[batch.world, default: (0, 0)].count += Int(batch.count)
                    work.played[batch.world, default: (0, 0)].jobs += jobs
                }
            }
        }
        let time = Date().timeIntervalSince(start)
        let (played, failed) = work.withLock { ($0.played, $0.failures.count) }
        for (world, sum) in played.sorted(by: { $0.key < $1.key }) {
            let rate = Int(Double(sum.count) / time)
            print("\(world): \(sum.count) seeds, \(rate) a second, \(sum.jobs / max(1, sum.count)) jobs each")
        }
        print("\(failed) failures in \(Int(time)) s")
        if failed > 0 { throw ExitCode(1) }
    }

    /// Plays seeds in a separate process and returns its lines about each.
    fileprivate static func play(_ world: String, _ seed: UInt64, _ count: UInt64, _ flags: [String] = []) -> [String] {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["play", "--world", world, "--seed", "\(seed)", "--count", "\(count)"] + flags
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        process.standardOutput = output
        do { try process.run() } catch { return ["! \(world) \(seed) cannot be played: \(error)"] }
        let bytes = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        if process.terminationReason == .uncaughtSignal, let last = lines.last(where: { $0.hasPrefix("> ") }) {
            lines.append("! \(last.dropFirst(2)) ends the process with signal \(process.terminationStatus)")
        }
        return lines
    }

    fileprivate static func failures(in output: [String], of world: String) -> [(seed: String, what: String)] {
        output.filter { $0.hasPrefix("! ") }.map { line in
            let seed = line.split(separator: " ").dropFirst(2).first.map(String.init) ?? ""
            return (seed, String(line.dropFirst(2)))
        }
    }
}

/// Counts the seeds until one fails, from several starts, to measure how soon a planted mistake is found.
struct Hunt: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the seeds until one fails, and ends with status 1 if none does.")

    @Option(help: "The world.")
    var world: String

    @Option(help: "From how many seeds it starts.")
    var starts = 10

    @Option(help: "How many seeds it plays from each start at most.")
    var most: UInt64 = 10_000

    /// The number of seeds that one process plays.
    private static let batch: UInt64 = 50

    func run() throws {
        let found = Locked<[(count: UInt64?, what: String)]>([])
        DispatchQueue.concurrentPerform(iterations: starts) { number in
            let result = hunt(from: UInt64(number) * 1_000_000 + 1)
            found.withLock { $0.append(result) }
        }
        let results = found.withLock { $0 }
        let counts = results.compactMap(\.count).sorted()
        guard counts.count == starts else {
            print("found from \(counts.count) of \(starts) starts within \(most) seeds: \(counts)")
            throw ExitCode(1)
        }
        let example = results.min { ($0.count ?? 0, $0.what) < ($1.count ?? 0, $1.what) }?.what ?? ""
        print("\(counts[counts.count / 2]) seeds (\(counts[0]) to \(counts[counts.count - 1])): \(example)")
    }

    private func hunt(from start: UInt64) -> (count: UInt64?, what: String) {
        for seed in stride(from: start, to: start + most, by: Int(Self.batch)) {
            let output = Search.play(world, seed, Self.batch, ["--once"])
            guard let failure = Search.failures(in: output, of: world).first, let found = UInt64(failure.seed) else {
                continue
            }
            return (found - start + 1, failure.what)
        }
        return (nil, "")
    }
}
