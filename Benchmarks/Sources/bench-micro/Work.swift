import Load

/// A piece of work that is timed separately, in a loop.
struct Work {
    let name: String
    private let once: () async throws -> Void

    init(_ name: String, _ once: @escaping () async throws -> Void) {
        self.name = name
        self.once = once
    }

    /// The CPU time of doing it once, in nanoseconds: the median of five stretches of about a tenth of a second.
    func measure() async throws -> Double {
        var count = 1
        var spent = try await time(count)
        while spent < 0.02 {
            count *= 4
            spent = try await time(count)
        }
        let stretch = max(1, Int(Double(count) * 0.1 / spent))
        var times: [Double] = []
        for _ in 0..<5 { times.append(try await time(stretch)) }
        return times.sorted()[2] / Double(stretch) * 1e9
    }

    private func time(_ count: Int) async throws -> Double {
        let start = Usage()
        for _ in 0..<count { try await once() }
        return Usage().cpu - start.cpu
    }
}
