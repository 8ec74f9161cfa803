public import PushCore
public import PushSimulation

/// How the checks reach the vendor.
public struct ConformanceLink: Sendable {
    /// How real it is.
    public enum Level: String, Sendable, CaseIterable {
        /// A simulator in this process: microseconds a call.
        case inProcess = "in-process"
        /// A simulator behind TLS and a socket of this machine.
        case loopback
        /// The vendor itself: only checks that change nothing.
        case live
    }

    /// Gives a body the origin and a transport for a simulator, for the time of the body.
    public typealias Open =
        @Sendable (
            SimulatorHost, _ body: @Sendable (_ origin: String, any HTTPTransport) async throws -> Void
        ) async throws -> Void

    /// How real the vendor at its other end is.
    public let level: Level
    let open: Open

    /// A link of your own: `open` serves the simulator for as long as the body runs, and closes it afterwards.
    public init(_ level: Level, _ open: @escaping Open) {
        self.level = level
        self.open = open
    }

    /// Calls the simulator directly, without a socket.
    public static let inProcess = ConformanceLink(.inProcess) { host, body in
        try await body(InProcessTransport.origin, InProcessTransport(host))
    }
}
