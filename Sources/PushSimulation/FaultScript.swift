import PushCore

/// What goes wrong with a request instead of, or after, the vendor's answer.
public enum Fault: Sendable, Hashable {
    /// The vendor throttles; nothing is done. Seconds until the quota reopens, nil without rate headers.
    case throttle(reset: Int?)
    /// The vendor fails inside with its own error body; nothing is done.
    case serverError(status: Int)
    /// Something in front of the vendor answers with an HTML page; nothing is done.
    case html(status: Int)
    /// Another answer altogether; nothing is done.
    case answer(SimulatedResponse)
    /// The vendor acts, and only half of its answer's body arrives.
    case truncated
    /// The vendor acts, and its answer is followed by so many spaces.
    case oversize(bytes: Int)
    /// The vendor acts, and the connection closes after so many bytes of its body; 0: before any of the answer.
    case hangUp(afterBytes: Int)
    /// Nothing is done and nothing is answered.
    case silence
    /// The vendor acts and answers one byte at a time, with this pause between them.
    case drip(Duration)
    /// The vendor acts and its answer is lost: the connection closes.
    case actedThenLost
    /// The vendor acts and answers after this time.
    case actedThenLate(Duration)
}

/// The faults that lie ahead: each applies to the next requests it matches.
public final class FaultScript: Sendable {
    private struct Entry {
        var fault: Fault
        var times: Int
        var path: String?
    }

    private let entries = Locked<[Entry]>([])

    /// A script without faults.
    public init() {}

    /// Adds a fault behind those that are already there.
    /// - Parameters:
    ///   - fault: what goes wrong.
    ///   - times: how many requests it meets.
    ///   - path: only requests whose path ends in this text.
    public func add(_ fault: Fault, times: Int = 1, path: String? = nil) {
        entries.withLock { $0.append(Entry(fault: fault, times: times, path: path)) }
    }

    /// Drops every fault that still lies ahead.
    public func removeAll() { entries.withLock { $0 = [] } }

    /// Takes the next fault for a request.
    func next(for request: SimulatedRequest) -> Fault? {
        entries.withLock { entries in
            let index = entries.firstIndex { entry in entry.path.map(request.path.hasSuffix) ?? true }
            guard let index else { return nil }
            let fault = entries[index].fault
            entries[index].times -= 1
            if entries[index].times <= 0 { entries.remove(at: index) }
            return fault
        }
    }
}
