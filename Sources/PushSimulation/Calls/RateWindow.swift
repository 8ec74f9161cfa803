public import FoundationEssentials

/// Counts calls in a fixed window that begins with its first call. The count starts again after the window.
public struct RateWindow: Sendable {
    /// The length of the window.
    public var seconds: Double
    private var start = Date.distantPast
    private var calls = 0

    /// A window without calls.
    public init(seconds: Double) { self.seconds = seconds }

    /// Counts a call if it fits; otherwise returns false.
    public mutating func take(_ limit: Int, _ now: Date) -> Bool {
        if hasPassed(now) {
            start = now
            calls = 0
        }
        guard calls < limit else { return false }
        calls += 1
        return true
    }

    /// Whether one more call fits. Counts none.
    public func fits(_ limit: Int, _ now: Date) -> Bool { remaining(limit, now) > 0 }

    /// The calls that still fit. Counts none.
    public func remaining(_ limit: Int, _ now: Date) -> Int { hasPassed(now) ? limit : max(0, limit - calls) }

    /// Whole seconds until the next window, at least 1.
    public func reset(_ now: Date) -> Int { max(1, Int((seconds - now.timeIntervalSince(start)).rounded(.up))) }

    /// Forgets one call.
    public mutating func giveBack() { calls = max(0, calls - 1) }

    /// The window as an observer sees it.
    public func reading(_ name: String, _ limit: Int, _ now: Date) -> QuotaReading {
        QuotaReading(name: name, limit: limit, remaining: remaining(limit, now))
    }

    // Calls in flight together may arrive in a different order than their clocks say.
    private func hasPassed(_ now: Date) -> Bool { now.timeIntervalSince(start) >= seconds }
}
