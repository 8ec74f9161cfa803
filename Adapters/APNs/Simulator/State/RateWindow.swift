import FoundationEssentials

/// Counts events in a window that begins with its first event.
struct RateWindow {
    private var start: Date?
    private var events = 0

    /// Counts one more event if the limit allows it; otherwise returns false.
    mutating func admits(_ limit: Int, per seconds: Double, at now: Date) -> Bool {
        if start.map({ now.timeIntervalSince($0) >= seconds }) ?? true {
            start = now
            events = 0
        }
        guard events < limit else { return false }
        events += 1
        return true
    }
}
