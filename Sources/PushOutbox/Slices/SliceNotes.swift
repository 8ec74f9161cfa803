import FoundationEssentials
import PushAdapter

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

    /// The reason of the last try, and the dates of all. That the worker stopped, or that a person paused, is no reason.
    /// - Parameter failure: why some targets are not settled, where each had a request of its own.
    init(_ error: PushError?, _ failure: PushError.Kind? = nil, since dates: [Int: Date] = [:], adding old: [UInt8]?) {
        let error = error.flatMap { $0.kind.subject == .worker ? nil : $0 }
        kind = error?.kind ?? failure
        reason = error?.reason
        let known = SliceNotes(reading: old)?.since ?? [:]
        let all = known.merging(dates.mapValues(\.timeIntervalSince1970)) { $1 }
        since = all.isEmpty ? nil : all
    }

    /// Why the last try failed, for people, its kind first; nil if it did not.
    var text: String? { reason ?? kind?.rawValue }

    /// Nil for nothing.
    var bytes: [UInt8]? {
        guard kind != nil || since != nil, let data = try? JSONEncoder().encode(self) else { return nil }
        return Array(data)
    }
}

extension PushError {
    /// For people: its kind, its message, and the vendor's code.
    var reason: String { "\(kind): \(message)" + (vendor?.code.map { " (vendor code \($0))" } ?? "") }
}
