import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushSimulation

/// Sends.
extension HuaweiSimulator {
    static func tests(_ client: String) -> String { "\(client) tests" }

    func send(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let app = try app(call)
        let body = try Fields(body: call.request)
        let isDryRun = try body.flag("validate_only") ?? false
        if body["review"] != nil, !settings.trustsReviews { throw .reviewSignature }
        guard let fields = try body.object("message") else { throw .count(within: 1, and: 1000) }
        let target = try Target(fields, settings)
        guard call.request.bytes(without: target.tokens) <= 4096 else { throw .tooLong }
        let push = try AndroidMessage(fields, settings)
        guard !push.isUrgent || app.maySendUrgently else { throw .notUrgent }
        let tokens = target.condition.map { members(of: $0, app) } ?? target.tokens
        if target.condition != nil { try takeTask(app, call.now) }
        let isOver = try isOverTests(push, app, call.now)
        guard
            rates[app.clientID, default: RateWindow(seconds: 1)].take(tokens.count, of: app.devicesPerSecond, call.now)
        else { throw .busy }
        let good = tokens.filter { isGood($0, app) }
        let bad = tokens.filter { !isGood($0, app) }
        guard !good.isEmpty || tokens.isEmpty else { throw .allRefused(refusal(of: bad)) }
        let id = state.newRequestID(call.now)
        var message = push.message(id, app, settings, call.now)
        if isOver { message.result = Deliveries.Result.classCap }
        if !isDryRun { deliver(message, to: good, app, call.now) }
        return bad.isEmpty ? .accepted(id) : .accepted(id, code: 80_100_000, Self.text(success: good.count, bad))
    }

    /// Whether a token is one of the app's, and not dead.
    func isGood(_ token: String, _ app: HuaweiApp) -> Bool {
        state.homes[token].map { $0.owner == app.clientID && $0.refusal == nil } ?? false
    }

    // MARK: Steps

    private func members(of condition: TopicCondition, _ app: HuaweiApp) -> [String] {
        topics.keys.filter { token in
            isGood(token, app) && condition.matches { topics[token]?[$0] != nil }
        }.sorted()
    }

    private func takeTask(_ app: HuaweiApp, _ now: Date) throws(Refusal) {
        let running = tasks[app.clientID, default: []].filter { $0 > now }
        guard running.count < settings.topicTasks else { throw .tooManyTasks }
        tasks[app.clientID] = running + [now.addingTimeInterval(settings.topicTaskTime)]
    }

    /// Whether a test message exceeds those of the day, if such a message is accepted.
    private func isOverTests(_ push: AndroidMessage, _ app: HuaweiApp, _ now: Date) throws(Refusal) -> Bool {
        guard push.isTest, state.counts.count(of: Self.tests(app.clientID), now) >= app.testMessagesPerDay else {
            return false
        }
        guard settings.acceptsTestOverflow else { throw .parameters("target_user_type") }
        return true
    }

    /// Sends to each token as often as the list names it.
    private func deliver(_ message: HuaweiMessage, to tokens: [String], _ app: HuaweiApp, _ now: Date) {
        if message.isTest { _ = state.counts.add(Self.tests(app.clientID), now) }
        let caps = DeviceCaps(
            marketing: app.marketingPerDay, all: app.messagesPerDevice, stored: settings.storedMessages,
            zeroReplacesAll: true)
        for token in tokens { state.send(message, to: token, caps, at: now) }
        sendCount += 1
    }

    private func refusal(of tokens: [String]) -> String {
        settings.refusesWithSentence ? "All the tokens are invalid" : Self.text(success: 0, tokens)
    }

    /// The result by tokens, without reasons: JSON as text.
    private static func text(success: Int, _ bad: [String]) -> String {
        let text: JSONValue = [
            "success": JSONValue(success), "failure": JSONValue(bad.count),
            "illegal_tokens": .array(bad.map { .string($0) }),
        ]
        return String(decoding: JSONWriter.bytes(of: text), as: UTF8.self)
    }
}

/// The target of a message: exactly one of tokens, a topic and a condition.
struct Target {
    let tokens: [String]
    /// Nil for tokens.
    let condition: TopicCondition?

    init(_ message: Fields, _ settings: HuaweiSimulatorSettings) throws(Refusal) {
        let given = ["token", "topic", "condition"].filter { message[$0] != nil }
        guard let name = given.first else {
            throw settings.countsMissingTarget ? .count(within: 1, and: 1000) : .parameters("no target")
        }
        guard given.count == 1 else { throw .parameters("more than one target") }
        tokens = name == "token" ? try message.texts(name) ?? [] : []
        switch name {
        case "token":
            guard (1...1000).contains(tokens.count) else { throw .count(within: 1, and: 1000) }
            condition = nil
        case "topic":
            let topic = try message.needText(name)
            guard HuaweiSimulator.isTopic(topic) else { throw .parameters("topic") }
            condition = .topic(topic)
        default:
            let text = try message.needText(name)
            condition = TopicCondition(
                text, most: 5, bindsAndTighter: settings.bindsAndTighter, isTopic: HuaweiSimulator.isTopic)
            if condition == nil { throw .parameters("condition") }
        }
    }
}
