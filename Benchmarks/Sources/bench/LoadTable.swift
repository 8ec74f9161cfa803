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
    /// A column with ratios: its title, and the program that the others are compared with.
    private typealias Ratio = (title: String, program: String)

    private let name: String
    /// One of what is counted, and several.
    private let unit: (one: String, many: String)
    private let rates: [Ratio]
    private let costs: [Ratio]
    private let peaks: [Ratio]
    private var runs: [(program: String, command: [String], runs: [LoadRun])] = []

    init(_ one: LoadCase) {
        name = one.name
        unit = ("request", "requests")
        let floor: [Ratio] = [("ratio", LoadProgram.floor)]
        (rates, peaks) = (floor, floor)
        costs = floor + (one.httpVersion == 2 ? Self.peers : [])
    }

    init(_ one: FanOutCase) {
        name = one.name
        unit = ("push", "pushes")
        rates = [("÷ h2load", LoadProgram.limit), ("÷ Go", LoadProgram.goName)]
        costs = Self.peers
        peaks = [("÷ Go", LoadProgram.goName)]
    }

    private static let peers: [Ratio] = [("CPU ÷ h2load", LoadProgram.limit), ("CPU ÷ Go", LoadProgram.goName)]

    mutating func add(_ program: LoadProgram, _ run: LoadRun) {
        if let index = runs.firstIndex(where: { $0.command == program.command }) {
            runs[index].runs.append(run)
        } else {
            runs.append((program.name, program.command, [run]))
        }
    }

    var header: String {
        var titles = ["case", "program", "\(unit.many)/s"] + rates.map(\.title)
        titles += ["CPU µs/\(unit.one)"] + costs.map(\.title)
        titles += ["peak MiB"] + peaks.map(\.title) + ["connections"]
        return line(titles) + "\n" + line(titles.map { _ in "---" })
    }

    /// Medians; a ratio is the median of the ratios to the other program's run of the same round.
    var rows: String {
        runs.enumerated().map { index, entry in
            func median(_ value: (LoadRun) -> Double) -> Double { entry.runs.map(value).median }
            func ratio(_ value: (LoadRun) -> Double, to program: String) -> String {
                let other = runs.first { $0.program == program }?.runs ?? []
                return other.isEmpty ? "–" : zip(entry.runs, other).map { value($0) / value($1) }.median.rounded(2)
            }
            var cells = [index == 0 ? name : "", entry.program, median(\.perSecond).whole]
            cells += rates.map { ratio(\.perSecond, to: $0.program) }
            cells += [median(\.cpu).rounded(1)] + costs.map { ratio(\.cpu, to: $0.program) }
            cells += [median(\.peak).rounded(1)] + peaks.map { ratio(\.peak, to: $0.program) }
            return line(cells + [median { Double($0.connections) }.whole])
        }.joined(separator: "\n")
    }

    private func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
}
