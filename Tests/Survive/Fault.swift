import Glibc
import HostileServer
import PushAdapter

/// The server's treatment of a request. "After" means after the request was applied.
enum Fault: String, CaseIterable, Sendable {
    case honest
    // Responses of a vendor, a proxy, a broken server.
    case refuses, throttles, throttlesFor, throttlesAfter, failsBefore, failsAfter, explainsAfter, page, pageOfGateway
    case redirects, redirectsKeepingMethod, errorBehindSpaces, empty, emptyObject, wrongTypes, otherID
    case deepJSON, wideJSON, longNumber, repeatedKeys, noUTF8, bomb, emptyKeys, sameKeys, refusesToken
    // Bytes.
    case closesBefore, resetsBefore, closesAfter, resetsAfter, silentBefore, silentAfter, cutsAnswer, cutsHeader
    case endlessBody, endlessHeader, endlessInterim, interim, drip, longerThanSaid, shorterThanSaid, badChunks
    case twoLengths, negativeLength, foreignVersion, oldVersion, noHTTP, bareBody, nulInHeader, switchesProtocol
    case twiceAtOnce, twiceWithRefusal, twiceSplit, answersEarly, answersAndCloses
    // HTTP/2 only: one stream.
    case endsAlone, endsWithTrailers, refusesStream, refusesAfterHeaders, resetsStreamAfter, pings, settings
    case headersOnly, longField, dataAfterEnd, answersFinishedStream, oneStream, noStreams, narrowWindows
    // HTTP/2 only: the whole connection.
    case goesAwayAfter, goesAwayBefore, goesAwayTwice, badFrame, badCompression, promisesPush, overflowsWindow
    case answersIdleStream, floods, continuations

    private static let ofStreams: [Fault] = [
        .endsAlone, .endsWithTrailers, .refusesStream, .refusesAfterHeaders, .resetsStreamAfter, .pings, .settings,
        .headersOnly, .longField, .dataAfterEnd, .answersFinishedStream, .oneStream, .noStreams, .narrowWindows,
    ]
    private static let ofConnections: [Fault] = [
        .goesAwayAfter, .goesAwayBefore, .goesAwayTwice, .badFrame, .badCompression, .promisesPush, .overflowsWindow,
        .answersIdleStream, .floods, .continuations,
    ]
    /// Faults that are valid as frames and leave the connection open.
    static let http2Stream: [Fault] =
        [
            .refuses, .throttles, .throttlesFor, .throttlesAfter, .failsBefore, .failsAfter, .explainsAfter, .page,
            .pageOfGateway, .redirects, .errorBehindSpaces, .empty, .otherID, .deepJSON, .emptyKeys, .sameKeys,
            .refusesToken, .silentBefore, .silentAfter, .endlessBody, .endlessInterim, .interim, .drip, .cutsAnswer,
            .longerThanSaid,
            .shorterThanSaid, .twoLengths, .negativeLength,
        ] + ofStreams
    /// Faults that end an HTTP/2 connection with all of its streams.
    static let http2Connection: [Fault] = [.closesBefore, .resetsBefore, .closesAfter, .resetsAfter] + ofConnections
    static let http1 = allCases.filter { $0 != .honest && !(ofStreams + ofConnections).contains($0) }
}

extension HostileVendor {
    struct Answer {
        let status: Int
        let body: [UInt8]
        var headers: [(String, String)] = []
        var isSuccess = false
    }

    /// The response for a fault without broken bytes, for both HTTP/1.1 and HTTP/2. Nil for a fault that needs broken
    /// bytes.
    func plainAnswer(to fault: Fault, _ request: Request) -> Answer? {
        let call = request.call
        func answer(_ status: Int, _ text: String, _ headers: [(String, String)] = []) -> Answer {
            Answer(status: status, body: Array(text.utf8), headers: headers)
        }
        func answer(_ refusal: Refusal, status: Int? = nil) -> Answer {
            if refusal.isDead { facts.withLock { $0.dead.formUnion(request.units) } }
            return answer(status ?? refusal.status, refusal.body)
        }
        func act() -> String { self.act(request) }
        if let refusal = tokenRefusal(request) { return answer(refusal) }
        if kind.hasOneTarget, facts.withLock({ !$0.dead.isDisjoint(with: request.units) }) {
            return answer(deathNotice)
        }
        switch fault {
        // Clients request keys so rarely that the dice for all calls would hardly hit them.
        case .honest where call == .mint && repeatsKeys && dice.happens(30):
            let fault: Fault = dice.happens(50) ? .emptyKeys : .sameKeys
            facts.withLock { $0.faults[fault, default: 0] += 1 }
            return plainAnswer(to: fault, request)
        case .honest:
            return Answer(
                status: 200, body: Array(act().utf8),
                headers: [("content-type", "application/json")] + successHeaders(request), isSuccess: true)
        case .refuses: return answer(refusal(of: call))
        case .refusesToken: return refuseToken(request).map { answer($0) }
        case .throttles:
            if let rows = throttledRows(request) { return answer(200, rows) }
            return answer(throttle.status, throttle.body)
        case .throttlesFor:
            return answer(429, throttle.body, [("retry-after", longestThrottle.map { dice.pick(["1", $0]) } ?? "1")])
        // An empty success body does not contradict the status.
        case .throttlesAfter
        where kind != .apns && kind != .webpush && (call == .send || (call == .write && kind != .jpush)):
            return answer(429, act())
        case .failsBefore: return answer(503, "", [("retry-after", "0")])
        case .failsAfter:
            _ = act()
            let failure = failure
            return answer(failure.status, failure.body)
        case .explainsAfter:
            _ = act()
            return answer(504, refusal(of: call).body)
        case .page: return answer(200, "<html><body>Welcome to this hotel</body></html>")
        case .pageOfGateway:
            if dice.happens(50) { _ = act() }
            return answer(502, "<html><body>Bad gateway</body></html>")
        case .errorBehindSpaces:
            let refusal = refusal(of: call)
            let spaces = String(repeating: " ", count: dice.roll(1...2000))
            return answer(Refusal(status: 200, body: spaces + refusal.body, isDead: refusal.isDead))
        case .empty where call != .write: return answer(200, "")
        case .emptyObject where call != .write: return answer(200, "{}")
        case .wrongTypes where call != .write:
            return answer(
                200,
                "{\"msg_id\":{},\"push_id\":[[]],\"ret_code\":\"x\",\"cidlist\":7,\"code\":[],\"error\":5,"
                    + "\"name\":{},\"access_token\":[],\"expires_in\":\"soon\",\"requestId\":{},\"result\":{},\"data\":[7]}"
            )
        case .otherID where call == .send && kind == .apns:
            return answer(200, act(), [("apns-id", "00000000-0000-4000-8000-000000000000")])
        case .otherID where call == .send:
            let text = act()
            noteSaid(request)
            return answer(200, text.replacing("\"0\"", with: "12345678901234567890123456789"))
        case .deepJSON:
            return answer(200, String(repeating: dice.pick(["[", "{\"a\":"]), count: dice.pick([33, 510, 100_000])))
        case .wideJSON:
            return answer(
                200,
                "[" + String(repeating: "[[1],{\"a\":1}],", count: dice.pick([60_000, 600, 60]) / Self.thrift) + "1]")
        case .longNumber:
            return answer(
                200,
                "{\"msg_id\":" + String(repeating: "9", count: dice.pick([900_000, 9_000, 900]) / Self.thrift)
                    + ",\"ret_code\":1e999}")
        case .repeatedKeys: return answer(200, "{\"error\":{\"code\":1,\"code\":2},\"error\":{}}")
        case .noUTF8: return Answer(status: 200, body: [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D])
        case .bomb: return answer(200, String(repeating: "\u{1f}\u{8b}", count: 1000), [("content-encoding", "gzip")])
        case .emptyKeys where call == .mint: return answer(200, "{\"cidlist\":[\"\",\"\"]}")
        case .sameKeys where call == .mint && repeatsKeys:
            // The same key twice in a response, or in every response.
            return answer(200, "{\"cidlist\":[\(dice.pick(["\"same\",\"same\"", "\"again\""]))]}")
        default: return nil
        }
    }

    /// Without optimization, reading takes ten times as long, and CI allows two seconds for late calls.
    private static let thrift = _isDebugAssertConfiguration() ? 16 : 1

    /// The fault for the next request.
    func nextFault(_ list: [Fault]) -> Fault {
        let isCalm = facts.withLock { $0.isCalm }
        var fault: Fault = isCalm || dice.happens(honesty) ? .honest : dice.pick(list)
        // Often enough for a short round, but rarely enough that a token lives for a while.
        if kind.hasTokens, !isCalm, dice.happens(1) { fault = .refusesToken }
        facts.withLock { $0.faults[fault, default: 0] += 1 }
        return fault
    }
}
