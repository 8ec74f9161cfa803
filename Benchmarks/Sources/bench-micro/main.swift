import FoundationEssentials
import Load

// Prints one line of JSON for each piece of work: its name and its nanoseconds, the median of five.
// Usage: bench-micro [PART-OF-A-NAME]
let only = CommandLine.arguments.dropFirst().first ?? ""
for work in try Work.all() where work.name.contains(only) {
    let time = WorkTime(name: work.name, nanoseconds: try await work.measure())
    print(String(decoding: try JSONEncoder().encode(time), as: UTF8.self))
}
