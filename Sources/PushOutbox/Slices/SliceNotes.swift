import FoundationEssentials
import PushAdapter

/// The notes in a slice's row: why the last attempt failed, and since when targets are dead.
struct SliceNotes: Codable, Sendable, Hashable {
    var kind: PushError.Kind?
    var reason: String?
    /// Dates by the index of the target, in seconds since 1970.
    var since: [Int: Double]?

    init?(reading bytes: [UInt8]?) {
        guard let bytes, let notes = try? JSONDecoder().decode(SliceNotes.self, from: Data(bytes)) else { return nil }
        self = notes
    }

    /// Keeps the reason of the last attempt and adds to the known dates. A stop of the worker or a pause by a person is
    /// not a reason.
    /// - Parameter failure: why some targets failed, if each had a request of its own.
    init(_ error: PushError?, _ failure: PushError.Kind? = nil, since dates: [Int: Date] = [:], adding old: [UInt8]?) {
        let error = error.flatMap { $0.kind.subject == .worker ? nil : $0 }
        kind = error?.kind ?? failure
        reason = error?.reason
        let known = SliceNotes(reading: old)?.since ?? [:]
        let all = known.merging(dates.mapValues(\.timeIntervalSince1970)) { $1 }
        since = all.isEmpty ? nil : all
    }

    /// Why the last attempt failed, for people, beginning with the kind; nil if it did not fail.
    var text: String? { reason ?? kind?.rawValue }

    /// The notes as JSON; nil if there are none.
    var bytes: [UInt8]? {
        guard kind != nil || since != nil, let data = try? JSONEncoder().encode(self) else { return nil }
        return Array(data)
    }
}

extension PushError {
    /// A text for people: the kind, the message, and the vendor's code.
    var reason: String { "\(kind): \(message)" + (vendor?.code.map { " (vendor code \($0))" } ?? "") }
}
