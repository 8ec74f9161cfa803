import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import PushCore

/// The connections of a server, so that it can be ended when its clients have gone, or without them.
///
/// Ending the web server in the moment in which it takes a connection over stops the process: an accepted connection
/// that nobody handles is a programming error to it. And it waits without end for a client that holds one open.
final class OpenConnections: Sendable {
    struct Closing: Error {}

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosing = false
    }

    private let state = Locked(State())

    /// Takes a connection over, unless the server is about to end.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        return state.withLock { state in
            if !state.isClosing { state.channels[id] = channel }
            return !state.isClosing
        }
    }

    /// The server is done with a connection.
    func remove(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.channels[id] = nil }
    }

    /// Refuses connections from now on.
    func close() { state.withLock { $0.isClosing = true } }

    /// Returns when all have gone, after this time at the latest.
    func drain(upTo time: Duration) async {
        let end = ContinuousClock.now + time
        while state.withLock({ !$0.channels.isEmpty }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Closes those that are left.
    func breakAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.breakConnection() }
    }
}

/// A channel handler of the web server whose connections are known.
struct TrackedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: OpenConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        guard connections.add(channel) else {
            return channel.eventLoop.makeFailedFuture(OpenConnections.Closing())
        }
        let value = base.setup(channel: channel, logger: logger)
        value.whenFailure { [connections] _ in connections.remove(channel) }
        return value
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
        connections.remove(value.channel)
    }
}

extension Channel {
    /// Closes the socket below TLS, as a broken network does: no goodbye, and no wait for the client's.
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
