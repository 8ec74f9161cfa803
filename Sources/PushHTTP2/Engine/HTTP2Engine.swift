import CNGHTTP2
import Glibc
import PushAdapter
import PushIO

/// The work of the I/O thread: gives requests to connections, and time to both.
///
/// `@unchecked`: `messages` is locked, and the signals are descriptors. Everything else belongs to the thread.
final class HTTP2Engine: IOWork, @unchecked Sendable {
    /// A message from another thread.
    enum Message: Sendable {
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

    let tls: TLSClient
    let proxy: Proxy?
    let poller: Int32
    private let signal = Signal()
    let stop = Signal()
    /// Nil after the end: the sender of a later message releases it.
    let messages = Locked<[Message]?>([])
    private var events = [pb_event](repeating: pb_event(), count: Int(pb_most_events))
    private var eventCount = 0

    let maxInFlight: Int
    var groups: [ConnectionGroup] = []
    var connections: [Int32: HTTP2Connection] = [:]
    /// Requests that have room on a connection, and whose callers are asked whether they may leave.
    private var asked: [ObjectIdentifier: Transfer] = [:]
    /// Bytes of responses that have not ended.
    var unfinishedBytes = 0
    var lastConnection = 0
    /// Connections that are being opened, each on a thread of its own.
    var openings = 0
    /// Connections that had more to read or to write than one may in a turn, and those with something to write.
    var again: [HTTP2Connection] = []
    var changed: [HTTP2Connection] = []
    /// When the first request runs out of time, and when the first connection or group needs a check.
    private var nextExpiry: ContinuousClock.Instant?
    var nextCheck: ContinuousClock.Instant?
    /// A request was answered in this turn, or another one may go on.
    var hasNews = false

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

    func leave(_ message: Message) {
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
