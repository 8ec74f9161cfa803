import PushAdapter

/// The frames that clients sent over HTTP/2, on all connections of a server.
package final class HTTP2Journal: Sendable {
    package struct Entry: Sendable {
        package var connection: Int
        package var frame: HostileHTTP2.Frame
    }

    package struct Head: Sendable {
        package var connection: Int
        package var request: HostileHTTP2.Request
    }

    package struct Reset: Sendable {
        package var connection: Int
        package var stream: Int
        package var code: Int
    }

    private struct State {
        var entries: [Entry] = []
        var heads: [Head] = []
        var violations: [String] = []
    }

    private let state = Locked(State())
    /// A flooded client may send many acknowledgments.
    private static let mostEntries = 20_000

    package init() {}

    /// All frames, in the order in which the server read them.
    package var entries: [Entry] { state.withLock { $0.entries } }
    /// The headers of all requests.
    package var heads: [Head] { state.withLock { $0.heads } }
    package var paths: [String] { heads.map(\.request.path) }
    /// The rules that a client broke.
    package var violations: [String] { state.withLock { $0.violations } }

    /// The frames of one type on a connection.
    package func frames(_ type: HostileHTTP2.FrameType, on connection: Int = 1) -> [HostileHTTP2.Frame] {
        entries.filter { $0.connection == connection && $0.frame.type == type }.map(\.frame)
    }

    /// The RST_STREAM frames of all connections.
    package var resets: [Reset] {
        entries.filter { $0.frame.type == .resetStream }.map {
            Reset(
                connection: $0.connection, stream: $0.frame.stream, code: HostileHTTP2.number($0.frame.payload[...]))
        }
    }

    func note(_ frame: HostileHTTP2.Frame, on connection: Int) {
        state.withLock { state in
            guard state.entries.count < Self.mostEntries else { return }
            state.entries.append(Entry(connection: connection, frame: frame))
        }
    }

    func note(_ request: HostileHTTP2.Request, on connection: Int) {
        state.withLock { $0.heads.append(Head(connection: connection, request: request)) }
    }

    func violate(_ text: String) { state.withLock { $0.violations.append(text) } }
}
