import Glibc
import PushAdapter

/// A part of a push that is timed separately, in a loop.
struct Part {
    let name: String
    private let once: () throws(PushError) -> Void

    init(_ name: String, _ once: @escaping () throws(PushError) -> Void) {
        self.name = name
        self.once = once
    }

    /// The CPU time of doing it once, in nanoseconds: the median of five stretches of about a tenth of a second.
    func measure() throws(PushError) -> Int {
        var count = 1
        var spent = try time(count)
        while spent < 20_000_000 {
            count *= 4
            spent = try time(count)
        }
        let stretch = max(1, count * 100_000_000 / spent)
        var times: [Int] = []
        for _ in 0..<5 { times.append(try time(stretch)) }
        return times.sorted()[2] / stretch
    }

    /// Nanoseconds of CPU.
    private func time(_ count: Int) throws(PushError) -> Int {
        let start = Self.now()
        for _ in 0..<count { try once() }
        return Self.now() - start
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
