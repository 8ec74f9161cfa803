import FoundationEssentials
import PushAdapter
import PushSimulation

/// Sends.
extension VivoSimulator {
    func sendOne(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        try send(call, leastLife: 60) { (fields, _) throws(Refusal) in try Audience(one: fields) }
    }

    func sendAll(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        try send(call, leastLife: 900) { _, _ in .everyone }
    }

    func sendTags(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        try send(call, leastLife: 900) { (fields, app) throws(Refusal) in
            let expression = try TagExpression(fields.object("tagExpression"))
            guard exist(expression.names, app) else { throw .tag }
            return .tags(expression)
        }
    }

    private func send(
        _ call: SimulatedCall, leastLife: Int, to audience: (Fields, VivoApp) throws(Refusal) -> Audience
    ) throws(Refusal) -> SimulatedResponse {
        let (app, fields, message) = try message(call, leastLife: leastLife)
        let audience = try audience(fields, app)
        let request = "\(app.appID) \(message.requestID)"
        if settings.dropsRepeats, let task = repeats[request] { return .accepted(["taskId": .string(task)]) }
        try checkTarget(of: audience, message, app, call.now)
        try check(message.quota, app, call.now)
        if case .everyone = audience { try spend(.broadcasts, app, call.now) }
        let push = push(message, to: audience, app, call.now)
        repeats[request] = push.task
        start(push, to: audience, at: call.now)
        return .accepted(["taskId": .string(push.task)])
    }

    // MARK: Steps

    /// A message that the app may send now.
    func message(
        _ call: SimulatedCall, leastLife: Int
    ) throws(Refusal) -> (app: VivoApp, fields: Fields, message: VivoMessage) {
        let (app, fields) = try open(call)
        try takeRate(app, call.now)
        guard fields["appId"] != nil else { throw .foreignApp }
        let message = try VivoMessage(fields, settings, leastLife: leastLife)
        try check(message, app, call.now)
        return (app, fields, message)
    }

    /// Whether the app may send the message now.
    func check(_ message: VivoMessage, _ app: VivoApp, _ now: Date) throws(Refusal) {
        guard !app.isClosed else { throw .closed }
        guard !app.isInReview || message.isTest else { throw .inReview }
        guard !message.addsBadge || app.mayBadge else { throw .badge }
        guard message.lane == .system || !isNight(now) else { throw .night }
    }

    private func checkTarget(
        of audience: Audience, _ message: VivoMessage, _ app: VivoApp, _ now: Date
    ) throws(Refusal) {
        guard case .one(let target) = audience, let status = status(of: target, message, app, now) else { return }
        let isNamed = status == .unknown || status == .noTestDevice || settings.tellsStatus
        throw isNamed ? .target(target.name, status) : .notNow
    }

    func push(_ message: VivoMessage, to audience: Audience, _ app: VivoApp, _ now: Date) -> Push {
        let isApproved = message.category.map(app.approved.contains) ?? true
        let lane = message.lane == .system && isApproved ? Lane.system : .operational
        let life = message.life ?? (lane == .system ? 86_400 : 8 * 3600)
        var push = Push(
            task: newTask(), app: app.appID, message: message, lane: lane, end: now.addingTimeInterval(life))
        if case .one = audience, !message.isTest { push.receipts = message.receipts }
        return push
    }

    /// Whether operational messages rest: from 23:00 to 7:00.
    func isNight(_ now: Date) -> Bool {
        !(7..<23).contains(24 - settings.day.end(after: now).timeIntervalSince(now) / 3600)
    }
}
