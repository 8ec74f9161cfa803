import HostileServer
import PushAdapter

/// What a server did with each request that it dealt with, in order.
final class APNsLog: Sendable {
    enum Fate: Sendable, Hashable {
        case accepted
        case refused(Int, String)
        /// The stream ended with REFUSED_STREAM.
        case refusedStream
        /// It was above the last stream of a GOAWAY.
        case unprocessed
        /// It was processed, and never answered.
        case lost

        var isRefusal: Bool { if case .refused = self { true } else { false } }
    }

    struct Event: Sendable {
        var connection: Int
        var token: String
        var signature: SignedToken?
        /// The `apns-id` of the answer.
        var messageID: String
        var fate: Fate
    }

    private let state = Locked<(opened: Int, events: [Event])>((0, []))

    /// Connections so far.
    var opened: Int { state.withLock { $0.opened } }
    var events: [Event] { state.withLock { $0.events } }
    /// What became of the requests for each token, in order.
    var fates: [String: [Fate]] { events.reduce(into: [:]) { $0[$1.token, default: []].append($1.fate) } }
    /// The tokens that signed the requests over a connection.
    func signatures(on connection: Int) -> Set<SignedToken> {
        Set(events.filter { $0.connection == connection }.compactMap(\.signature))
    }

    /// Counts a connection and returns its number.
    func open() -> Int {
        state.withLock { state in
            state.opened += 1
            return state.opened
        }
    }

    func note(_ request: HostileHTTP2.Request, _ fate: Fate, on connection: Int, messageID: String = "") {
        let event = Event(
            connection: connection, token: request.deviceToken, signature: SignedToken(request), messageID: messageID,
            fate: fate)
        state.withLock { $0.events.append(event) }
    }

    /// Where statuses are not what the server did. It must have taken each token at most once, and the client must know
    /// whether it did, unless the answer never came.
    func contradictions(to statuses: [String: TargetStatus]) -> [String] {
        let fates = fates
        return statuses.compactMap { token, status in
            let seen = fates[token] ?? []
            let taken = seen.filter { $0 == .accepted || $0 == .lost }
            let isTrue =
                switch status {
                case .accepted: taken == [.accepted]
                case .unknown: taken == [.lost]
                case .invalid, .suspect, .rejected(mayRetry: false): taken.isEmpty && seen.last?.isRefusal == true
                case .malformed, .rejected, .notAttempted: taken.isEmpty
                case .duplicate: false
                }
            return isTrue ? nil : "\(token): \(status), and the server did \(seen)"
        }
    }
}

/// One connection of the server, with Apple's answers. Each is noted before it is written.
struct APNsConnection {
    let http2: HostileHTTP2
    let number: Int
    let log: APNsLog

    func next() -> HostileHTTP2.Request? { http2.request() }

    func accept(_ request: HostileHTTP2.Request) {
        let id = request.header("apns-id") ?? "made for stream \(request.stream) of \(number)"
        log.note(request, .accepted, on: number, messageID: id)
        http2.answer(request.stream, 200, [], headers: [("apns-id", id)])
    }

    /// Refuses a request; by default as Apple's servers were seen to, without the type and the length of the body.
    func refuse(
        _ request: HostileHTTP2.Request, _ status: Int, _ reason: String, timestamp: Int? = nil, isBare: Bool = true
    ) {
        log.note(request, .refused(status, reason), on: number)
        let date = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
        let body = Array("{\"reason\":\"\(reason)\"\(date)}".utf8)
        if isBare {
            http2.header(request.stream, [(":status", String(status))])
            http2.data(request.stream, body, isLast: true)
        } else {
            http2.answer(request.stream, status, body, headers: [("content-type", "application/json")])
        }
    }

    /// Refuses a stream above the limit, as Apple's servers were seen to: sometimes with a second RST_STREAM.
    func refuseStream(_ request: HostileHTTP2.Request, isTwice: Bool = false) {
        log.note(request, .refusedStream, on: number)
        http2.reset(request.stream, code: 7)
        if isTwice { http2.reset(request.stream, code: 5) }
    }

    /// Notes what becomes of requests that get no answer.
    func note(_ requests: some Sequence<HostileHTTP2.Request>, _ fate: APNsLog.Fate) {
        for request in requests { log.note(request, fate, on: number) }
    }

    /// Takes leave, as Apple's servers were seen to: a GOAWAY with the reason, and one without.
    func leave(last: Int, because reason: String) {
        http2.together {
            http2.goAway(last: last, text: "{\"reason\":\"\(reason)\"}")
            http2.goAway(last: last)
        }
    }
}

extension HostileHTTP2.Request {
    /// The last part of the path.
    var deviceToken: String { String(path.split(separator: "/").last ?? "") }
}
