package import FoundationEssentials

/// A column of the table of slices: its name, its value for a row, and how a row gets it back. The engines write and read rows
/// by ``SliceRow/columns`` alone; a new fact of a slice is a line there, a version of each engine's tables, and, if it is not the
/// same for all new slices, a line in `outbox_enqueue_prepared`.
package struct SliceColumn: Sendable {
    /// The value of a row, by its type.
    package enum Value: Sendable {
        case integer(@Sendable (SliceRow) -> Int64)
        case date(@Sendable (SliceRow) -> Date?)
        case text(@Sendable (SliceRow) -> String?)
        case bytes(@Sendable (SliceRow) -> [UInt8]?)
        /// The number of targets with an outcome.
        case count(SliceRow.Outcome)
    }

    package let name: String
    package let value: Value
    /// Sets what the column says. Nil for one that is not read with a row.
    let read: (@Sendable (inout SliceRow, any StoredRow, Int32) -> Void)?

    private init(
        _ name: String, _ value: Value, _ read: (@Sendable (inout SliceRow, any StoredRow, Int32) -> Void)? = nil
    ) {
        (self.name, self.value, self.read) = (name, value, read)
    }

    static func number(_ name: String, _ path: any WritableKeyPath<SliceRow, Int> & Sendable) -> SliceColumn {
        SliceColumn(name, .integer { Int64($0[keyPath: path]) }) { slice, row, column in
            slice[keyPath: path] = row.count(column)
        }
    }

    static func integer(
        _ name: String, _ value: @escaping @Sendable (SliceRow) -> Int64,
        _ read: @escaping @Sendable (inout SliceRow, Int64) -> Void
    ) -> SliceColumn {
        SliceColumn(name, .integer(value)) { slice, row, column in read(&slice, row.integer(column)) }
    }

    static func date(
        _ name: String, _ value: @escaping @Sendable (SliceRow) -> Date?,
        _ read: @escaping @Sendable (inout SliceRow, Date?) -> Void
    ) -> SliceColumn {
        SliceColumn(name, .date(value)) { slice, row, column in read(&slice, row.time(column)) }
    }

    static func text(
        _ name: String, _ value: @escaping @Sendable (SliceRow) -> String?,
        _ read: @escaping @Sendable (inout SliceRow, String?) -> Void
    ) -> SliceColumn {
        SliceColumn(name, .text(value)) { slice, row, column in read(&slice, row.text(column)) }
    }

    static func bytes(
        _ name: String, _ value: @escaping @Sendable (SliceRow) -> [UInt8]?,
        _ read: @escaping @Sendable (inout SliceRow, [UInt8]?) -> Void
    ) -> SliceColumn {
        SliceColumn(name, .bytes(value)) { slice, row, column in read(&slice, row.blob(column)) }
    }

    /// Only written, for sums over a campaign.
    static func count(_ name: String, _ outcome: SliceRow.Outcome) -> SliceColumn { SliceColumn(name, .count(outcome)) }
}
