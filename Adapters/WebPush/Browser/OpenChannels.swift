import NIOCore
import PushAdapter

/// The connections of a server: not more than a limit, and none after the end.
final class OpenChannels: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Locked(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether a connection may stay. One that may is counted until it closes.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { [limit] state in
            guard !state.isClosed, state.channels.count < limit else { return false }
            state.channels[id] = channel
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { _ in _ = self.state.withLock { $0.channels.removeValue(forKey: id) } }
        }
        return isAdmitted
    }

    /// Closes all connections, and refuses further ones.
    func closeAll() {
        let channels = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
