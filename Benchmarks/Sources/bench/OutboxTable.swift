import Foundation
import Load
import PostgresServer

/// What an outbox costs over each of its stores, with a vendor in memory.
struct OutboxTable {
    private static let targets = 1_000_000
    private static let pushes = 100_000
    private static let delay = 50

    private let folder: Folder
    private let rounds: Int

    init(_ folder: Folder, rounds: Int) { (self.folder, self.rounds) = (folder, rounds) }

    func printAll() async throws {
        Progress.say("the outbox")
        let server = try await PostgresServer()
        print("\n## The outbox\n\n| work | store | speed | CPU s | peak MiB |\n| --- | --- | --- | --- | --- |")
        var (kept, sent): ([Store: [Measure]], [Store: [Measure]]) = ([:], [:])
        var (sizes, pushes): ([Double], [Store: [Measure]]) = ([], [:])
        for round in 0..<rounds {
            Progress.say("the outbox, round \(round + 1) of \(rounds)")
            for store in [Store.file, .database] {
                let place = try newPlace(store, server, "a\(round)")
                kept[store, default: []].append(try measure("enqueue", place, Self.targets))
                if store == .file { sizes.append(try size(of: place)) }
                sent[store, default: []].append(try measure("send", place, 0))
            }
            for store in [Store.memory, .file, .database] {
                let place = try newPlace(store, server, "b\(round)")
                pushes[store, default: []].append(try measure("pushes", place, Self.pushes, Self.delay))
            }
        }
        for store in [Store.file, .database] { row("keep a million ids", store, kept[store], "ids/s") }
        for store in [Store.file, .database] { row("send slices of a thousand ids", store, sent[store], "slices/s") }
        for store in [Store.memory, .file, .database] {
            row("a push for each id, answered after \(Self.delay) ms", store, pushes[store], "pushes/s")
        }
        row(
            "keep ten million ids, once", .file,
            [try measure("enqueue", try newPlace(.file, server, "c"), 10 * Self.targets)], "ids/s")
        for store in [Store.file, .database] {
            let times = try waits("wake", try newPlace(store, server, "d"), 200)
            print(
                "| from `enqueue` to the first byte | \(store.rawValue) | median \(times[0].whole) ms, p99 \(times[1].whole) ms | | |"
            )
        }
        // Over PostgreSQL a worker counts as ended after 30 seconds.
        for (store, deaths) in [(Store.file, 20), (.database, 3)] {
            let times = try waits("recover", try newPlace(store, server, "e"), deaths)
            print(
                "| from the end of a worker to the first byte of the next one | \(store.rawValue) | median \(times[0].whole) ms, "
                    + "longest of \(deaths) \(times[1].whole) ms | | |")
        }
        let bytes = Double(Self.targets * Sample.device(0).utf8.count)
        print("\nIn the file, a million ids take \((sizes.median / bytes).rounded(2)) times their bytes.")
        if let inFile = ratio(pushes[.memory], pushes[.file]),
            let inDatabase = ratio(pushes[.memory], pushes[.database])
        {
            print(
                "A push takes \(inFile) times as long as with a store in memory over the file, \(inDatabase) over PostgreSQL."
            )
        }
    }

    private enum Store: String {
        case memory
        case file = "SQLite, FULL"
        case database = "PostgreSQL"
    }

    /// A new store.
    private func newPlace(_ store: Store, _ server: PostgresServer, _ name: String) throws -> String {
        switch store {
        case .memory: return "memory"
        case .file: return "\(folder.path)/\(name).db"
        case .database:
            _ = try Command.run("/usr/bin/env", ["createdb", "-h", server.folder, "-U", "push", name])
            return "host=\(server.folder) user=push dbname=\(name)"
        }
    }

    private func measure(_ mode: String, _ place: String, _ numbers: Int...) throws -> Measure {
        try folder.measure("bench-outbox", [mode, place] + numbers.map(String.init))
    }

    /// The median and the longest of some waits, or of many the 99th percentile.
    private func waits(_ mode: String, _ place: String, _ count: Int) throws -> [Double] {
        try JSONDecoder().decode(
            [Double].self, from: Data(try folder.output("bench-outbox", [mode, place, String(count)]).utf8))
    }

    /// Of the file, without its log, whose pages the next checkpoint moves into it.
    private func size(of file: String) throws -> Double {
        Double(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
    }

    private func row(_ work: String, _ store: Store, _ runs: [Measure]?, _ unit: String) {
        let runs = runs ?? []
        let speed = runs.map { Double($0.requests) / $0.seconds }.median
        let peak = runs.map { Double($0.peakKB) / 1024 }.median
        print(
            "| \(work) | \(store.rawValue) | \(speed.whole) \(unit) | \(runs.map(\.cpu).median.rounded(2)) | "
                + "\(peak.rounded(1)) |")
    }

    /// The median of the ratios of the rounds.
    private func ratio(_ base: [Measure]?, _ runs: [Measure]?) -> String? {
        guard let base, let runs else { return nil }
        return zip(base, runs).map { $1.seconds / $0.seconds }.median.rounded(3)
    }
}
