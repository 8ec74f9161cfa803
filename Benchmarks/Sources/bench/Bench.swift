import ArgumentParser
import Foundation
import Load
import PushAdapter

/// Runs the measured programs in turn and prints the tables.
@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures PushBridge against other programs, on this machine.",
        discussion:
            "Prints Markdown; progress goes to standard error. scripts/bench.sh prepares everything and runs it.")

    @Option(help: "Runs of each program in each case; the programs take turns.")
    var rounds = 5

    @Option(help: "Seconds of one run, after a warm-up of 0.3.")
    var seconds = 0.5

    @Option(help: "Only the tables and cases whose name contains this, such as 'HTTP/2' or 'million'.")
    var only: String?

    @Option(
        help: """
            The path of a Python with the packages jpush and pywebpush; without it, these libraries are not measured.
            """)
    var python: String?

    @Option(help: "The path of the program in the folder go, built; without it, Go is not measured.")
    var go: String?

    @Option(help: "The path of webpush-parts, built; without it, the parts of a push to a browser are not measured.")
    var webpushParts: String?

    func validate() throws {
        guard rounds > 0, seconds > 0 else { throw ValidationError("rounds and seconds must be more than 0") }
    }

    func run() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        print(
            """
            # Results

            Printed by `scripts/bench.sh`; what is measured, and how to read it, is in [README.md](README.md).

            - machine: \(Machine.processor), \(Machine.cores) cores, \(Machine.system)
            - software: \(Machine.software(hasGo: go != nil))
            - commit: \(Command.firstLine("git", ["rev-parse", "--short", "HEAD"]))
            - runs: \(rounds) of each program in each case, in turn, \(seconds) s each; medians
            """)
        if go == nil { print("- not measured: Go, because it or its module golang.org/x/net is not installed") }
        try printLoads(folder)
        try printFanOut(folder)
        if wants("pieces of work") { try printWorks(folder) }
        if wants("Web Push") {
            try WebPushTable(folder, rounds: rounds, seconds: seconds).printAll(python: python, parts: webpushParts)
        }
        if wants("a million ids") { try printMillion(folder) }
        if wants("a million pushes over APNs") { try printMillionPushes(folder) }
        if wants("the outbox") { try await OutboxTable(folder, rounds: rounds).printAll() }
    }

    private func wants(_ name: String) -> Bool { only.map { name.localizedCaseInsensitiveContains($0) } ?? true }

    private func printLoads(_ folder: Folder) throws {
        let cases = LoadCase.all.filter { wants($0.name) }
        guard !cases.isEmpty else { return }
        let server = try Nginx(folder)
        defer { server.stop() }
        let programs = LoadProgram.all(folder, python: python, go: go)
        var httpVersion: Int?
        for (index, one) in cases.enumerated() {
            Progress.say("case \(index + 1) of \(cases.count): \(one.name)")
            var table = LoadTable(one)
            if one.httpVersion != httpVersion {
                httpVersion = one.httpVersion
                print("\n## Under load, \(one.version)\n\n\(table.header)")
            }
            for _ in 0..<rounds {
                for program in programs where program.takes(one) {
                    table.add(program, try program.run(one, server, folder, seconds: seconds))
                }
            }
            print(table.rows)
        }
    }

    private func printFanOut(_ folder: Folder) throws {
        let cases = FanOutCase.all.filter { wants($0.name) }
        guard let first = cases.first else { return }
        let server = try Nginx(folder)
        defer { server.stop() }
        let files = try FanOutFiles(folder, server)
        let programs = LoadProgram.fanOut(folder, go: go)
        print("\n## APNs fan-out\n\n\(LoadTable(first).header)")
        for one in cases {
            Progress.say(one.name)
            var table = LoadTable(one)
            for _ in 0..<rounds {
                for program in programs {
                    table.add(program, try program.run(files.arguments(one, seconds: seconds), server))
                }
            }
            print(table.rows)
        }
    }

    private func printWorks(_ folder: Folder) throws {
        Progress.say("pieces of work")
        print("\n## Pieces of work\n\n| work | time |\n| --- | --- |")
        for line in try folder.output("bench-micro", []).split(separator: "\n") {
            let work = try JSONDecoder().decode(WorkTime.self, from: Data(line.utf8))
            print("| \(work.name) | \(work.text) |")
        }
    }

    private func printMillion(_ folder: Folder) throws {
        Progress.say("a million ids from a file")
        let file = try folder.write("devices", Sample.devices(1_000_000).map { "\($0.rawValue)\n" }.joined())
        for (title, arguments) in [
            ("A million ids from a file, planned, checked and encoded", [file]),
            ("A million ids from a file, a request for each, with a vendor in memory", [file, "fcm"]),
        ] {
            print("\n## \(title)\n")
            var runs: [Measure] = []
            for _ in 0..<rounds { runs.append(try folder.measure("bench-million", arguments)) }
            let speed = runs.map { Double($0.requests) / $0.seconds }.median
            let peak = runs.map { Double($0.peakKB) / 1024 }.median
            print(
                "\(speed.whole) ids a second, \(runs.map(\.cpu).median.rounded(2)) s of CPU, peak \(peak.rounded(1)) MiB."
            )
        }
    }

    private func printMillionPushes(_ folder: Folder) throws {
        Progress.say("a million pushes over APNs")
        let file = try folder.write("tokens", lines: 1_000_000, Sample.token)
        let server = try Nginx(folder)
        defer { server.stop() }
        let command = [folder.program("bench-million"), file, "apns"]
        let run = try LoadProgram(name: "bench-million", command: command).run([server.origin, server.caFile], server)
        print(
            """

            ## A million pushes over APNs, to a server on this machine

            \(run.perSecond.whole) pushes a second, \(run.measure.cpu.rounded(1)) s of CPU, \(run.cpu.rounded(1)) µs a \
            push, peak \(run.peak.rounded(1)) MiB, \(run.connections) connections. One run.
            """)
    }
}

extension WorkTime {
    var text: String {
        nanoseconds < 1000 ? "\(nanoseconds.whole) ns" : "\((nanoseconds / 1000).rounded(2)) µs"
    }
}
