import FoundationEssentials
import PushAdapter
import PushSimulation

/// Messages to one target, and batches of them.
extension OPPOSimulator {
    /// One message of a call.
    private struct Row {
        let target: Target
        let message: OPPOMessage
        let lane: Push.Lane
    }

    func send(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try Fields(form: call.request)
        let app = try app(call, fields)
        guard let object = try fields.object("message") else { throw .missing("message") }
        let row = try row(object, app)
        try admit([row], of: app, call.now)
        let (id, refusal) = send(row, of: app, isRemembered: true, call.now)
        if let refusal { throw refusal }
        return .accepted(["messageId": .string(id)])
    }

    /// Sends up to 1,000 messages. A row that fails has an id of a message as well.
    func sendBatch(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try Fields(form: call.request)
        let app = try app(call, fields)
        let text = try fields.need("messages")
        guard let items = (try? JSONValue(parsing: Array(text.utf8)))?.arrayValue, (1...1000).contains(items.count)
        else { throw .illegal("messages") }
        let rows = try items.map { (item) throws(Refusal) in
            guard case .object(let object) = item else { throw .illegal("messages") }
            return try row(object, app)
        }
        try admit(rows, of: app, call.now)
        let data = rows.map { row in
            let (id, refusal) = send(row, of: app, isRemembered: settings.remembersRows, call.now)
            return Self.answer(row.target, id, refusal)
        }
        return .accepted(.array(data))
    }

    private static func answer(_ target: Target, _ id: String, _ refusal: Refusal?) -> JSONValue {
        var row: [String: JSONValue] = ["messageId": .string(id)]
        if case .id(let device) = target { row["registrationId"] = .string(device) }
        if let refusal {
            row["errorCode"] = JSONValue(refusal.code)
            row["errorMessage"] = .string(refusal.text)
        }
        return .object(row)
    }

    // MARK: Steps

    private func row(_ object: [String: JSONValue], _ app: OPPOApp) throws(Refusal) -> Row {
        let fields = Fields(object)
        guard let notification = try fields.object("notification") else { throw .missing("notification") }
        let message = try OPPOMessage(Fields(notification), settings, isStored: false)
        return Row(target: try Target(fields), message: message, lane: try lane(of: message, app))
    }

    /// Counts the targets of a call, if the rate and the day's quota have room for all of them.
    private func admit(_ rows: [Row], of app: OPPOApp, _ now: Date) throws(Refusal) {
        var rate = rates[app.key] ?? RateWindow(seconds: 1)
        guard rate.remaining(app.rate, now) >= rows.count else { throw .rate(settings.rateCode) }
        for _ in rows { _ = rate.take(app.rate, now) }
        rates[app.key] = rate
        try needMarketing(rows.count { $0.lane.isMarketing }, of: app, now)
    }

    /// Refuses marketing messages that are more than the app has left today.
    func needMarketing(_ count: Int, of app: OPPOApp, _ now: Date) throws(Refusal) {
        let used = counts.count(of: app.key, now)
        guard count == 0 || used + count <= app.marketing else { throw .quota }
    }

    /// Sends a message, unless its target is wrong or has had it.
    private func send(
        _ row: Row, of app: OPPOApp, isRemembered: Bool, _ now: Date
    ) -> (id: String, refusal: Refusal?) {
        let id = newID(app)
        guard let device = device(row.target, of: app) else { return (id, refusal(of: row.target)) }
        let key = RepeatKey(app, row.target, isRemembered ? row.message.ownID : nil)
        if let first = firstID(key, now) { return (first, settings.repeatAnswer == .duplicate ? .duplicate : nil) }
        if let key { firsts[key] = (id, now) }
        var push = Push(messageID: id, taskID: id, app: app, message: row.message, lane: row.lane)
        if case .id = row.target { push.receipts = row.message.receipts }
        start(push, to: [device], at: now)
        return (id, nil)
    }

    private func refusal(of target: Target) -> Refusal {
        guard case .alias = target else { return .target }
        return Refusal(200, settings.unknownAliasCode, "Invalid alias")
    }
}
