/// A resolver that reads a table of keys and key prefixes.
public struct DataCenterTable: DataCenterResolver {
    /// One line of the table: which app keys it is for, and where they live.
    public struct Row: Sendable {
        /// Which app keys a row is for.
        public enum Match: Sendable, Hashable {
            /// Exactly this key.
            case key(String)
            /// Every key that begins with this text.
            case prefix(String)
        }

        /// Which app keys the row is for.
        public var match: Match
        /// A name or alias of the catalog.
        public var dataCenter: String
        /// How sure the row is; the answer has the same grade.
        public var grade: DataCenterResolution.Grade

        /// A row that says where matching keys live, by a name or alias of the catalog.
        public init(_ match: Match, _ dataCenter: String, _ grade: DataCenterResolution.Grade = .stated) {
            self.match = match
            self.dataCenter = dataCenter
            self.grade = grade
        }
    }

    private let rows: [Row]

    /// A table of these rows, in any order; of two rows with the same match the first wins.
    public init(_ rows: [Row]) { self.rows = rows }

    /// A whole key wins over a prefix, a longer prefix over a shorter one.
    public func resolve(
        key: String, in catalog: DataCenterCatalog
    ) async throws(PushError) -> DataCenterResolution {
        func strength(_ row: Row) -> Int? {
            switch row.match {
            case .key(let text): text == key ? Int.max : nil
            case .prefix(let text): key.hasPrefix(text) ? text.utf8.count : nil
            }
        }
        var best: (row: Row, strength: Int)?
        for row in rows {
            if let strength = strength(row), strength > best?.strength ?? -1 { best = (row, strength) }
        }
        guard let best else {
            throw PushError(
                .misconfigured,
                "the data-center table has no row for this app key; add one or name the data center")
        }
        return DataCenterResolution(dataCenter: try catalog.named(best.row.dataCenter), grade: best.row.grade)
    }
}
