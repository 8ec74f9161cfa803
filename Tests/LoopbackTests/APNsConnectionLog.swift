import HostileServer
import PushAdapter

/// The server's handling of each request, in order.
final class APNsLog: Sendable {
    enum Fate: Sendable, Hashable {
        case accepted
        case refused(Int, String)
        /// The stream ended with REFUSED_STREAM.
        case refusedStream
        /// The stream was above the last stream of a GOAWAY.
        case unprocessed
        /// The request was processed but never answered.
        case lost

        var isRefusal: Bool { if case .refused = self { true } else { false } }
    }

    struct Event: Sendable {
        var connection: Int
        var token: String
        var signature: SignedToken?
        /// The `apns-id` of the response.
        var messageID: String
        var fate: Fate
    }

    private let state = Locked<(opened: Int, events: [Event])>((0, []))

    /// The number of connections so far.
    var opened: Int { state.withLock { $0.opened } }
    var events: [Event] { state.withLock { $0.events } }
    /// The fates of the requests for each token, in order.
    var fates: [String: [Fate]] { events.reduce(into: [:]) { $0[$1.token, default: []].append($1.fate) } }
    /// The tokens that signed the requests over a connection.
    func signatures(on connection: Int) -> Set<SignedToken> {
        Set(events.filter { $0.connection == connection }.compactMap(\.signature))
    }

    /// Counts a connection. Returns its number.
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

    /// The tokens whose status contradicts the server's log. The server must have taken each token at most once, and
    /// the client must know whether it did, unless the response never came.
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

/// One connection of the server, with Apple's responses. Each is logged before it is written.
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

    /// Refuses a request. By default it omits the type and the length of the body, as Apple's servers were seen to do.
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

    /// Refuses a stream above the limit. Apple's servers were seen to send a second RST_STREAM at times.
    func refuseStream(_ request: HostileHTTP2.Request, isTwice: Bool = false) {
        log.note(request, .refusedStream, on: number)
        http2.reset(request.stream, code: 7)
        if isTwice { http2.reset(request.stream, code: 5) }
    }

    /// Logs the fate of requests that get no response.
    func note(_ requests: some Sequence<HostileHTTP2.Request>, _ fate: APNsLog.Fate) {
        for request in requests { log.note(request, fate, on: number) }
    }

    /// Closes as Apple's servers were seen to do: a GOAWAY with the reason, and one without.
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
