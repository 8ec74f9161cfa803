import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushSimulation

/// Sends.
extension HarmonySimulator {
    private static let tokens = 1...1000
    private static let testTokens = 10
    private static let bodyBytes = 4096

    static func tests(_ project: String) -> String { "\(project) tests" }

    func send(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let project = try project(call) { $0.id == call["project"] }
        if project.penalty == .refusesRequests { throw .punished }
        let type = try PushType(call.request)
        let body = try Fields(body: call.request)
        try checkRights(type, body, project)
        let push = try PushContent(type, body, settings)
        try check(push, call.request)
        let isOver = try isOverTests(push, project, call.now)
        guard
            rates[project.id, default: RateWindow(seconds: 1)]
                .take(push.tokens.count, of: project.devicesPerSecond, call.now)
        else { throw .busy }
        let (good, refused) = sort(settings.sendsTwice ? push.tokens : push.uniqueTokens, project)
        guard !good.isEmpty else { throw .allRefused(text(success: nil, refused)) }
        if push.isTest { _ = state.counts.add(Self.tests(project.id), call.now) }
        let id = state.newRequestID(call.now)
        var message = push.message(id, project, settings, call.now)
        if isOver || project.penalty == .dropsMessages { message.result = Deliveries.Result.classCap }
        let caps = DeviceCaps(marketing: project.marketingPerDay, all: settings.messagesPerDevice)
        for token in good { state.send(fit(message, push, to: token, call.now), to: token, caps, at: call.now) }
        sendCount += 1
        return refused.isEmpty
            ? .accepted(id) : .accepted(id, code: 80_100_000, text(success: good.count, refused))
    }

    /// Takes back notifications that are not delivered, or shown and not tapped. The badge stays.
    func revoke(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let project = try project(call) { $0.clientID == call["client"] }
        let type = try PushType(call.request)
        guard type == .alert || type == .voice else { throw .parameters("push-type") }
        let body = try Fields(body: call.request)
        guard let notification = try body.number("notifyId", in: 0...Int(Int32.max)) else {
            throw .illegal("notifyId is missing")
        }
        let tokens = try body.texts("token") ?? []
        guard Self.tokens.contains(tokens.count) else { throw .count(within: 1, and: 1000) }
        guard call.request.bytes(without: tokens) <= Self.bodyBytes else { throw .tooLong }
        let (good, refused) = sort(tokens, project)
        guard !good.isEmpty else { throw .allRefused(text(success: nil, refused)) }
        let key = String(notification)
        for token in good { state.withdraw(from: token) { $0.collapseID == key } }
        let id = state.newRequestID(call.now)
        return refused.isEmpty
            ? .accepted(id) : .accepted(id, code: 80_100_000, text(success: good.count, refused))
    }

    // MARK: Checks

    /// Refuses every token if the app lacks the right that the whole message needs.
    private func checkRights(_ type: PushType, _ body: Fields, _ project: HarmonyProject) throws(Refusal) {
        guard case .object(let payload) = body["payload"],
            let tokens = body["target"]?["token"]?.arrayValue?.compactMap(\.stringValue), !tokens.isEmpty
        else { return }
        let event = payload["event"]?.stringValue ?? ""
        let isVoice = payload["notification"]?["category"] == .string(MessageCategory.voice)
        let reason: String? =
            if project.penalty == .refusesTokens {
                "disableSendHuaweiMsgBecauseOfPenalty"
            } else if type.needsRight, !project.pushTypes.contains(type.rawValue) {
                type == .voice ? "notSupportPlayVoice" : "noPushTypeRight"
            } else if type == .liveView, LiveView.events.contains(event), !project.liveViewEvents.contains(event) {
                "noRightToSendThisLiveNotificationEvent"
            } else if type == .alert, isVoice, settings.refusesVoiceByToken {
                "notSupportPlayVoice"
            } else {
                nil
            }
        if let reason { throw .allRefused(text(success: nil, [reason: tokens])) }
    }

    /// Checks the number of tokens, the size and the picture.
    private func check(_ push: PushContent, _ request: SimulatedRequest) throws(Refusal) {
        let most = push.type == .form ? 1 : Self.tokens.upperBound
        guard (1...most).contains(push.tokens.count) else { throw .count(within: 1, and: most) }
        guard request.bytes(without: push.tokens) <= Self.bodyBytes else { throw .tooLong }
        if let image = push.notification?.image, settings.unverifiedImages.contains(image) { throw .unverifiedImage }
    }

    /// Whether a test message exceeds those of the day, if such a message is accepted.
    private func isOverTests(_ push: PushContent, _ project: HarmonyProject, _ now: Date) throws(Refusal) -> Bool {
        guard push.isTest else { return false }
        guard push.tokens.count <= Self.testTokens else { throw .tooManyTestTokens }
        guard state.counts.count(of: Self.tests(project.id), now) >= project.testMessagesPerDay else { return false }
        guard settings.acceptsTestOverflow else { throw .testsUsedUp }
        return true
    }

    /// The tokens that the vendor takes, and the others by the reasons against them.
    private func sort(
        _ tokens: [String], _ project: HarmonyProject
    ) -> (good: [String], refused: [String: [String]]) {
        var good: [String] = []
        var refused: [String: [String]] = [:]
        for token in tokens {
            let home = state.homes[token]
            let reason = home.map { $0.owner == project.id ? $0.refusal : "noRight" } ?? "tokenFormatError"
            if let reason { refused[reason, default: []].append(token) } else { good.append(token) }
        }
        return (good, refused)
    }

    /// The result by tokens: JSON as text.
    private func text(success: Int?, _ refused: [String: [String]]) -> String {
        let reasons = refused.map { reason, tokens in
            (settings.padsReasons ? " \(reason) " : reason, JSONValue.array(tokens.map { .string($0) }))
        }
        var text: [String: JSONValue] = [
            "failure": JSONValue(refused.values.reduce(0) { $0 + $1.count }),
            "illegalTokens": .object(Dictionary(reasons, uniquingKeysWith: { first, _ in first })),
        ]
        text["success"] = success.map { JSONValue($0) }
        return String(decoding: JSONWriter.bytes(of: .object(text)), as: UTF8.self)
    }

    // MARK: Delivery

    /// The message as one device takes it. A device that gets nothing has no live views and no forms either.
    private func fit(_ message: HuaweiMessage, _ push: PushContent, to token: String, _ now: Date) -> HuaweiMessage {
        var message = message
        if settings.oldDevices.contains(token) { message.uniqueID = nil }
        if message.result == nil, state.homes[token]?.result == nil { message.result = result(push, token, now) }
        return message
    }

    /// The result of a live view or a form that the device does not take; nil if it does.
    private func result(_ push: PushContent, _ token: String, _ now: Date) -> Int? {
        if let view = push.liveView {
            return views[token, default: LiveViews()].apply(view, now, countsTogether: settings.countsViewsTogether)
        }
        guard let form = push.form else { return nil }
        let id = FormID(token: token, form: form.id)
        if let last = forms[id], form.version != 0, form.version <= last { return settings.olderFormResult }
        let updates = push.isTest ? 0 : state.counts.add("\(token) form \(form.id)", now)
        guard updates <= settings.formUpdatesPerDay else { return Deliveries.Result.classCap }
        forms[id] = form.version
        return nil
    }
}
