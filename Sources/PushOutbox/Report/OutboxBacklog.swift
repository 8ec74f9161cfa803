/// The waiting work of an outbox: of all campaigns that have not ended.
public struct OutboxBacklog: Sendable, Hashable {
    /// Their slices by state and targets by outcome.
    public var counts = OutboxCounts()
    /// The campaign that was enqueued first; nil if there is none.
    public var oldest: Campaign?
    /// The number of campaigns that stand still, as a whole or in part, until a person resumes them.
    public var needyCount = 0
    /// The oldest of these campaigns.
    public var needy: [Campaign] = []

    /// An empty backlog.
    public init() {}

    /// Targets that wait for their outcome.
    public var open: Int { (counts.targets[.open] ?? 0) + (counts.targets[.openAgain] ?? 0) }
    /// Targets with an unknown outcome.
    public var unknown: Int { counts.targets[.unknown] ?? 0 }
}

/// The SQL is the same for SQLite and PostgreSQL.
extension OutboxBacklog {
    /// - Parameters:
    ///   - limit: the most campaigns in `needy`.
    ///   - run: runs a statement and calls its second argument with each row.
    ///   - campaigns: reads campaigns by their numbers, newest first.
    package init(
        needy limit: Int, run: (String, (any StoredRow) throws -> Void) throws -> Void,
        campaigns: (Set<Int64>) throws -> [Campaign]
    ) throws {
        try run(Self.countSlices) { counts.add($0) }
        var ids: [Int64] = []
        try run(Self.findNeedy) { ids.append($0.integer(0)) }
        needyCount = ids.count
        needy = try campaigns(Set(ids.prefix(limit))).reversed()
        var first: Int64 = 0
        try run(Self.findOldest) { first = $0.integer(0) }
        oldest = try campaigns([first]).first
    }

    /// Reads rows for ``OutboxCounts/add(_:)``.
    private static let countSlices = """
        SELECT \(OutboxCounts.columns) FROM outbox_slice
        WHERE campaign IN (SELECT id FROM outbox_campaign WHERE \(CampaignSQL.isLive)) GROUP BY state
        """
    /// Reads the number of the oldest campaign.
    private static let findOldest =
        "SELECT MIN(id) FROM ("
        + Campaign.live.map { "SELECT MIN(id) AS id FROM outbox_campaign WHERE state = \($0.rawValue)" }.sorted()
        .joined(separator: " UNION ALL ") + ") AS oldest"
    /// Reads the numbers of campaigns that need a person, oldest first.
    private static let findNeedy = """
        SELECT id FROM outbox_campaign WHERE \(CampaignSQL.isLive) AND id IN (
            SELECT id FROM outbox_campaign WHERE reason IS NOT NULL AND \(CampaignSQL.isLive)
            UNION SELECT campaign FROM outbox_part WHERE paused_for IS NOT NULL
            UNION SELECT campaign FROM outbox_slice WHERE \(SliceSQL.isQuarantined())) ORDER BY id
        """
}
