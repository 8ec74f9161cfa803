public import PushAdapter
public import PushSimulation

/// How the checks reach the vendor.
public struct ConformanceLink: Sendable {
    /// How real the vendor is.
    public enum Level: String, Sendable, CaseIterable {
        /// A simulator in this process: microseconds per call.
        case inProcess = "in-process"
        /// A simulator on this machine, over TLS and a socket.
        case loopback
        /// The vendor itself: only checks that change nothing.
        case live
    }

    /// Runs a body with the origin of a simulator and a transport to it.
    public typealias Open =
        @Sendable (
            SimulatorHost, _ body: @Sendable (_ origin: String, any HTTPTransport) async throws -> Void
        ) async throws -> Void

    /// How real the vendor at the other end is.
    public let level: Level
    let open: Open

    /// Creates your own link. `open` serves the simulator while the body runs, then closes it.
    public init(_ level: Level, _ open: @escaping Open) {
        self.level = level
        self.open = open
    }

    /// Calls the simulator directly, without a socket.
    public static let inProcess = ConformanceLink(.inProcess) { host, body in
        try await body(InProcessTransport.origin, InProcessTransport(host))
    }
}
