public import FoundationEssentials
import PushAdapter

/// The connection that a request came over.
public struct SimulatedConnection: Sendable, Hashable {
    /// Its number, unique in the process.
    public let id: Int
    /// The certificate that the client showed, in DER form; nil for none.
    public var certificate: [UInt8]?

    /// A connection with a number; servers and transports number theirs from 1.
    public init(id: Int, certificate: [UInt8]? = nil) {
        self.id = id
        self.certificate = certificate
    }

    private static let lastID = Locked(0)

    /// A connection with the next number of this process.
    package static func next(certificate: [UInt8]? = nil) -> SimulatedConnection {
        let id = lastID.withLock { id in
            id += 1
            return id
        }
        return SimulatedConnection(id: id, certificate: certificate)
    }
}

/// A server's signal about a connection, besides responses.
public enum ConnectionSignal: Sendable, Hashable {
    /// At most this many streams at once from now on (SETTINGS). Applies over sockets; in one process, all requests run
    /// at once.
    case streamLimit(Int)
    /// GOAWAY with this debug data: no stream that the simulator has not begun to answer is processed. The connection
    /// closes when those have ended.
    case goAway([UInt8])
}

/// A vendor's server that speaks HTTP/2 only and looks at connections.
///
/// Its requests have a ``SimulatedRequest/connection``, and its responses may have ``SimulatedResponse/signals``.
public protocol HTTP2Simulator: VendorSimulator {
    /// A connection was opened; it carries no request before this returns.
    ///
    /// Returns the first signals for the client. A `streamLimit` there is part of the first SETTINGS; without one, the
    /// limit is 100.
    func opened(_ connection: SimulatedConnection, at now: Date) async -> [ConnectionSignal]
    /// A connection is gone, and all its requests have ended.
    func closed(_ connection: SimulatedConnection) async
}
