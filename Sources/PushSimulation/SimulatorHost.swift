public import PushAdapter

/// A simulator with its faults, journal and clock, ready to be called by a transport or a server.
public final class SimulatorHost: Sendable {
    /// The vendor's simulated server.
    public let simulator: any VendorSimulator
    /// The faults for the next requests; none at first.
    public let faults = FaultScript()
    /// The requests that reached the host, including those that a fault affected.
    public let journal = RequestJournal()
    /// The vendor's clock, which also times late responses.
    public let clock: any PushClock
    /// The simulator, if it speaks HTTP/2 only; nil for another one.
    package let http2Simulator: (any HTTP2Simulator)?

    /// A host for a simulator, without faults, by default on the system's clock.
    public init(_ simulator: any VendorSimulator, clock: any PushClock = SystemClock()) {
        self.simulator = simulator
        self.clock = clock
        http2Simulator = simulator as? any HTTP2Simulator
    }

    /// How a response goes back.
    public enum Delivery: Sendable {
        /// All of it, at once.
        case whole(SimulatedResponse)
        /// Whole, after this time.
        case late(SimulatedResponse, Duration)
        /// One byte of the body at a time, with this pause between bytes.
        case drip(SimulatedResponse, Duration)
        /// This many bytes of the body, then the connection closes; nil sends not even the head.
        case broken(SimulatedResponse, afterBytes: Int?)
        /// Nothing, until the client gives up.
        case silence
        /// Nothing: the stream is reset with REFUSED_STREAM.
        case refusedStream
        /// Nothing: GOAWAY says that the request was not processed.
        case goAway

        /// The response, whole; nil for none.
        fileprivate var response: SimulatedResponse? {
            switch self {
            case .whole(let response), .late(let response, _), .drip(let response, _), .broken(let response, _):
                response
            case .silence, .refusedStream, .goAway: nil
            }
        }
    }

    /// Answers a request as the fault script and the simulator say, and records it.
    public func handle(_ request: SimulatedRequest) async -> Delivery {
        let fault = faults.next(for: request)
        var answer: SimulatedResponse?
        let delivery: Delivery
        if let fault, let replacement = replacement(for: fault, request) {
            delivery = replacement
        } else {
            let response = await simulator.respond(to: request, at: clock.date)
            answer = response
            delivery = fault.map { spoil(response, $0) } ?? .whole(response)
        }
        journal.append(
            .init(
                date: clock.date, request: request, response: answer ?? delivery.response, status: answer?.status,
                fault: fault))
        return delivery
    }

    /// The response to a request that the vendor never sees; nil for faults that come after the vendor acted.
    private func replacement(for fault: Fault, _ request: SimulatedRequest) -> Delivery? {
        switch fault {
        case .throttle(let reset): return .whole(simulator.throttled(reset: reset, for: request))
        case .serverError(let status): return .whole(simulator.failed(status: status, for: request))
        case .html(let status):
            let page = "<html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>"
            return .whole(
                SimulatedResponse(status: status, headers: [.contentType: "text/html"], body: Array(page.utf8)))
        case .answer(let response): return .whole(response)
        case .silence: return .silence
        case .refusedStream: return .refusedStream
        case .goAway: return .goAway
        default: return nil
        }
    }

    private func spoil(_ response: SimulatedResponse, _ fault: Fault) -> Delivery {
        switch fault {
        case .truncated:
            let half = response.body.count / 2
            return .broken(response, afterBytes: half == 0 ? nil : half)
        case .oversize(let count):
            var long = response
            long.body += [UInt8](repeating: 0x20, count: count)
            return .whole(long)
        case .hangUp(let count): return .broken(response, afterBytes: count == 0 ? nil : count)
        case .actedThenLost: return .broken(response, afterBytes: nil)
        case .actedThenLate(let time): return .late(response, time)
        case .drip(let pause): return .drip(response, pause)
        default: return .whole(response)
        }
    }
}
