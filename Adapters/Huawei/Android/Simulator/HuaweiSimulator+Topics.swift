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
        guard Self.isTopic(topic) else { throw .parameters("topic") }
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
        guard topics[token]?.removeValue(forKey: topic) != nil else { return nil }
        showTags(of: token)
        return nil
    }

    private func showTags(of token: String) {
        let names = topics[token, default: [:]].keys.filter { $0.hasPrefix(settings.tagPrefix) }
            .map { $0.dropFirst(settings.tagPrefix.count) }
        state.devices[token]?.tags = Set(names.map { PercentEncoding.decode($0) ?? String($0) })
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
}
