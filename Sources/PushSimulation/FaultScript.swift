import PushAdapter

/// A failure of a request, instead of the vendor's response or after it.
public enum Fault: Sendable, Hashable {
    /// The vendor throttles and does nothing. `reset` is the seconds until the quota reopens, nil without rate headers.
    case throttle(reset: Int?)
    /// The vendor responds with its own internal error, and does nothing.
    case serverError(status: Int)
    /// Something in front of the vendor answers with an HTML page; the vendor does nothing.
    case html(status: Int)
    /// This response instead; the vendor does nothing.
    case answer(SimulatedResponse)
    /// The vendor acts, but only half of the response body arrives.
    case truncated
    /// The vendor acts, and this many spaces follow its response.
    case oversize(bytes: Int)
    /// The vendor acts, but the connection closes after this many bytes of the body; 0: before any of the response.
    case hangUp(afterBytes: Int)
    /// The vendor does nothing and never responds.
    case silence
    /// The vendor acts and responds one byte at a time, with this pause between bytes.
    case drip(Duration)
    /// The vendor acts but its response is lost: the connection closes.
    case actedThenLost
    /// The vendor acts and responds after this time.
    case actedThenLate(Duration)
    /// The server resets the stream with REFUSED_STREAM, and the vendor does nothing. Over HTTP/1.1, the connection
    /// closes.
    case refusedStream
    /// The server says GOAWAY in place of a response, and the vendor does nothing; earlier requests of the connection
    /// end normally. Over HTTP/1.1, the connection closes.
    case goAway
}

/// The faults to come: each applies to the next requests that match it.
public final class FaultScript: Sendable {
    /// A fault that waits for requests.
    public struct Waiting: Sendable, Hashable {
        /// The failure.
        public var fault: Fault
        /// How many more requests it affects.
        public var times: Int
        /// It affects only requests whose path ends in this text; nil for all.
        public var path: String?
    }

    private let entries = Locked<[Waiting]>([])

    /// A script without faults.
    public init() {}

    /// Adds a fault after those that are already there.
    /// - Parameters:
    ///   - fault: the failure.
    ///   - times: how many requests it affects.
    ///   - path: only requests whose path ends in this text.
    public func add(_ fault: Fault, times: Int = 1, path: String? = nil) {
        entries.withLock { $0.append(Waiting(fault: fault, times: times, path: path)) }
    }

    /// The faults that wait, in the order in which they were added.
    public var remaining: [Waiting] { entries.withLock { $0 } }

    /// Removes all remaining faults.
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
