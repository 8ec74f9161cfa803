/// What waits in an outbox: of all campaigns that have not ended.
public struct OutboxBacklog: Sendable, Hashable {
    /// How much of them is where.
    public var counts = OutboxCounts()
    /// The one that was enqueued first; nil if there is none.
    public var oldest: Campaign?
    /// How many stand still, as a whole or in part, until a person resumes them.
    public var needyCount = 0
    /// The first of these.
    public var needy: [Campaign] = []

    /// Nothing.
    public init() {}

    /// Targets that wait for their outcome.
    public var open: Int { (counts.targets[.open] ?? 0) + (counts.targets[.openAgain] ?? 0) }
    /// Targets whose outcome nobody can know.
    public var unknown: Int { counts.targets[.unknown] ?? 0 }
}

/// The SQL of both engines.
extension OutboxBacklog {
    /// Reads rows for ``OutboxCounts/add(_:)``.
    package static let countSlices = """
        SELECT \(OutboxCounts.columns) FROM outbox_slice
        WHERE campaign IN (SELECT id FROM outbox_campaign WHERE state IN (0, 1, 2, 8)) GROUP BY state
        """
    /// Reads the number of the oldest campaign.
    package static let findOldest =
        "SELECT MIN(id) FROM ("
        + Campaign.live.map { "SELECT MIN(id) AS id FROM outbox_campaign WHERE state = \($0.rawValue)" }.sorted()
        .joined(separator: " UNION ALL ") + ") AS oldest"
    /// Reads the numbers of campaigns that need a person, oldest first.
    package static let findNeedy = """
        SELECT id FROM outbox_campaign WHERE state IN (0, 1, 2, 8) AND id IN (
            SELECT id FROM outbox_campaign WHERE reason IS NOT NULL AND state IN (0, 1, 2, 8)
            UNION SELECT campaign FROM outbox_leg WHERE paused_for IS NOT NULL
            UNION SELECT campaign FROM outbox_slice WHERE state IN (1, 2, 4) AND state = 4) ORDER BY id
        """
}
