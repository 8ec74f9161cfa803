import CNGHTTP2
import PushAdapter
import PushIO

/// Opens connections, watches over them, and forgets them.
extension HTTP2Engine {
    /// Above this, groups wait: strangers may choose hosts whose name servers do not answer.
    private static let mostOpenings = 512

    /// Opens a connection if the group has none, or if all have proved themselves and are full. A vendor may allow a
    /// single stream until it has seen a valid token, and many connections at once look like an attack.
    func openIfUseful(_ group: ConnectionGroup) {
        let current = group.current
        guard group.openingDeadline == nil, openings < Self.mostOpenings,
            current.count < max(1, configuration.maxConnections), current.allSatisfy(\.isFull)
        else { return }
        if let next = group.nextOpening, next > now { return noteCheck(next) }
        let deadline = now + configuration.connectTimeout
        group.openingDeadline = deadline
        openings += 1
        noteCheck(deadline)
        let key = group.key
        let connector = Connector(
            tls: tls, proxy: proxy, origin: key.origin, mustBePublic: key.mustBePublic, deadline: deadline, stop: stop)
        connector.start { [weak self] result in self?.leave(.opened(key, result)) }
    }

    func takeMessages() {
        let messages = messages.withLock { messages in
            defer { messages = [] }
            return messages ?? []
        }
        for message in messages {
            switch message {
            case .retire(let number): connections.values.first { $0.number == number }?.retire()
            case .retireGroup(let name):
                for group in groups where group.key.name == name { group.isEnding = true }
                nextCheck = now
            case .opened(let key, let result):
                guard let group = groups.first(where: { $0.key == key }) else { continue }
                do throws(PushError) {
                    lastConnection += 1
                    let connection = try HTTP2Connection(try result.get(), lastConnection, group, self)
                    connections[connection.socket] = connection
                    group.connections.append(connection)
                    watch(connection.socket)
                    // The server's settings may have come with the handshake.
                    connection.receive()
                } catch {
                    noteOpened(group, error)
                }
            }
        }
    }

    /// A connection is ready for requests, or will not be. Its group's requests share the failure, unless other connections
    /// go on.
    func noteOpened(_ group: ConnectionGroup, _ error: PushError?) {
        group.openingDeadline = nil
        guard let error else { return }
        delayOpening(group)
        if group.current.isEmpty { failWaiting(group, error) }
    }

    /// Fails the requests that a connection could have taken. The others wait for the next connection; otherwise one
    /// failure would end them all.
    private func failWaiting(_ group: ConnectionGroup, _ error: PushError) {
        for _ in 0..<maxInFlight {
            guard let call = group.line.next() else { return }
            answer(call, .failure(error))
        }
    }

    /// Delays the group's next connection, longer with each one in a row that answered nothing.
    func delayOpening(_ group: ConnectionGroup) {
        group.failures = min(group.failures + 1, 5)
        group.nextOpening = now + .milliseconds(50 << group.failures)
    }

    func noteChange(_ connection: HTTP2Connection) {
        guard !connection.isChanged else { return }
        connection.isChanged = true
        changed.append(connection)
    }

    /// There are more bytes than one connection may read or write in a turn.
    func noteAgain(_ connection: HTTP2Connection) {
        if !again.contains(where: { $0 === connection }) { again.append(connection) }
    }

    /// Requests that wait may go on.
    func noteNews() { hasNews = true }

    /// Counts bytes of responses that have not ended, and ends the longest ones while there are too many.
    func noteUnfinished(_ change: Int) {
        unfinishedBytes += change
        while unfinishedBytes > configuration.maxUnfinishedBytes {
            let longest = connections.values.compactMap(\.longest).max { $0.held < $1.held }
            guard let longest, longest.held > 0 else { return }
            longest.breach = .longTogether
            longest.connection.abandon(longest, longest.error(0))
        }
    }

    func noteCheck(_ time: ContinuousClock.Instant) { nextCheck = min(nextCheck ?? time, time) }

    /// A connection ended. Requests that wait for it get another one in the next turn.
    func noteEnd(_ connection: HTTP2Connection) {
        pb_forget(poller, connection.socket)
        connections[connection.socket] = nil
        connection.group.connections.removeAll { $0 === connection }
        // Its group may be forgotten.
        noteCheck(now)
        hasNews = true
    }

    /// Closes those that were idle for the longest time, while too many are idle.
    func closeIdle() {
        guard connections.count > configuration.maxIdleConnections else { return }
        let idle = connections.values.filter(\.isIdle).sorted { $0.lastUsed < $1.lastUsed }
        for connection in idle.dropLast(max(0, configuration.maxIdleConnections)) { connection.sayGoodbye() }
    }

    /// Forgets groups without requests and connections. One that remembers a failure goes later.
    private func forgetGroups() {
        groups.removeAll { group in
            guard group.isUnused else { return false }
            guard let end = group.memoryEnd, end > now else { return true }
            noteCheck(end)
            return false
        }
    }

    /// Checks connections that are silent, idle or not ready in time.
    func check() {
        nextCheck = nil
        for connection in connections.values { connection.check().map(noteCheck) }
        for group in groups {
            guard let deadline = group.openingDeadline else { continue }
            // The connector's own report comes first, unless the name server keeps it.
            if deadline + .milliseconds(100) <= now, group.current.isEmpty {
                failWaiting(group, ConnectionFailure.late.error())
                group.openingDeadline = now + configuration.connectTimeout
            }
            noteCheck(max(group.openingDeadline ?? now, now) + .milliseconds(100))
        }
        forgetGroups()
    }
}
