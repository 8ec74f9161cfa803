package import FoundationEssentials
import PushAdapter

/// A row that a store's engine reads. Columns count from 0.
package protocol StoredRow {
    /// An integer; 0 for null.
    func integer(_ column: Int32) -> Int64
    /// Nil for null, like the functions below.
    func date(_ column: Int32) -> Date?
    func seconds(_ column: Int32) -> Double?
    func text(_ column: Int32) -> String?
    func blob(_ column: Int32) -> [UInt8]?
}

/// Rows are foreign input: every program that may enqueue may write them. Values out of bounds are clamped.
extension StoredRow {
    /// A number from 0 to what leaves room for others to be added; the tables take twice as much.
    func count(_ column: Int32) -> Int { Int(min(max(0, integer(column)), Int64(SliceRow.highestNumber))) }

    /// A time within some thousand years; nil for null, and for none.
    func time(_ column: Int32) -> Date? {
        guard let date = date(column), !date.timeIntervalSinceReferenceDate.isNaN else { return nil }
        return min(max(date, Self.earliest), Self.latest)
    }

    /// A duration, clamped to 0 to 31,000 years; nil for null.
    fileprivate func duration(_ column: Int32) -> Duration? {
        seconds(column).map { $0.isNaN ? .zero : .seconds(min(max(0, $0), 1e12)) }
    }

    private static var earliest: Date { Date(timeIntervalSinceReferenceDate: -1e12) }
    private static var latest: Date { Date(timeIntervalSinceReferenceDate: 1e12) }
}

extension SliceRow {
    /// All columns. The first three say which row it is.
    package static let columns: [SliceColumn] = [
        .integer("campaign", \.id.campaign) { $0.id.campaign = $1 },
        .number("part", \.id.part), .number("number", \.id.number),
        .integer(
            "state", { Int64($0.state.rawValue) }, { $0.state = State(rawValue: Int(clamping: $1)) ?? .quarantined }),
        .date("not_before", { $0.notBefore }, { $0.notBefore = $1 ?? .distantPast }),
        .number("epoch", \.epoch), .integer("owner", \.owner) { $0.owner = $1 },
        .number("crashes", \.crashes), .number("attempts", \.attempts), .number("generation", \.generation),
        .text("key", \.key) { $0.key = $1 },
        .date("key_until", \.keyUntil) { $0.keyUntil = $1 }, .date("key_used_at", \.keyUsedAt) { $0.keyUsedAt = $1 },
        .text("key_uptime", { $0.keyUptime?.rawValue }, { $0.keyUptime = $1.flatMap { Uptime(rawValue: $0) } }),
        .integer("may_have_acted", { $0.mayHaveActed ? 1 : 0 }, { $0.mayHaveActed = $1 != 0 }),
        .number("resent", \.resent),
        // A row that does not fit its targets is quarantined by the worker that leases it.
        .integer("targets", { Int64($0.outcomes.count) }, { $0.expectOutcomes($1) }),
        .bytes("outcomes", \.packedOutcomes) { $0.unpackOutcomes($1 ?? []) },
        .integer("marked", { Int64($0.marked) }, { $0.marked = min(max(0, Int(clamping: $1)), $0.outcomes.count) }),
        .bytes("notes", \.notes) { $0.notes = $1 },
        .count("open", .open), .count("again", .openAgain), .count("accepted", .accepted), .count("invalid", .invalid),
        .count("suspect", .suspect), .count("rejected", .rejected), .count("later", .rejectedForNow),
        .count("unknown", .unknown), .count("repeated", .duplicate), .count("moved", .moved),
        .count("malformed", .malformed),
    ]
    /// The columns that ``init(_:)`` reads, in that order.
    package static let readColumns = columns.filter { $0.read != nil }
    /// They, in a statement that calls the row `s`.
    package static let read = readColumns.map { "s.\($0.name)" }.joined(separator: ", ")
    /// The column of the packed targets, where they are read with a slice.
    package static let payloadColumn = Int32(readColumns.count)
    /// The dates of a key stay as they were written when a request first carried it: a worker whose clock is set gives back other
    /// ones than it has read.
    package static let keptColumns: Set = ["key_until", "key_used_at"]

    /// This row in the place of another one, whose key it may have kept.
    func keepingKey(of old: SliceRow) -> SliceRow {
        guard key == old.key, old.keyUsedAt != nil else { return self }
        var slice = self
        (slice.keyUntil, slice.keyUsedAt) = (old.keyUntil, old.keyUsedAt)
        return slice
    }

    /// The columns that count outcomes.
    static let counted = columns.compactMap { column -> (column: String, outcome: Outcome)? in
        guard case .count(let outcome) = column.value else { return nil }
        return (column.name, outcome)
    }

    /// The most targets of a slice. A store refuses a row with more.
    package static let mostTargets = 100_000

    /// The highest number that workers read from a row.
    package static let highestNumber = 1_000_000_000
    /// The epoch of the next lease, as SQL. It wraps at `highestNumber`.
    package static let nextEpoch = "(epoch + 1) % \(highestNumber)"

    /// Reads a row. If it does not fit its targets, the worker that leases it quarantines it.
    package init(_ row: some StoredRow) {
        self.init(id: ID(campaign: 0, part: 0, number: 0), notBefore: .distantPast, outcomes: [])
        for (index, column) in Self.readColumns.enumerated() { column.read?(&self, row, Int32(index)) }
    }

    /// A byte for each outcome, or one byte if all are the same.
    package var packedOutcomes: [UInt8] {
        let isUniform = outcomes.allSatisfy { $0 == outcomes.first }
        return outcomes.prefix(isUniform ? 1 : outcomes.count).map(\.rawValue)
    }

    private mutating func expectOutcomes(_ count: Int64) {
        outcomes = Array(repeating: .open, count: min(max(0, Int(clamping: count)), Self.mostTargets))
    }

    /// - Parameter bytes: as `packedOutcomes` has them. One byte is the outcome of all targets.
    private mutating func unpackOutcomes(_ bytes: [UInt8]) {
        if bytes.count == 1 {
            outcomes = Array(repeating: Outcome(rawValue: bytes[0]), count: outcomes.count)
        } else {
            outcomes = bytes.prefix(Self.mostTargets).map { Outcome(rawValue: $0) }
        }
    }

    /// A condition for rows `s` with one of these outcomes in them; nil for none.
    package static func condition(for outcomes: Set<Outcome>) -> String? {
        let wanted = counted.filter { outcomes.contains($0.outcome) }.map { "s.\($0.column) > 0" }
        return wanted.isEmpty ? nil : "(\(wanted.joined(separator: " OR ")))"
    }

    /// A condition for rows `s` that wait, but not for their first try.
    package static let isWaiting = """
        (s.state = \(State.quarantined.rawValue)
            OR s.state = \(State.ready.rawValue) AND (s.notes IS NOT NULL OR s.again > 0))
        """
}

extension OutboxCounts {
    /// The columns of slices by state that ``add(_:)`` reads.
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

    /// Reads a campaign without its parts. If a newer version wrote its options, it gets no message, so that it is not
    /// sent, and it is kept.
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
