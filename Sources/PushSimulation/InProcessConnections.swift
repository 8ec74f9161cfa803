import PushAdapter

/// The connections of an in-process transport: one for each group of requests, and a new one when that is retired.
final class InProcessConnections: Sendable {
    private struct Entry: Sendable {
        let group: String?
        let connection: SimulatedConnection
        /// The first signals of the simulator.
        let opening: Task<[ConnectionSignal], Never>
        /// Requests in flight.
        var requests = 0
        var isRetired = false
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        /// The end of all connections that were closed so far.
        var closing: Task<Void, Never>?
    }

    private let simulator: any HTTP2Simulator
    private let clock: any PushClock
    private let state = Locked(State())

    init(_ simulator: any HTTP2Simulator, clock: any PushClock) {
        self.simulator = simulator
        self.clock = clock
    }

    /// Returns a connection for a request, which must end it; nil if the simulator ends a new connection with a GOAWAY
    /// at once.
    func begin(_ group: String?) async -> SimulatedConnection? {
        let entry = state.withLock { state in
            if let index = state.entries.firstIndex(where: { $0.group == group && !$0.isRetired }) {
                state.entries[index].requests += 1
                return state.entries[index]
            }
            let connection = SimulatedConnection.next()
            let entry = Entry(
                group: group, connection: connection,
                opening: Task { [simulator, clock] in await simulator.opened(connection, at: clock.date) },
                requests: 1)
            state.entries.append(entry)
            return entry
        }
        let signals = await entry.opening.value
        guard signals.contains(where: \.isGoAway) else { return entry.connection }
        retire(entry.connection.id)
        await end(entry.connection)
        return nil
    }

    /// Ends a request; returns when the simulator knows of a connection that ends with it.
    func end(_ connection: SimulatedConnection) async {
        let closing = state.withLock { state -> Task<Void, Never>? in
            guard let index = state.entries.firstIndex(where: { $0.connection.id == connection.id }) else { return nil }
            state.entries[index].requests -= 1
            return closeIfUnused(index, &state)
        }
        await closing?.value
    }

    /// Gives no further requests to a connection.
    func retire(_ id: Int) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.connection.id == id }) else { return }
            state.entries[index].isRetired = true
            _ = closeIfUnused(index, &state)
        }
    }

    /// Gives no further requests to the connections of a group.
    func retire(group: String) {
        for entry in state.withLock({ $0.entries }) where entry.group == group { retire(entry.connection.id) }
    }

    /// Retires all connections; returns when those without requests in flight are closed.
    func retireAll() async {
        for id in state.withLock({ $0.entries.map(\.connection.id) }) { retire(id) }
        await state.withLock { $0.closing }?.value
    }

    /// Closes a connection that is not used any more, after those that close already.
    private func closeIfUnused(_ index: Int, _ state: inout State) -> Task<Void, Never>? {
        guard state.entries[index].isRetired, state.entries[index].requests == 0 else { return nil }
        let entry = state.entries.remove(at: index)
        let previous = state.closing
        let closing = Task { [simulator] in
            await previous?.value
            // It may have been retired before its first request.
            _ = await entry.opening.value
            await simulator.closed(entry.connection)
        }
        state.closing = closing
        return closing
    }
}

extension ConnectionSignal {
    var isGoAway: Bool { if case .goAway = self { true } else { false } }
}

extension SimulatorHost.Delivery {
    /// Whether the connection ends after it.
    var endsConnection: Bool {
        switch self {
        case .broken, .goAway: true
        case .whole(let response), .late(let response, _), .drip(let response, _):
            response.signals.contains(where: \.isGoAway)
        case .silence, .refusedStream: false
        }
    }
}
