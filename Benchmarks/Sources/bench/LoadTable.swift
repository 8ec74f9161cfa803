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
    private var runs: [(program: String, command: [String], runs: [LoadRun])] = []

    init(_ one: LoadCase) { name = one.name }

    mutating func add(_ program: LoadProgram, _ run: LoadRun) {
        if let index = runs.firstIndex(where: { $0.command == program.command }) {
            runs[index].runs.append(run)
        } else {
            runs.append((program.name, program.command, [run]))
        }
    }

    static let header = """
        | case | program | requests/s | ratio | CPU µs/request | ratio | peak MiB | ratio | connections |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |
        """

    /// Medians; a ratio is the median of the ratios to the C program's run of the same round.
    var rows: String {
        let floor = runs.first { $0.program == LoadProgram.floor }?.runs ?? []
        return runs.enumerated().map { index, entry in
            func cells(_ value: (LoadRun) -> Double, _ digits: Int?) -> String {
                let median = entry.runs.map(value).median
                let ratio = zip(entry.runs, floor).map { value($0) / value($1) }.median
                return "\(digits.map { median.rounded($0) } ?? median.whole) | \(ratio.rounded(2))"
            }
            let connections = entry.runs.map { Double($0.connections) }.median.whole
            return "| \(index == 0 ? name : "") | \(entry.program) | \(cells(\.perSecond, nil)) | \(cells(\.cpu, 1)) "
                + "| \(cells(\.peak, 1)) | \(connections) |"
        }.joined(separator: "\n")
    }
}
