/// A resolver that reads a table of keys and prefixes of keys.
public struct DataCenterTable: DataCenterResolver {
    public struct Row: Sendable {
        public enum Match: Sendable, Hashable {
            case key(String)
            case prefix(String)
        }

        public var match: Match
        /// A name or alias of the catalog.
        public var dataCenter: String
        public var grade: DataCenterResolution.Grade

        public init(_ match: Match, _ dataCenter: String, _ grade: DataCenterResolution.Grade = .stated) {
            self.match = match
            self.dataCenter = dataCenter
            self.grade = grade
        }
    }

    private let rows: [Row]

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
                "the data-centre table has no row for this app key; add one or name the data centre")
        }
        return DataCenterResolution(dataCenter: try catalog.named(best.row.dataCenter), grade: best.row.grade)
    }
}
