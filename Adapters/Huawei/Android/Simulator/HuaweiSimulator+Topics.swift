import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushSimulation

/// Topics. A subscription repeats freely.
extension HuaweiSimulator {
    func changeTopic(_ call: SimulatedCall, isJoining: Bool) throws(Refusal) -> SimulatedResponse {
        let app = try app(call)
        let body = try Fields(body: call.request)
        let topic = try body.needText("topic")
        guard TopicCondition.isTopic(topic) else { throw .parameters("topic") }
        let tokens = try body.texts("tokenArray") ?? []
        guard (1...1000).contains(tokens.count) else { throw .count(within: 1, and: 1000) }
        var errors: [JSONValue] = []
        for (index, token) in tokens.enumerated() {
            let reason = isJoining ? join(topic, token, app, call.now) : leave(topic, token, app)
            if let reason { errors.append(["index": JSONValue(index), "reason": .string(reason)]) }
        }
        return .accepted(
            state.newRequestID(call.now),
            fields: [
                "successCount": JSONValue(tokens.count - errors.count), "failureCount": JSONValue(errors.count),
                "errors": .array(errors),
            ])
    }

    /// The topics of one token, with the day of subscription.
    func listTopics(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let app = try app(call)
        let token = try Fields(body: call.request).needText("token")
        guard isGood(token, app) else { throw .allRefused("The token is invalid") }
        let zone = WallTime(ahead: settings.hoursAhead)
        let list = topics[token, default: [:]].sorted { $0.key < $1.key }.map { name, date -> JSONValue in
            ["name": .string(name), "addDate": .string(String(zone.text(date).prefix(10)))]
        }
        return .accepted(state.newRequestID(call.now), fields: ["topics": .array(list)])
    }

    // MARK: Steps

    private func join(_ topic: String, _ token: String, _ app: HuaweiApp, _ now: Date) -> String? {
        guard isGood(token, app) else { return "INVALID_TOKEN" }
        guard topics[token]?[topic] == nil else { return nil }
        guard topics[token, default: [:]].count < settings.topicsPerDevice else { return "TOO_MANY_TOPICS" }
        topics[token, default: [:]][topic] = now
        showTags(of: token)
        return nil
    }

    private func leave(_ topic: String, _ token: String, _ app: HuaweiApp) -> String? {
        guard isGood(token, app) else { return "INVALID_TOKEN" }
        topics[token]?[topic] = nil
        showTags(of: token)
        return nil
    }

    private func showTags(of token: String) {
        let names = topics[token, default: [:]].keys.filter { $0.hasPrefix(settings.tagPrefix) }
            .map { $0.dropFirst(settings.tagPrefix.count) }
        state.devices[token]?.tags = Set(names.map { PercentEncoding.decode($0) ?? String($0) })
    }
}

/// A condition over topics: `'a' in topics && ('b' in topics || !('c' in topics))`.
indirect enum TopicCondition: Sendable {
    case topic(String)
    case not(TopicCondition)
    case both(TopicCondition, TopicCondition)
    case either(TopicCondition, TopicCondition)

    func matches(_ isMember: (String) -> Bool) -> Bool {
        switch self {
        case .topic(let name): isMember(name)
        case .not(let one): !one.matches(isMember)
        case .both(let left, let right): left.matches(isMember) && right.matches(isMember)
        case .either(let left, let right): left.matches(isMember) || right.matches(isMember)
        }
    }

    /// Nil if the text is not a condition, or names more than five topics.
    init?(_ text: String, bindsAndTighter: Bool) {
        var parser = Parser(bindsAndTighter: bindsAndTighter, rest: text[...])
        guard let condition = parser.condition(depth: 0), parser.rest.isEmpty, parser.topics <= 5 else { return nil }
        self = condition
    }

    /// Whether a text may be a topic: digits, letters, `_ . ~ %` and Chinese. The hyphen of the vendor's samples counts
    /// as well.
    static func isTopic(_ name: String) -> Bool {
        (1...900).contains(name.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isIdeographic
                    || scalar.isASCII
                        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                            || "-_.~%".unicodeScalars.contains(scalar))
            }
    }

    private struct Parser {
        let bindsAndTighter: Bool
        var rest: Substring
        var topics = 0

        mutating func condition(depth: Int) -> TopicCondition? {
            guard bindsAndTighter else { return chain(["&&", "||"]) { $0.operand(depth: depth) } }
            return chain(["||"]) { $0.chain(["&&"]) { $0.operand(depth: depth) } }
        }

        /// Operands between these operators, from left to right.
        private mutating func chain(
            _ operators: [String], _ operand: (inout Parser) -> TopicCondition?
        ) -> TopicCondition? {
            guard var left = operand(&self) else { return nil }
            while let word = operators.first(where: { takes($0) }) {
                guard let right = operand(&self) else { return nil }
                left = word == "&&" ? .both(left, right) : .either(left, right)
            }
            return left
        }

        private mutating func operand(depth: Int) -> TopicCondition? {
            // Five topics need no more.
            guard depth < 50 else { return nil }
            if takes("!") { return operand(depth: depth + 1).map { .not($0) } }
            if takes("(") {
                let inner = condition(depth: depth + 1)
                return takes(")") ? inner : nil
            }
            guard takes("'"), let end = rest.firstIndex(of: "'") else { return nil }
            let name = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            topics += 1
            return TopicCondition.isTopic(name) && takes("in") && takes("topics") ? .topic(name) : nil
        }

        /// Skips a word and the blanks around it. Returns false if it is not next.
        private mutating func takes(_ word: String) -> Bool {
            let next = rest.drop(while: \.isWhitespace)
            guard next.hasPrefix(word) else { return false }
            rest = next.dropFirst(word.count)
            if word != "'" { rest = rest.drop(while: \.isWhitespace) }
            return true
        }
    }
}
