import FoundationEssentials
import PushCore

/// What a slice's row says besides its numbers: why the last try failed, and since when targets are dead.
struct SliceNotes: Codable, Sendable, Hashable {
    var kind: PushError.Kind?
    var reason: String?
    /// By position, in seconds since 1970.
    var since: [Int: Double]?

    init?(reading bytes: [UInt8]?) {
        guard let bytes, let notes = try? JSONDecoder().decode(SliceNotes.self, from: Data(bytes)) else { return nil }
        self = notes
    }

    /// The reason of the last try, and the dates of all.
    init(_ error: PushError?, since dates: [Int: Date], adding old: [UInt8]?) {
        kind = error?.kind
        reason = error?.message
        let known = SliceNotes(reading: old)?.since ?? [:]
        let all = known.merging(dates.mapValues(\.timeIntervalSince1970)) { $1 }
        since = all.isEmpty ? nil : all
    }

    /// Nil for nothing.
    var bytes: [UInt8]? {
        guard kind != nil || since != nil, let data = try? JSONEncoder().encode(self) else { return nil }
        return Array(data)
    }
}
