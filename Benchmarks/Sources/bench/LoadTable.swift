import Load

/// One run of one program.
struct LoadRun {
    var measure: Measure
    var connections: Int

    var perSecond: Double { Double(measure.requests) / measure.seconds }
    /// Microseconds of CPU for each request.
    var cpu: Double { measure.cpu / Double(measure.requests) * 1e6 }
    var peak: Double { Double(measure.peakKB) / 1024 }
}

/// The runs of one case and their medians.
struct LoadTable {
    private let name: String
    /// What the CPU of a request is compared with: the title of a column, and the program.
    private let references: [(title: String, program: String)]
    private var runs: [(program: String, command: [String], runs: [LoadRun])] = []

    init(_ one: LoadCase) {
        name = one.name
        references =
            [("ratio", LoadProgram.floor)]
            + (one.httpVersion == 2 ? [("CPU ÷ h2load", LoadProgram.limit), ("CPU ÷ Go", LoadProgram.goName)] : [])
    }

    mutating func add(_ program: LoadProgram, _ run: LoadRun) {
        if let index = runs.firstIndex(where: { $0.command == program.command }) {
            runs[index].runs.append(run)
        } else {
            runs.append((program.name, program.command, [run]))
        }
    }

    var header: String {
        let cpu = ["CPU µs/request"] + references.map(\.title)
        let titles = ["case", "program", "requests/s", "ratio"] + cpu + ["peak MiB", "ratio", "connections"]
        return line(titles) + "\n" + line(titles.map { _ in "---" })
    }

    /// Medians; a ratio is the median of the ratios to the other program's run of the same round.
    var rows: String {
        runs.enumerated().map { index, entry in
            func median(_ value: (LoadRun) -> Double) -> Double { entry.runs.map(value).median }
            func ratio(_ value: (LoadRun) -> Double, to program: String = LoadProgram.floor) -> String {
                let other = runs.first { $0.program == program }?.runs ?? []
                return other.isEmpty ? "–" : zip(entry.runs, other).map { value($0) / value($1) }.median.rounded(2)
            }
            return line(
                [index == 0 ? name : "", entry.program, median(\.perSecond).whole, ratio(\.perSecond)]
                    + [median(\.cpu).rounded(1)] + references.map { ratio(\.cpu, to: $0.program) }
                    + [median(\.peak).rounded(1), ratio(\.peak), median { Double($0.connections) }.whole])
        }.joined(separator: "\n")
    }

    private func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
}
