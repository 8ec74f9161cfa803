import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import PushAdapter

/// The connections of a server, so that the server can stop when its clients have gone, or without waiting for them.
///
/// Stopping the web server while it takes over a connection crashes the process. The server treats an accepted
/// connection that is not handled as a programming error. It also waits forever for a client that holds a connection
/// open.
final class OpenConnections: Sendable {
    struct Closing: Error {}

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Connections that the web server has not begun to handle.
        var untouched: Set<ObjectIdentifier> = []
        var isClosing = false
    }

    private let most: Int
    private let state = Locked(State())

    /// At most this many connections.
    init(most: Int = .max) { self.most = most }

    /// Takes over a connection, unless the server is about to stop or has enough of them.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        return state.withLock { state in
            guard !state.isClosing, state.channels.count < most else { return false }
            state.channels[id] = channel
            state.untouched.insert(id)
            return true
        }
    }

    /// The server begins to handle a connection: from now on the server may be stopped.
    func begin(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        _ = state.withLock { $0.untouched.remove(id) }
    }

    /// The server is done with a connection.
    func remove(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { state in
            state.channels[id] = nil
            state.untouched.remove(id)
        }
    }

    /// Refuses connections from now on.
    func close() { state.withLock { $0.isClosing = true } }

    /// Returns when all connections have gone, after this time at the latest.
    func drain(upTo time: Duration) async { await wait(upTo: time) { !$0.channels.isEmpty } }

    /// Returns when the server handles all connections that it took over, after this time at the latest.
    func settle(upTo time: Duration) async { await wait(upTo: time) { !$0.untouched.isEmpty } }

    private func wait(upTo time: Duration, while isBusy: (State) -> Bool) async {
        let end = ContinuousClock.now + time
        while state.withLock({ isBusy($0) }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Closes the remaining connections.
    func breakAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.breakConnection() }
    }
}

/// A channel handler of the web server that records its connections.
struct TrackedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: OpenConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        let value =
            connections.add(channel)
            ? base.setup(channel: channel, logger: logger)
            : channel.eventLoop.makeFailedFuture(OpenConnections.Closing())
        // Nothing else closes a connection that is not handled.
        value.whenFailure { [connections] _ in
            connections.remove(channel)
            channel.close(promise: nil)
        }
        return value
    }

    func handle(value: Base.Value, logger: Logger) async {
        connections.begin(value.channel)
        await base.handle(value: value, logger: logger)
        connections.remove(value.channel)
    }
}

extension Channel {
    /// Closes the socket below TLS, as a broken network does: it sends no goodbye and does not wait for the client's.
    func breakConnection() {
        eventLoop.execute {
            if let tls = try? self.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
                tls.close(promise: nil)
            } else {
                self.close(promise: nil)
            }
        }
    }
}
