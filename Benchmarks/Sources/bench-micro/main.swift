import Load

// Prints one line of JSON for each piece of work: its name and the nanoseconds of one time, the median of five.
// Usage: bench-micro
for work in try Work.all() {
    print("{\"name\": \"\(work.name)\", \"nanoseconds\": \(try await work.measure())}")
}
