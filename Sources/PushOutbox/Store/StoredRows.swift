package import FoundationEssentials
import PushCore

/// A row as the engine of a store reads it. Columns count from 0.
package protocol StoredRow {
    /// An integer; 0 for null.
    func integer(_ column: Int32) -> Int64
    /// Nil for null, as all others.
    func date(_ column: Int32) -> Date?
    func seconds(_ column: Int32) -> Double?
    func text(_ column: Int32) -> String?
    func blob(_ column: Int32) -> [UInt8]?
}

/// Rows are foreign input: whoever may enqueue may write them. What is out of bounds reads as the nearest that is not.
extension StoredRow {
    /// A number from 0 to what leaves room for others to be added; the tables take twice as much.
    fileprivate func count(_ column: Int32) -> Int { Int(min(max(0, integer(column)), Int64(SliceRow.highestNumber))) }

    /// A time within some thousand years; nil for null, and for none.
    fileprivate func time(_ column: Int32) -> Date? {
        guard let date = date(column), !date.timeIntervalSinceReferenceDate.isNaN else { return nil }
        return min(max(date, Self.earliest), Self.latest)
    }

    /// A time from none to some thousand years; nil for null.
    fileprivate func duration(_ column: Int32) -> Duration? {
        seconds(column).map { $0.isNaN ? .zero : .seconds(min(max(0, $0), 1e12)) }
    }

    private static var earliest: Date { Date(timeIntervalSinceReferenceDate: -1e12) }
    private static var latest: Date { Date(timeIntervalSinceReferenceDate: 1e12) }
}

extension SliceRow {
    /// The columns that ``init(_:)`` reads, in the order of the tables.
    package static let columns = [
        "campaign", "part", "number", "state", "not_before", "epoch", "owner", "crashes", "attempts", "generation",
        "key",
        "key_until", "key_used_at", "may_have_acted", "marked", "resent", "targets", "outcomes", "notes", "key_uptime",
    ]
    /// The column of the packed targets, where they are read with a slice.
    package static let payloadColumn = Int32(columns.count)
    /// The columns that count outcomes, which follow.
    package static let counted: [(column: String, outcome: Outcome)] = [
        ("open", .open), ("again", .openAgain), ("accepted", .accepted), ("invalid", .invalid), ("suspect", .suspect),
        ("rejected", .rejected), ("later", .rejectedForNow), ("unknown", .unknown), ("repeated", .duplicate),
        ("moved", .moved), ("malformed", .malformed),
    ]

    /// No slice has more targets; a store refuses a row that says so.
    package static let mostTargets = 100_000

    /// Numbers of a row count up to here.
    package static let highestNumber = 1_000_000_000
    /// The epoch of the next lease, as SQL. Begins anew where numbers end.
    package static let nextEpoch = "(epoch + 1) % \(highestNumber)"

    /// A row that does not fit its targets is quarantined by the worker that leases it.
    package init(_ row: some StoredRow) {
        let bytes = (row.blob(17) ?? []).prefix(Self.mostTargets).map { Outcome(rawValue: $0) }
        let count = min(row.count(16), Self.mostTargets)
        self.init(
            id: ID(campaign: row.integer(0), part: row.count(1), number: row.count(2)),
            notBefore: row.time(4) ?? .distantPast,
            outcomes: bytes.count == 1 ? Array(repeating: bytes[0], count: count) : Array(bytes))
        state = State(rawValue: row.count(3)) ?? .quarantined
        epoch = row.count(5)
        owner = row.integer(6)
        (crashes, attempts, generation) = (row.count(7), row.count(8), row.count(9))
        (key, keyUntil, keyUsedAt) = (row.text(10), row.time(11), row.time(12))
        mayHaveActed = row.integer(13) != 0
        (marked, resent) = (min(row.count(14), outcomes.count), row.count(15))
        (notes, keyUptime) = (row.blob(18), row.text(19).flatMap { Uptime(rawValue: $0) })
    }

    /// A byte for each outcome; one byte for all if they are the same.
    package var packedOutcomes: [UInt8] {
        let isUniform = outcomes.allSatisfy { $0 == outcomes.first }
        return outcomes.prefix(isUniform ? 1 : outcomes.count).map(\.rawValue)
    }

    /// A condition for rows `s` with one of these outcomes in them; nil for none.
    package static func condition(for outcomes: Set<Outcome>) -> String? {
        let wanted = counted.filter { outcomes.contains($0.outcome) }.map { "s.\($0.column) > 0" }
        return wanted.isEmpty ? nil : "(\(wanted.joined(separator: " OR ")))"
    }

    /// A condition for rows `s` that wait, but not for their first try.
    package static let isWaiting = "(s.state = 4 OR s.state = 0 AND (s.notes IS NOT NULL OR s.again > 0))"
}

extension OutboxCounts {
    /// What ``add(_:)`` reads of slices by state.
    package static let columns =
        (["state", "COUNT(*)", "SUM(resent)"] + SliceRow.counted.map { "SUM(\($0.column))" }).joined(separator: ", ")

    /// Adds the slices of one state.
    package mutating func add(_ row: some StoredRow) {
        slices[SliceRow.State(rawValue: row.count(0)) ?? .quarantined, default: 0] += row.count(1)
        resent += row.count(2)
        for (index, one) in SliceRow.counted.enumerated() {
            let count = Int(max(0, row.integer(Int32(3 + index))))
            if count > 0 { targets[one.outcome, default: 0] += count }
        }
    }
}

extension Campaign {
    /// The columns that ``init(_:)`` reads.
    package static let columns =
        "id, name, digest, state, message, options, seed, created_at, expires_at, ended_at, reason"

    /// A campaign without its parts. One whose options a newer version wrote has no message that could be sent, and is kept.
    package init(_ row: some StoredRow) {
        var options: CampaignOptions? = CampaignOptions()
        if let bytes = row.blob(5) { options = try? JSONDecoder().decode(CampaignOptions.self, from: Data(bytes)) }
        var kept = CampaignOptions()
        (kept.keeps, kept.keepsName) = (.seconds(1e10), .seconds(1e10))
        self.init(
            name: CampaignName(row.text(1) ?? ""), digest: row.text(2) ?? "",
            message: options == nil ? [] : row.blob(4) ?? [], options: options ?? kept, seed: row.text(6) ?? "",
            createdAt: row.time(7) ?? .distantPast, parts: [])
        id = row.integer(0)
        state = State(rawValue: row.count(3)) ?? .paused
        (expiresAt, endedAt, reason) = (row.time(8), row.time(9), row.text(10))
    }
}

extension Campaign.Part {
    /// The columns that ``init(_:)`` reads.
    package static let columns = "number, route, audience, not_before, paused_for, patience"

    package init(_ row: some StoredRow) {
        self.init(
            number: row.count(0), route: RouteName(row.text(1) ?? ""), audience: row.blob(2),
            notBefore: row.time(3) ?? .distantPast,
            patience: row.duration(5))
        pausedFor = row.text(4)
    }
}
