package import FoundationEssentials
import PushCore

/// A row as the engine of a store reads it. Columns count from 0.
package protocol StoredRow {
    /// An integer; 0 for null.
    func integer(_ column: Int32) -> Int64
    /// Nil for null, as all others.
    func date(_ column: Int32) -> Date?
    func text(_ column: Int32) -> String?
    func blob(_ column: Int32) -> [UInt8]?
}

extension Slice {
    /// The columns that ``init(_:)`` reads, in the order of the tables.
    package static let columns = [
        "campaign", "leg", "number", "state", "not_before", "epoch", "owner", "deaths", "tries", "generation", "key",
        "key_until", "key_used_at", "may_have_acted", "marked", "resent", "targets", "outcomes", "notes",
    ]
    /// The columns that count outcomes, which follow.
    package static let counted: [(column: String, outcome: Outcome)] = [
        ("open", .open), ("again", .openAgain), ("accepted", .accepted), ("invalid", .invalid), ("suspect", .suspect),
        ("rejected", .rejected), ("later", .rejectedForNow), ("unknown", .unknown), ("repeated", .duplicate),
        ("moved", .moved), ("malformed", .malformed),
    ]

    package init(_ row: some StoredRow) {
        let bytes = (row.blob(17) ?? []).map { Outcome(rawValue: $0) }
        let common = bytes.count == 1 ? Array(repeating: bytes[0], count: Int(row.integer(16))) : nil
        self.init(
            id: ID(campaign: row.integer(0), leg: Int(row.integer(1)), number: Int(row.integer(2))),
            notBefore: row.date(4) ?? .distantPast, outcomes: common ?? bytes)
        state = State(rawValue: Int(row.integer(3))) ?? .held
        epoch = Int(row.integer(5))
        owner = row.integer(6)
        (deaths, tries, generation) = (Int(row.integer(7)), Int(row.integer(8)), Int(row.integer(9)))
        (key, keyUntil, keyUsedAt) = (row.text(10), row.date(11), row.date(12))
        mayHaveActed = row.integer(13) != 0
        (marked, resent) = (Int(row.integer(14)), Int(row.integer(15)))
        notes = row.blob(18)
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
        (["state", "COUNT(*)", "SUM(resent)"] + Slice.counted.map { "SUM(\($0.column))" }).joined(separator: ", ")

    /// Adds the slices of one state.
    package mutating func add(_ row: some StoredRow) {
        if let state = Slice.State(rawValue: Int(row.integer(0))) { slices[state] = Int(row.integer(1)) }
        resent += Int(row.integer(2))
        for (index, one) in Slice.counted.enumerated() {
            let count = Int(row.integer(Int32(3 + index)))
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
            createdAt: row.date(7) ?? .distantPast, legs: [])
        id = row.integer(0)
        state = State(rawValue: Int(row.integer(3))) ?? .paused
        (expiresAt, endedAt, reason) = (row.date(8), row.date(9), row.text(10))
    }
}

extension Campaign.Leg {
    /// The columns that ``init(_:)`` reads.
    package static let columns = "number, route, audience, not_before, paused_for, patience"

    package init(_ row: some StoredRow) {
        self.init(
            number: Int(row.integer(0)), route: RouteName(row.text(1) ?? ""), audience: row.blob(2),
            notBefore: row.date(3) ?? .distantPast,
            patience: row.date(5).map { .seconds($0.timeIntervalSinceReferenceDate) })
        pausedFor = row.text(4)
    }
}
