import PushSimulation

/// How to choose the next job among those that can run. Mistakes hide in different places, so a search should use all
/// strategies.
public enum Strategy: String, Sendable, Hashable, CaseIterable {
    /// Any job, with equal probability.
    case uniform
    /// The job that has waited longest, with a few exceptions.
    case steady
    /// The jobs of some processes, or of some tasks, run only rarely.
    case starving
    /// The job with the highest rank. Each task gets a random rank at first; now and then the running task falls to the
    /// last rank.
    case ranked
}

/// The choice of the next job.
struct OrderOfJobs {
    private let strategy: Strategy
    /// The remainder, modulo 4, of the numbers of starved processes or tasks.
    private let starved: UInt64
    private let starvesTasks: Bool
    private var ranks: [UInt64: UInt64] = [:]
    private var lastRank = UInt64.max / 2

    init(_ strategy: Strategy, seed: UInt64) {
        var random = SplitMix(seed: ~seed)
        self.strategy = strategy
        starved = random.next() % 4
        starvesTasks = random.next() % 2 == 0
    }

    /// Returns the index of the next job.
    mutating func next(
        _ count: Int, _ random: inout SplitMix, task: (Int) -> UInt64, process: (Int) -> Int
    ) -> Int {
        guard count > 1 else { return 0 }
        switch strategy {
        case .uniform: return Int.random(in: 0..<count, using: &random)
        case .steady: return random.next() % 16 == 0 ? Int.random(in: 0..<count, using: &random) : 0
        case .starving:
            if random.next() % 64 == 0 { return Int.random(in: 0..<count, using: &random) }
            let fed = (0..<count).filter { index in
                (starvesTasks ? task(index) : UInt64(process(index))) % 4 != starved
            }
            return fed.randomElement(using: &random) ?? Int.random(in: 0..<count, using: &random)
        case .ranked:
            for index in 0..<count where ranks[task(index)] == nil { ranks[task(index)] = random.next() / 2 + .max / 2 }
            let first = (0..<count).max { ranks[task($0)] ?? 0 < ranks[task($1)] ?? 0 } ?? 0
            if random.next() % 64 == 0 {
                lastRank -= 1
                ranks[task(first)] = lastRank
            }
            return first
        }
    }
}
