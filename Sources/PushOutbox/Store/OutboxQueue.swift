package import FoundationEssentials

/// The queue of parts that have something to lease. A part stands in it at its turn, or waits until its next slice is due,
/// or has none that is ready; so what a lease costs does not depend on how many wait.
package enum OutboxQueue {
    /// A part in the queue.
    package struct Part {
        package let campaign: Int64
        package let number: Int64
        package let priority: Int64
        package let turn: Int64
        /// Nothing of it is leased before.
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

    /// How often a lease looks for more. Each look takes those out of the queue that have nothing.
    package static let mostRounds = 6

    /// How many parts a lease looks at: as many as it wants slices, then more, because the first had less.
    package static func parts(_ limit: Int, round: Int) -> Int { min(1_000, max(1, limit) << (2 * round)) }

    /// Those that come first, from the first ones of each route and priority.
    package static func inTurn(_ parts: [Part], _ request: OutboxLease, limit: Int) -> [Part] {
        func order(_ part: Part) -> (Int64, Int64, Int64, Int64) {
            (request.wantsOldest ? 0 : part.priority, part.turn, part.campaign, part.number)
        }
        return Array(parts.sorted { order($0) < order($1) }.prefix(limit))
    }
}
