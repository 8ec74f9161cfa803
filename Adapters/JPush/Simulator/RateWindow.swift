import FoundationEssentials
import PushAdapter
import PushSimulation

/// A fixed one-minute window for the calls of one family.
struct RateWindow {
    struct Reading {
        var limit: Int
        /// The calls left; negative if the call exceeds the limit.
        var remaining: Int
        /// Seconds until the next window.
        var reset: Int

        func write(to response: inout SimulatedResponse) {
            let values = [
                ("X-Rate-Limit-Limit", limit), ("X-Rate-Limit-Remaining", max(0, remaining)),
                ("X-Rate-Limit-Reset", reset),
            ]
            for (name, value) in values {
                if let name = HTTPField.Name(name) { response.headers[name] = String(value) }
            }
        }
    }

    private var start = Date.distantPast
    private var calls = 0

    mutating func count(limit: Int, _ now: Date) -> Reading {
        if isOver(now) {
            start = now
            calls = 0
        }
        calls += 1
        let reset = Int((Rules.window - now.timeIntervalSince(start)).rounded(.up))
        return Reading(limit: limit, remaining: limit - calls, reset: max(1, reset))
    }

    /// The calls left. Does not count a call.
    func remaining(of limit: Int, _ now: Date) -> Int { isOver(now) ? limit : max(0, limit - calls) }

    private func isOver(_ now: Date) -> Bool { now.timeIntervalSince(start) >= Rules.window || now < start }
}
