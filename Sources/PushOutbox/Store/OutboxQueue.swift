package import FoundationEssentials

/// The queue of parts with slices to lease. A part is queued by turn, waits until its next slice is due, or has no
/// ready slice. So the cost of a lease does not depend on the number of waiting parts.
package enum OutboxQueue {
    /// A part in the queue.
    package struct Part {
        package let campaign: Int64
        package let number: Int64
        package let priority: Int64
        package let turn: Int64
        /// No worker leases from it before this moment.
        package let notBefore: Date
        /// Whether part and campaign are active.
        package let isOpen: Bool

        /// Reads `campaign`, `number`, `priority`, `turn`, `not_before` and whether it is open.
        package init(_ row: some StoredRow) {
            (campaign, number, priority, turn) = (row.integer(0), row.integer(1), row.integer(2), row.integer(3))
            notBefore = row.date(4) ?? .distantPast
            isOpen = row.integer(5) != 0
        }
    }

    /// How many rounds a lease makes. Each round removes empty parts from the queue.
    package static let mostRounds = 6

    /// The number of parts in a round. The first round looks at as many parts as it wants slices; later rounds look at
    /// more.
    package static func parts(_ limit: Int, round: Int) -> Int { min(1_000, max(1, limit) << (2 * round)) }

    /// Merges the first parts of each route and priority, and returns those that come first.
    package static func inTurn(_ parts: [Part], _ request: OutboxLease, limit: Int) -> [Part] {
        func order(_ part: Part) -> (Int64, Int64, Int64, Int64) {
            (request.wantsOldest ? 0 : part.priority, part.turn, part.campaign, part.number)
        }
        return Array(parts.sorted { order($0) < order($1) }.prefix(limit))
    }
}
