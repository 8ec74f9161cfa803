/// Transfers that wait, oldest first. Belongs to the I/O thread.
package struct WaitingLine {
    private var transfers: [Transfer] = []
    /// Skips those that left.
    private var start = 0

    package init() {}

    package var isEmpty: Bool { start == transfers.count }

    /// Whether one still waits; skips those that do not.
    package var hasNext: Bool {
        mutating get {
            while start < transfers.count, transfers[start].isOver { start += 1 }
            return start < transfers.count
        }
    }

    package mutating func append(_ transfer: Transfer) { transfers.append(transfer) }

    /// Puts a transfer back before all others.
    package mutating func putBack(_ transfer: Transfer) {
        if start > 0 { start -= 1 } else { transfers.insert(transfer, at: 0) }
        transfers[start] = transfer
    }

    /// Takes out the oldest that still waits.
    package mutating func next() -> Transfer? {
        guard hasNext else { return nil }
        let found = transfers[start]
        start += 1
        if start == transfers.count || start > 1024 {
            transfers.removeFirst(start)
            start = 0
        }
        return found
    }

    /// Hands over those whose time is over, and returns when the next one is due.
    package mutating func expire(
        _ now: ContinuousClock.Instant, _ end: (Transfer) -> Void
    ) -> ContinuousClock.Instant? {
        for transfer in transfers[start...] where !transfer.isOver && transfer.end <= now { end(transfer) }
        transfers = transfers[start...].filter { !$0.isOver }
        start = 0
        return transfers.lazy.map(\.end).min()
    }

    /// Empties the line and hands over all that still wait.
    package mutating func removeAll(_ end: (Transfer) -> Void) {
        let left = transfers[start...]
        (transfers, start) = ([], 0)
        for transfer in left where !transfer.isOver { end(transfer) }
    }
}
