import HostileServer
import PushCore

/// What a vendor's server knows, and how it would respond. Written from the vendors' pages, independently of adapters
/// and simulators; it checks no credentials and no fields.
final class HostileVendor: Sendable {
    enum Kind: String, CaseIterable {
        case jpush, engagelab, tpns
    }

    /// What a request is for.
    enum Call {
        case send, mint, write, read
    }

    /// What happened at the server, to compare with what the client reported.
    struct Facts {
        /// How often the server acted on each unit.
        var acted: [String: Int] = [:]
        /// Units of requests whose success was written completely.
        var said: Set<String> = []
        /// Units that were written as tags, which may happen again.
        var tags: Set<String> = []
        var answers: [String: String] = [:]
        /// The faults applied to the requests about a unit, in order.
        var history: [String: [Fault]] = [:]
        var faults: [Fault: Int] = [:]
        var requests = 0
        /// Streams that the client reset.
        var resets = 0
        /// HTTP/2 streams with a whole response, and how many of these the client reset.
        var finished = 0
        var resetsOfFinished = 0
        /// Units of responses that the end of an HTTP/2 connection may have overtaken.
        var cut: Set<String> = []
        /// Requests that arrived where no redirect or bad certificate may lead.
        var trapped = 0
        var lastID = 0
    }

    let kind: Kind
    let dice: Dice
    let facts = Locked(Facts())
    /// A `Retry-After` too long to wait for, which stops most later calls; nil in most rounds.
    let longestThrottle: String?

    init(_ kind: Kind, _ dice: Dice) {
        self.kind = kind
        self.dice = dice
        longestThrottle = dice.happens(10) ? dice.pick(["7200", "9999999999999999999"]) : nil
    }

    func call(_ target: String, _ method: String) -> Call {
        if target.contains("/cid") { return .mint }
        if target.hasSuffix("/push") || target.hasSuffix("/push/app") { return .send }
        return method == "GET" ? .read : .write
    }

    /// Applies a request, once for each key, and returns the response that says so.
    func act(_ call: Call, _ target: String, _ body: [UInt8]) -> String {
        let units = Unit.find(in: Array(target.utf8) + body)
        let key = Self.key(in: body)
        return facts.withLock { facts in
            facts.requests += 1
            if let key, let answer = facts.answers[key] { return answer }
            facts.lastID += 1
            let answer = success(call, target, "\(facts.lastID)", &facts)
            if call == .send || call == .write { for unit in units { facts.acted[unit, default: 0] += 1 } }
            if call == .write { facts.tags.formUnion(units) }
            if let key { facts.answers[key] = answer }
            return answer
        }
    }

    func note(_ fault: Fault, _ target: String, _ body: [UInt8]) {
        let units = Unit.find(in: Array(target.utf8) + body)
        facts.withLock { facts in for unit in units { facts.history[unit, default: []].append(fault) } }
    }

    /// Records that the response was written completely.
    func noteSaid(_ target: String, _ body: [UInt8]) {
        let units = Unit.find(in: Array(target.utf8) + body)
        facts.withLock { $0.said.formUnion(units) }
    }

    private func success(_ call: Call, _ target: String, _ id: String, _ facts: inout Facts) -> String {
        switch (kind, call) {
        case (.jpush, .mint):
            let count = target.split(separator: "=").compactMap { Int($0.prefix { $0.isNumber }) }.first ?? 1
            let keys = (0..<count).map { "\"cid-\(id)-\($0)\"" }
            return "{\"cidlist\":[\(keys.joined(separator: ","))]}"
        case (.jpush, .send): return "{\"sendno\":\"0\",\"msg_id\":\"\(id)\"}"
        case (.jpush, .read): return "{\"tags\":[\"a\"],\"alias\":null,\"mobile\":null}"
        case (.jpush, .write): return ""
        case (.engagelab, .send): return "{\"request_id\":\"r\",\"msg_id\":\"\(id)\"}"
        case (.engagelab, .read): return "{\"tags\":[\"a\"],\"alias\":\"\"}"
        case (.engagelab, _): return "success"
        case (.tpns, .send): return "{\"seq\":0,\"push_id\":\"\(id)\",\"ret_code\":0,\"err_msg\":\"\",\"result\":\"\"}"
        case (.tpns, _): return "{\"ret_code\":0,\"err_msg\":\"\",\"result\":\"\"}"
        }
    }

    /// A refusal that says clearly that nothing was done.
    var refusal: (status: Int, body: String) {
        switch kind {
        case .jpush: (400, "{\"error\":{\"code\":1003,\"message\":\"refused\"}}")
        case .engagelab: (400, "{\"error\":{\"code\":21003,\"message\":\"refused\"}}")
        case .tpns: (200, "{\"ret_code\":1008001,\"err_msg\":\"refused\"}")
        }
    }

    var throttle: (status: Int, body: String) {
        switch kind {
        case .jpush: (429, "{\"error\":{\"code\":2002,\"message\":\"slower\"}}")
        case .engagelab: (400, "{\"error\":{\"code\":23008,\"message\":\"slower\"}}")
        case .tpns: (429, "")
        }
    }

    private static func key(in body: [UInt8]) -> String? {
        guard let range = body.firstRange(of: Array("\"cid\":\"".utf8)) else { return nil }
        return String(decoding: body[range.upperBound...].prefix { $0 != 0x22 }, as: UTF8.self)
    }
}
