import PushAdapter

/// The browsers that wait for events. Each has a signal and reads new entries at its own pace, so a slow one costs
/// nothing.
final class EventStreams: Sendable {
    /// One browser.
    struct Client: Sendable {
        var id: Int
        /// Something may be new. Ends when the client goes, or the server stops.
        var signals: AsyncStream<Void>
    }

    private struct State {
        var revision = 0
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastID = 0
        var isClosed = false
    }

    private static let mostClients = 16
    private let state = Locked(State())

    /// Grows with every change.
    var revision: Int { state.withLock { $0.revision } }
    var hasRoom: Bool { state.withLock { !$0.isClosed && $0.signals.count < Self.mostClients } }

    /// Adds a client, with a first signal; nil if there are too many, or the server stops.
    func join() -> Client? {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            guard !state.isClosed, state.signals.count < Self.mostClients else { return nil }
            state.lastID += 1
            state.signals[state.lastID] = signal
            return state.lastID
        }
        guard let id else { return nil }
        signal.yield()
        return Client(id: id, signals: signals)
    }

    func leave(_ id: Int) { state.withLock { $0.signals.removeValue(forKey: id) }?.finish() }

    /// Records that the phones or the simulator changed.
    func noteChange() {
        signal { $0.revision += 1 }
    }

    /// Signals all clients although nothing changed, so that they find out whether their browsers are still there.
    func wake() { signal { _ in } }

    /// Ends all streams, now and from now on.
    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.signals = [:] }
            return Array(state.signals.values)
        }
        for signal in all { signal.finish() }
    }

    private func signal(_ change: (inout State) -> Void) {
        let all = state.withLock { state in
            change(&state)
            return Array(state.signals.values)
        }
        for signal in all { signal.yield() }
    }
}
