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
    private let channels = Locked<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { [channels] _ in channels.withLock { $0[id] = nil } }
    }

    /// Returns when all have gone, after this time at the latest.
    func drain(upTo time: Duration) async {
        let end = ContinuousClock.now + time
        while channels.withLock({ !$0.isEmpty }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Closes those that are left.
    func breakAll() {
        for channel in channels.withLock({ Array($0.values) }) { channel.breakConnection() }
    }
}

/// A channel handler of the web server whose connections are known.
struct TrackedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: OpenConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        connections.add(channel)
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
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
