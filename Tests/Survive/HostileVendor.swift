import HostileServer
import PushAdapter

/// The state of a vendor's server, and its responses. Written from the vendors' pages, independently of adapters and
/// simulators. It checks no fields, and no credentials except access tokens.
final class HostileVendor: Sendable {
    enum Kind: String, CaseIterable {
        case jpush, engagelab, tpns, fcm, apns, harmony, huawei, webpush, xiaomi, vivo, oppo, honor

        /// Whether a request has one target, so that a refusal concerns only that target.
        var hasOneTarget: Bool { [.fcm, .apns, .webpush, .vivo].contains(self) }
        /// Whether devices have tags.
        var hasTags: Bool { ![.apns, .harmony, .webpush, .honor].contains(self) }
        /// Whether a message can go to a tag.
        var sendsToTags: Bool { hasTags && self != .oppo }
        /// Whether the vendor lists the tags of a device.
        var listsTags: Bool { hasTags && ![.tpns, .vivo, .oppo].contains(self) }
        /// Whether messages can be custom messages. If not, they are notifications.
        var takesCustomMessages: Bool { self != .vivo && self != .oppo }
        /// Whether requests have a token that ends.
        var hasTokens: Bool { issuesTokens || self == .apns || self == .harmony }
        /// Whether the vendor makes these tokens. Otherwise the client signs them.
        var issuesTokens: Bool { [.fcm, .huawei, .vivo, .oppo, .honor].contains(self) }
    }

    /// The purpose of a request.
    enum Call {
        case send, mint, write, read
        /// A request for an access token.
        case token
    }

    /// A request over either protocol.
    struct Request {
        let call: Call
        let target: String
        let body: [UInt8]
        let units: [String]
        let authorization: String
        /// The id of a push to APNs. The response repeats it.
        let pushID: String

        init(_ method: String, _ target: String, _ body: [UInt8], header: (String) -> String?) {
            (self.target, self.body) = (target, body)
            call = Self.call(target, method)
            units = Unit.find(in: Array(target.utf8) + body)
            authorization = ["authorization", "authtoken", "auth_token"].lazy.compactMap(header).first ?? ""
            pushID = header("apns-id") ?? ""
        }

        private static func call(_ target: String, _ method: String) -> Call {
            if target.contains("/cid") { return .mint }
            if target.hasSuffix("/token") || target.hasSuffix("/auth") { return .token }
            let sends = [
                "/push", "/push/app", "/messages:send", "/message/send", "/message/tagPush", "/unicast",
                "/unicast_batch", "/sendMessage",
            ]
            if sends.contains(where: { target.hasSuffix($0) }) { return .send }
            if ["/3/device/", "/v3/message/", Browsers.path].contains(where: { target.hasPrefix($0) }) { return .send }
            return method == "GET" || target.hasSuffix("/topic:list") ? .read : .write
        }
    }

    /// The events at the server, to compare with the client's reports.
    struct Facts {
        /// How often the server acted on each unit.
        var acted: [String: Int] = [:]
        /// Units of requests whose success was written completely.
        var said: Set<String> = []
        /// Units written as tags. These may be written again.
        var tags: Set<String> = []
        /// Units that an answer reported as dead. They stay dead.
        var dead: Set<String> = []
        var answers: [String: String] = [:]
        /// The faults applied to the requests about a unit, in order.
        var history: [String: [Fault]] = [:]
        var faults: [Fault: Int] = [:]
        var requests = 0
        /// Streams that the client reset.
        var resets = 0
        /// HTTP/2 streams with a complete response, and the number of these that the client reset.
        var finished = 0
        var resetsOfFinished = 0
        /// Units of responses that the end of an HTTP/2 connection may have overtaken.
        var cut: Set<String> = []
        /// Requests that arrived at a place to which no redirect or bad certificate may lead.
        var trapped = 0
        var lastID = 0
        /// Access tokens and their ends.
        var tokens: [String: ContinuousClock.Instant] = [:]
        /// Requests for tokens, and requests whose token was refused.
        var tokenRequests = 0
        var refusedTokens = 0
        /// When the provider tokens for APNs were signed, according to the tokens.
        var signedAt: Set<Int> = []
        /// Sends without a token of this vendor.
        var strangers = 0
        var isCalm = false
        /// Units that may arrive any number of times.
        var ignored: Set<String> = []
    }

    let kind: Kind
    let dice: Dice
    let facts = Locked(Facts())
    /// A `Retry-After` too long to wait for, which stops most later calls; nil in most rounds.
    let longestThrottle: String?
    /// The percentage of requests without a fault.
    let honesty: Int
    /// Whether it may return a key twice.
    let repeatsKeys: Bool

    init(_ kind: Kind, _ dice: Dice, honesty: Int = 45, repeatsKeys: Bool = true) {
        self.kind = kind
        self.dice = dice
        self.honesty = honesty
        self.repeatsKeys = repeatsKeys
        longestThrottle = repeatsKeys && dice.happens(10) ? dice.pick(["7200", "9999999999999999999"]) : nil
    }

    /// Handles later requests without faults.
    func calmDown() { facts.withLock { $0.isCalm = true } }

    /// Stops counting messages to these units.
    func ignore(_ units: Set<String>) { facts.withLock { $0.ignored = units } }

    /// Applies a request, once per key. Returns the success response.
    func act(_ request: Request) -> String {
        let key = Self.key(in: request.body)
        let life = request.call == .token ? tokenLife() : (promised: 0, real: .zero)
        return facts.withLock { facts in
            facts.requests += 1
            if let key, let answer = facts.answers[key] { return answer }
            facts.lastID += 1
            if request.call == .token { return issueToken(life, &facts) }
            let unknown = unknownDevices(in: request, facts)
            if kind.isBelievedAboutDeath { facts.dead.formUnion(unknown) }
            let answer = success(request, "\(facts.lastID)", without: unknown)
            if request.call == .send || request.call == .write {
                let left = facts.ignored.union(unknown)
                for unit in request.units where !left.contains(unit) { facts.acted[unit, default: 0] += 1 }
            }
            if request.call == .write { facts.tags.formUnion(request.units) }
            if let key { facts.answers[key] = answer }
            return answer
        }
    }

    func note(_ fault: Fault, _ request: Request) {
        facts.withLock { facts in for unit in request.units { facts.history[unit, default: []].append(fault) } }
    }

    /// Records that the response was written completely.
    func noteSaid(_ request: Request) { facts.withLock { $0.said.formUnion(request.units) } }

    /// The header fields of a success.
    func successHeaders(_ request: Request) -> [(String, String)] {
        kind == .apns ? [("apns-id", request.pushID)] : kind.maker?.headers ?? []
    }

    private func success(_ request: Request, _ id: String, without unknown: [String]) -> String {
        if let maker = kind.maker {
            func name(_ unit: String) -> String { kind.device(unit).rawValue }
            guard request.call == .send else { return maker.done(request.call) }
            return maker.sent(id, request.units.map(name), unknown.map(name))
        }
        switch (kind, request.call) {
        case (.jpush, .mint):
            let count = request.target.split(separator: "=").compactMap { Int($0.prefix { $0.isNumber }) }.first ?? 1
            let keys = (0..<count).map { "\"cid-\(id)-\($0)\"" }
            return "{\"cidlist\":[\(keys.joined(separator: ","))]}"
        case (.jpush, .send): return "{\"sendno\":\"0\",\"msg_id\":\"\(id)\"}"
        case (.jpush, .read): return "{\"tags\":[\"a\"],\"alias\":null,\"mobile\":null}"
        case (.jpush, _): return ""
        case (.engagelab, .send): return "{\"request_id\":\"r\",\"msg_id\":\"\(id)\"}"
        case (.engagelab, .read): return "{\"tags\":[\"a\"],\"alias\":\"\"}"
        case (.engagelab, _): return "success"
        case (.tpns, .send): return "{\"seq\":0,\"push_id\":\"\(id)\",\"ret_code\":0,\"err_msg\":\"\",\"result\":\"\"}"
        case (.tpns, _): return "{\"ret_code\":0,\"err_msg\":\"\",\"result\":\"\"}"
        case (.fcm, .send): return "{\n  \"name\": \"projects/survive/messages/0:\(id)%31bd\"\n}\n"
        case (.fcm, .read): return "{\"topic_subscriptions\":[{\"topic_name\":\"a\"}]}"
        case (.fcm, _): return "{\"topic_name\":\"a\",\"create_time\":\"2026-11-21T08:00:00.01Z\"}"
        case (.apns, _): return ""
        // As ntfy answers. The other services answer 201 without a body.
        case (.webpush, _): return "{\"id\":\"\(id)\",\"event\":\"message\"}"
        case (.huawei, .read): return Self.huawei("80000000", "Success", ",\"topics\":[{\"name\":\"a\"}]", id: id)
        case (.huawei, .write):
            return Self.huawei("80000000", "Success", ",\"failureCount\":0,\"errors\":[]", id: id)
        default: return Self.huawei("80000000", "Success", id: id)
        }
    }

    private static func key(in body: [UInt8]) -> String? {
        guard let range = body.firstRange(of: Array("\"cid\":\"".utf8)) else { return nil }
        return String(decoding: body[range.upperBound...].prefix { $0 != 0x22 }, as: UTF8.self)
    }
}
