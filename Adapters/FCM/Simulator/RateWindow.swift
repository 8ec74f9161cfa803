import FoundationEssentials

/// Counts calls in a window that begins with its first call. The count starts again after the window.
struct RateWindow {
    let seconds: Double
    private var start = Date.distantPast
    private var calls = 0

    init(seconds: Double) { self.seconds = seconds }

    /// Whether one more call fits. Does not count it.
    func fits(_ limit: Int, _ now: Date) -> Bool { hasPassed(now) ? limit > 0 : calls < limit }

    /// The number of calls that still fit. Counts none.
    func remaining(_ limit: Int, _ now: Date) -> Int { hasPassed(now) ? limit : max(0, limit - calls) }

    /// Counts a call if it fits; otherwise returns false.
    mutating func take(_ limit: Int, _ now: Date) -> Bool {
        if hasPassed(now) {
            start = now
            calls = 0
        }
        guard calls < limit else { return false }
        calls += 1
        return true
    }

    /// Forgets one call.
    mutating func giveBack() { calls = max(0, calls - 1) }

    // Calls in flight together may arrive in a different order than their clocks say.
    private func hasPassed(_ now: Date) -> Bool { now.timeIntervalSince(start) >= seconds }
}
