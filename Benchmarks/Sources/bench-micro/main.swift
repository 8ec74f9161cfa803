import Load

// Prints one line of JSON for each piece of work: its name and the nanoseconds of one time, the median of five.
// Usage: bench-micro [PART-OF-A-NAME]
let only = CommandLine.arguments.dropFirst().first ?? ""
for work in try Work.all() where work.name.contains(only) {
    print("{\"name\": \"\(work.name)\", \"nanoseconds\": \(try await work.measure())}")
}
