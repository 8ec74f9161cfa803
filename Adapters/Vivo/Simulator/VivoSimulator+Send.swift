import FoundationEssentials
import PushAdapter
import PushSimulation

/// Sends.
extension VivoSimulator {
    func sendOne(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (app, fields) = try open(call)
        try takeRate(app, call.now)
        let audience = try Audience(one: fields)
        let message = try message(fields, app, leastLife: 60, call.now)
        if let task = try earlierTask(fields, app) { return .accepted(["taskId": .string(task)]) }
        guard let name = audience.names.first else { throw .noTarget }
        if let status = status(of: name, in: audience, message, app, call.now) {
            let isDead = status == .unknown || status == .noTestDevice || settings.tellsStatus
            throw isDead ? .target(name, status) : .notNow
        }
        try check(message.quota, app, call.now)
        var push = push(message, app, call.now)
        push.receipts = message.isTest ? nil : message.receipts
        try remember(fields, app, push.task)
        start(push, to: audience, at: call.now)
        return .accepted(["taskId": .string(push.task)])
    }

    /// Stores a message for a list.
    func store(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (app, fields) = try open(call)
        let message = try message(fields, app, leastLife: 900, call.now)
        try check(message.quota, app, call.now)
        try spend(.stored, app, call.now)
        let task = newTask()
        stored[task] = StoredMessage(app: app.appID, message: message, date: call.now)
        return .accepted(["taskId": .string(task)])
    }

    /// Sends a stored message to a list.
    func sendList(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (app, fields) = try open(call)
        try takeRate(app, call.now)
        let task = try fields.needText("taskId")
        let audience = try Audience(several: fields)
        guard let store = stored[task], store.app == app.appID else { throw .unknownTask }
        guard call.now.timeIntervalSince(store.date) < settings.storedLife else { throw .taskOver }
        let request = try fields.needText("requestId")
        guard request.count <= 64 else { throw .tooLong("requestId") }
        if try earlierTask(fields, app) != nil { return .accepted(["requestId": .string(request)]) }
        try check(store.message.quota, app, call.now)
        try remember(fields, app, task)
        let rows = audience.names.compactMap { name in
            status(of: name, in: audience, store.message, app, call.now)?.row(name)
        }
        start(push(store.message, app, call.now, task: task), to: audience, at: call.now)
        var answer: [String: JSONValue] = ["requestId": .string(request)]
        if !rows.isEmpty { answer[settings.listsInData ? "data" : "invalidUsers"] = .array(rows) }
        return .accepted(answer)
    }

    func sendAll(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        try send(call) { _, _ in .everyone }
    }

    func sendTags(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        try send(call) { (fields, app) throws(Refusal) in
            let expression = try TagExpression(fields.object("tagExpression"))
            guard exist(expression.names, app) else { throw .tag }
            return .tags(expression)
        }
    }

    private func send(
        _ call: SimulatedCall, to audience: (Fields, VivoApp) throws(Refusal) -> Audience
    ) throws(Refusal) -> SimulatedResponse {
        let (app, fields) = try open(call)
        try takeRate(app, call.now)
        let message = try message(fields, app, leastLife: 900, call.now)
        let audience = try audience(fields, app)
        if let task = try earlierTask(fields, app) { return .accepted(["taskId": .string(task)]) }
        try check(message.quota, app, call.now)
        if case .everyone = audience { try spend(.broadcasts, app, call.now) }
        let push = push(message, app, call.now)
        try remember(fields, app, push.task)
        start(push, to: audience, at: call.now)
        return .accepted(["taskId": .string(push.task)])
    }

    // MARK: Steps

    private func message(
        _ fields: Fields, _ app: VivoApp, leastLife: Int, _ now: Date
    ) throws(Refusal) -> VivoMessage {
        guard fields["appId"] != nil else { throw .foreignApp }
        let message = try VivoMessage(fields, settings, leastLife: leastLife)
        guard !app.isClosed else { throw .closed }
        guard !app.isInReview || message.isTest else { throw .inReview }
        guard !message.addsBadge || app.mayBadge else { throw .badge }
        guard message.lane == .system || !isNight(now) else { throw .night }
        return message
    }

    private func push(_ message: VivoMessage, _ app: VivoApp, _ now: Date, task: String? = nil) -> Push {
        let isApproved = message.category.map(app.approved.contains) ?? true
        let lane = message.lane == .system && isApproved ? Lane.system : .operational
        let life = message.life ?? (lane == .system ? 86_400 : 8 * 3600)
        return Push(
            task: task ?? newTask(), app: app.appID, message: message, lane: lane, end: now.addingTimeInterval(life))
    }

    private func earlierTask(_ fields: Fields, _ app: VivoApp) throws(Refusal) -> String? {
        settings.dropsRepeats ? repeats["\(app.appID) \(try fields.needText("requestId"))"] : nil
    }

    private func remember(_ fields: Fields, _ app: VivoApp, _ task: String) throws(Refusal) {
        repeats["\(app.appID) \(try fields.needText("requestId"))"] = task
    }

    /// Whether operational messages rest: from 23:00 to 7:00.
    func isNight(_ now: Date) -> Bool {
        !(7..<23).contains(24 - settings.day.end(after: now).timeIntervalSince(now) / 3600)
    }
}
