/// Requests that were given up, whose responses may still come: those are no flood.
struct LateResponses {
    /// Bytes that may still come for each.
    private var rest: [Int32: Int] = [:]

    /// More than those that are given up while a response is on its way.
    private static let most = 4_096

    /// Notes that a request was given up.
    /// - Parameter most: bytes that its window and the limit of headers allow.
    mutating func expect(_ id: Int32, atMost most: Int) {
        if rest.count >= Self.most {
            let oldest = rest.keys.sorted().prefix(Self.most / 2)
            for id in oldest { rest[id] = nil }
        }
        rest[id] = most
    }

    /// Notes a frame of such a response, and that none follows its last one. False if the frame belongs to none.
    mutating func take(_ id: Int32, length: Int, isLast: Bool) -> Bool {
        guard let left = rest[id], left >= length else { return false }
        rest[id] = isLast ? nil : left - length
        return true
    }
}
