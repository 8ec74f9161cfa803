import Foundation
import Load

/// What a push to a browser costs, beside the library that Python's programs take.
struct WebPushTable {
    private let folder: Folder
    private let rounds: Int
    private let seconds: Double

    init(_ folder: Folder, rounds: Int, seconds: Double) {
        (self.folder, self.rounds, self.seconds) = (folder, rounds, seconds)
    }

    /// - Parameters:
    ///   - python: a Python with pywebpush; nil to measure only ours.
    ///   - parts: the program `webpush-parts`; nil to leave the parts out.
    func printAll(python: String?, parts: String?) throws {
        Progress.say("Web Push")
        print("\n## Web Push: a message encrypted for each of a hundred subscriptions\n")
        print("| program | pushes/s | CPU µs/push | CPU ÷ pywebpush | peak MiB |\n| --- | --- | --- | --- | --- |")
        var (ours, theirs): ([Measure], [Measure]) = ([], [])
        for _ in 0..<rounds {
            ours.append(try folder.measure("bench-webpush", ["encrypt", String(seconds)]))
            if let python { theirs.append(try Self.measure(python, seconds)) }
        }
        row("the adapter", ours, theirs)
        if !theirs.isEmpty { row("pywebpush", theirs, theirs) }
        guard let parts else { return }
        print("\n| part of a push | time |\n| --- | --- |")
        for line in try Command.run(parts, []).split(separator: "\n") {
            let part = try JSONDecoder().decode(WorkTime.self, from: Data(line.utf8))
            print("| \(part.name) | \(part.text) |")
        }
    }

    private static func measure(_ python: String, _ seconds: Double) throws -> Measure {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../python/webpush.py")
        let output = try Command.run(python, [script.path, String(seconds)])
        return try JSONDecoder().decode(Measure.self, from: Data(output.utf8))
    }

    /// Medians; the ratio is the median of the ratios of the rounds.
    private func row(_ name: String, _ runs: [Measure], _ base: [Measure]) {
        func cpu(_ run: Measure) -> Double { run.cpu / Double(run.requests) * 1e6 }
        let speed = runs.map { Double($0.requests) / $0.seconds }.median
        let ratio = base.isEmpty ? "–" : zip(runs, base).map { cpu($0) / cpu($1) }.median.rounded(2)
        let peak = runs.map { Double($0.peakKB) / 1024 }.median
        print("| \(name) | \(speed.whole) | \(runs.map(cpu).median.rounded(1)) | \(ratio) | \(peak.rounded(1)) |")
    }
}
