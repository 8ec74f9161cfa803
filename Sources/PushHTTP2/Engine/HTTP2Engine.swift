import CNGHTTP2
import Glibc
import PushAdapter
import PushIO

/// The work of the I/O thread: gives requests to connections, and time to both.
///
/// `@unchecked`: `messages` is locked, and the signals are descriptors. Everything else belongs to the thread.
final class HTTP2Engine: IOWork, @unchecked Sendable {
    /// A message from another thread.
    private enum Message: Sendable {
        case opened(ConnectionGroup.Key, Result<Link, PushError>)
        case retire(Int)
        case retireGroup(String)
    }

    let configuration: HTTP2Configuration
    let names = HeaderNames()
    let readBuffer: UnsafeMutableRawBufferPointer
    /// The bytes that connections write in a turn, before encryption.
    var writeBuffer: [UInt8] = []
    var block: HeaderBlock
    /// The time of this turn.
    private(set) var now = ContinuousClock.now

    private let tls: TLSClient
    private let proxy: Proxy?
    private let poller: Int32
    private let signal = Signal()
    private let stop = Signal()
    /// Nil after the end: the sender of a later message releases it.
    private let messages = Locked<[Message]?>([])
    private var events = [pb_event](repeating: pb_event(), count: Int(pb_most_events))
    private var eventCount = 0

    private let maxInFlight: Int
    private var groups: [ConnectionGroup] = []
    private var connections: [Int32: HTTP2Connection] = [:]
    /// Requests that have room on a connection, and whose callers are asked whether they may leave.
    private var asked: [ObjectIdentifier: Transfer] = [:]
    /// Bytes of responses that have not ended.
    private var unfinishedBytes = 0
    private var lastConnection = 0
    /// Connections that are being opened, each on a thread of its own.
    private var openings = 0
    /// Above this, groups wait: strangers may choose hosts whose name servers do not answer.
    private static let mostOpenings = 512
    /// Connections that had more to read or to write than one may in a turn, and those with something to write.
    private var again: [HTTP2Connection] = []
    private var changed: [HTTP2Connection] = []
    /// When the first request runs out of time, and when the first connection or group needs a check.
    private var nextExpiry: ContinuousClock.Instant?
    private var nextCheck: ContinuousClock.Instant?
    /// A request was answered in this turn, or another one may go on.
    private var hasNews = false

    init(_ configuration: HTTP2Configuration) throws(PushError) {
        self.configuration = configuration
        maxInFlight = max(1, configuration.maxInFlight)
        try configuration.checkUserAgent()
        block = HeaderBlock(userAgent: configuration.userAgent)
        tls = try TLSClient(configuration)
        proxy = if let address = configuration.proxy { try Proxy(address) } else { nil }
        readBuffer = .allocate(byteCount: 16 << 10, alignment: 16)
        poller = pb_poller()
        guard poller >= 0, signal.descriptor >= 0, stop.descriptor >= 0 else {
            throw PushError(.invalidState, "no descriptor for the I/O thread (error \(errno))")
        }
        watch(signal.descriptor)
    }

    deinit {
        if poller >= 0 { close(poller) }
        readBuffer.deallocate()
    }

    // MARK: Called from any thread

    func wake() { signal.raise() }

    func retire(_ connection: Int) { leave(.retire(connection)) }

    func retire(group: String) { leave(.retireGroup(group)) }

    private func leave(_ message: Message) {
        messages.withLock { $0?.append(message) }
        wake()
    }

    // MARK: Requests

    func begin(_ call: Transfer) {
        let group = group(of: call)
        call.state = group
        group.line.append(call)
        noteExpiry(call.end)
    }

    func proceed(_ call: Transfer) {
        guard let connection = freePlace(of: call) else { return }
        // The thread may have slept since its last turn.
        if call.mayLeave(.now), connection.takesRequest() { return connection.submit(call) }
        // The connection ended meanwhile, or the caller took too long and is asked again.
        call.state = connection.group
        connection.group.line.putBack(call)
    }

    /// Keeps room for a request, and asks its caller whether it may leave.
    private func ask(_ call: Transfer, for connection: HTTP2Connection) {
        call.state = HTTP2Place(on: connection)
        connection.places += 1
        connection.group.inFlight += 1
        asked[ObjectIdentifier(call)] = call
        call.ask(now)
    }

    /// Frees the room that was kept for a request; returns its connection.
    private func freePlace(of call: Transfer) -> HTTP2Connection? {
        guard let place = call.state as? HTTP2Place else { return nil }
        place.connection.places -= 1
        place.connection.group.inFlight -= 1
        asked[ObjectIdentifier(call)] = nil
        call.state = nil
        return place.connection
    }

    func cancel(_ call: Transfer) { abandon(call) { .cancelled(wasSent: $0) } }

    /// Ends a request in any state.
    private func abandon(_ call: Transfer, _ error: (_ wasSent: Bool) -> PushError) {
        if let stream = call.state as? HTTP2Stream {
            stream.connection.abandon(stream, error(stream.wasSent))
        } else {
            answer(call, .failure(error(false)))
        }
    }

    /// Answers a request, and frees its slot if it has one.
    func answer(_ call: Transfer, _ result: Transfer.Answer) {
        guard !call.isOver else { return }
        if let stream = call.state as? HTTP2Stream { stream.connection.group.inFlight -= 1 }
        _ = freePlace(of: call)
        hasNews = true
        call.state = nil
        call.answer(result)
    }

    func turn() -> Bool {
        now = .now
        hasNews = false
        // The network first: a message that comes now is taken, or wakes the thread again.
        readAll()
        takeMessages()
        if let due = nextExpiry, due <= now { expire() }
        if let due = nextCheck, due <= now { check() }
        openings = groups.count { $0.openingDeadline != nil }
        for group in groups { dispatch(group) }
        closeIdle()
        // Writing may end a connection, but marks no other one as changed.
        while let connection = changed.popLast() { connection.flush() }
        return hasNews || !again.isEmpty
    }

    private func group(of call: Transfer) -> ConnectionGroup {
        let request = call.request
        // A proxy checks the addresses itself.
        let key = ConnectionGroup.Key(
            origin: call.origin, name: request.connectionGroup,
            mustBePublic: request.requiresPublicAddress && proxy == nil)
        if let group = groups.first(where: { $0.key == key }) { return group }
        let group = ConnectionGroup(key)
        groups.append(group)
        return group
    }

    private func dispatch(_ group: ConnectionGroup) {
        while group.inFlight < maxInFlight, group.line.hasNext {
            guard let connection = group.connections.first(where: { $0.takesRequest() }) else {
                return openIfUseful(group)
            }
            guard let call = group.line.next() else { return }
            if call.mayLeave(now) { connection.submit(call) } else { ask(call, for: connection) }
        }
    }

    /// Ends requests that are out of time; runs only when the first one is.
    private func expire() {
        let late = { (call: Transfer) in
            if call.state is HTTP2Place { return self.answer(call, .failure(.notAllowedInTime)) }
            let group = call.state as? ConnectionGroup
            let isFull = group?.inFlight == self.maxInFlight
            let isUnconnected = !isFull && group.map { !$0.current.contains(where: \.isReady) } ?? false
            self.abandon(call) { wasSent in
                if isUnconnected, !wasSent { return ConnectionFailure.late.error() }
                if isFull { return .noSlot(among: self.maxInFlight) }
                let reason = wasSent ? "no response in time" : "no connection with a free stream in time"
                return .transport(reason, kind: .timeout, wasSent: wasSent)
            }
        }
        var dues = groups.map { $0.line.expire(now, late) }
        for call in connections.values.flatMap(\.calls) + asked.values where !call.isOver {
            if call.end <= now { late(call) } else { dues.append(call.end) }
        }
        nextExpiry = dues.compactMap { $0 }.min()
    }

    private func noteExpiry(_ end: ContinuousClock.Instant) { nextExpiry = min(nextExpiry ?? end, end) }

    // MARK: Connections

    /// Opens a connection if the group has none, or if all have proved themselves and are full. A vendor may allow a
    /// single stream until it has seen a valid token, and many connections at once look like an attack.
    private func openIfUseful(_ group: ConnectionGroup) {
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

    private func takeMessages() {
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
    private func closeIdle() {
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
    private func check() {
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

    // MARK: The network

    private func readAll() {
        let first = again
        again = []
        for connection in first { connection.receive() }
        for event in events[..<eventCount] {
            if event.descriptor == signal.descriptor {
                signal.clear()
            } else if let connection = connections[event.descriptor] {
                if event.has_room != 0 { noteChange(connection) }
                if event.has_bytes != 0, !first.contains(where: { $0 === connection }) { connection.receive() }
            }
        }
        eventCount = 0
    }

    func wait(mayBlock: Bool) {
        var time: Int32 = 0
        if mayBlock {
            let due = [nextExpiry, nextCheck].compactMap { $0 }.min()
            // Rounded up, or the thread would spin through the last millisecond.
            time = due.map { Int32(clamping: max(0, ($0 - .now).wholeMilliseconds) + 1) } ?? 60_000
        }
        eventCount = Int(pb_wait(poller, &events, time))
    }

    /// Waits for bytes on a descriptor, and for room to write if asked to.
    func watch(_ descriptor: Int32, isNew: Bool = true, forRoom: Bool = false) {
        _ = pb_watch(poller, descriptor, isNew ? 1 : 0, forRoom ? 1 : 0)
    }

    func end() {
        stop.raise()
        for call in asked.values { answer(call, .failure(.cancelled(wasSent: false))) }
        for group in groups { group.line.removeAll { answer($0, .failure(.cancelled(wasSent: false))) } }
        for connection in Array(connections.values) { connection.sayGoodbye() }
        // Connections and this object refer to each other.
        (changed, again) = ([], [])
        messages.withLock { $0 = nil }
    }
}
