import FoundationEssentials
import PushAdapter
import PushSimulation

/// Sends and schedules.
extension XiaomiSimulator {
    func send(_ call: SimulatedCall, to kind: Audience.Kind) throws(Refusal) -> SimulatedResponse {
        let app = try app(call.request)
        try takeRate(app, call.now)
        let form = try Form(call.request)
        let push = try push(form, to: Audience(form, kind), app, call.now)
        guard hasTargets(push) else { throw .noTargets }
        if let (quota, acked) = exceeded(by: push, call.now) { throw .quota(quota, acked: acked) }
        if let date = push.message.sendAt, date > call.now { jobs[push.id] = push } else { start(push, at: call.now) }
        return .accepted(push.id, answer(to: push, call.now))
    }

    /// Sends several messages, each to its own target. Drops and counts those over a quota.
    func sendMany(_ call: SimulatedCall, to kind: Audience.Kind) throws(Refusal) -> SimulatedResponse {
        let app = try app(call.request)
        try takeRate(app, call.now)
        let text = try Form(call.request).need("messages")
        guard let items = (try? JSONValue(parsing: Array(text.utf8)))?.arrayValue, (1...1000).contains(items.count)
        else { throw .illegal("messages is wrong") }
        var all: [Push] = []
        for item in items {
            guard case .object(var fields) = item["message"] else { throw .illegal("messages is wrong") }
            fields[kind.rawValue] = item["target"]
            let form = Form(fields)
            guard try form.need("restricted_package_name") == app.packageName else { throw .package }
            all.append(try push(form, to: Audience(form, kind), app, call.now))
        }
        let good = all.filter(hasTargets)
        guard let first = good.first else { throw .noTargets }
        var dropped: [String: Int] = [:]
        for push in good {
            if exceeded(by: push, call.now) == nil {
                start(push, at: call.now)
            } else {
                dropped[push.message.channel ?? "no_channel", default: 0] += 1
            }
        }
        var data: [String: JSONValue] = ["id": .string(first.id)]
        let counts = dropped.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        if !counts.isEmpty { data["channel_exceed_quota"] = .string(counts.joined(separator: " ")) }
        return .accepted(first.id, data)
    }

    // MARK: Schedules

    func findJob(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        _ = try job(call, or: .noJob)
        return .accepted(newID("Xdm"), [:])
    }

    func deleteJob(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        jobs[try job(call, or: .jobGone)] = nil
        return .accepted(newID("Xdm"), [:])
    }

    private func job(_ call: SimulatedCall, or refusal: Refusal) throws(Refusal) -> String {
        let app = try app(call.request)
        let id = try Form(call.request).need("job_id")
        guard jobs[id]?.package == app.packageName else { throw refusal }
        return id
    }

    /// Sends the due messages, oldest first. Drops those over a quota.
    func fireJobs(until now: Date) {
        let due = jobs.values.filter { $0.message.sendAt ?? now <= now }
        for push in due.sorted(by: { ($0.message.sendAt ?? now, $0.id) < ($1.message.sendAt ?? now, $1.id) }) {
            jobs[push.id] = nil
            let date = push.message.sendAt ?? now
            if exceeded(by: push, date) == nil { start(push, at: date) }
        }
    }

    /// The recalls of versions 1 and 2: they exist until the vendor ends them. The documents name no parameters.
    func recallOld(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        guard call.now < settings.oldRecallEnds else { throw .unknownPath }
        throw .missing("a parameter of the recall")
    }

    // MARK: Checks

    private func push(
        _ form: Form, to audience: Audience, _ app: XiaomiApp, _ now: Date
    ) throws(Refusal) -> Push {
        let message = try XiaomiMessage(form, settings, at: now)
        let lane = try lane(of: message, app)
        let order = message.receipts ?? app.receiptURL.map { ReceiptOrder(url: $0) }
        return Push(
            id: newID("Xcm"), package: app.packageName, message: message, lane: lane, audience: audience,
            receipts: audience.names == nil ? nil : order, life: try life(of: message, lane))
    }

    private func lane(of message: XiaomiMessage, _ app: XiaomiApp) throws(Refusal) -> Push.Lane {
        guard !message.isPassThrough else { return .data }
        guard let id = message.channel else {
            guard !app.isStrict else { throw .channel }
            return .inClass(nil)
        }
        guard let channel = app.channels[id] else {
            guard !app.isStrict else { throw .channel }
            return .hidden
        }
        guard channel.kind != .public, let fault = templateFault(message, channel) else {
            return .inClass(channel.kind)
        }
        guard !settings.tellsTemplateFaults else { throw Refusal(200, settings.templateFaultCode, fault) }
        return .hidden
    }

    /// The mistake in a message's template; nil if there is none.
    private func templateFault(_ message: XiaomiMessage, _ channel: XiaomiChannel) -> String? {
        guard let id = message.extras["template_id"], !id.isEmpty else {
            return settings.demandsTemplates ? "template_id is missing" : nil
        }
        guard let variables = channel.templates[id] else { return "template_id is unknown" }
        let text = message.extras["template_param"] ?? "{}"
        guard case .object(let values) = try? JSONValue(parsing: Array(text.utf8)) else {
            return "template_param is not an object"
        }
        guard variables.count <= 9, Set(values.keys) == variables else { return "template_param has wrong variables" }
        guard values.values.allSatisfy(Self.isTemplateValue) else { return "a value of template_param is wrong" }
        return nil
    }

    /// Whether a value has 1 to 128 characters, and is neither blank nor has signs such as emoji.
    private static func isTemplateValue(_ value: JSONValue) -> Bool {
        guard let text = value.stringValue, (1...128).contains(text.count), !text.allSatisfy(\.isWhitespace) else {
            return false
        }
        return text.unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return !properties.isEmojiPresentation && properties.generalCategory != .otherSymbol
                && properties.generalCategory != .unassigned
        }
    }

    private func life(of message: XiaomiMessage, _ lane: Push.Lane) throws(Refusal) -> Double {
        let most =
            switch lane {
            case .inClass(.private), .inClass(.subscription), .data: 10 * 86_400.0
            case .inClass, .hidden: 86_400.0
            }
        let life = message.life ?? most
        guard life <= most || settings.cutsLongLives else { throw .illegal("time_to_live is too long") }
        return min(life, most)
    }

    private func hasTargets(_ push: Push) -> Bool {
        push.audience.names == nil || !targets(of: push.audience, in: push.package).isEmpty
    }

    /// The day's quota of a message's class and its deliveries, if it is used.
    func exceeded(by push: Push, _ now: Date) -> (quota: Int, acked: Int)? {
        quota(of: push, now).flatMap { $0.acked < $0.quota ? nil : $0 }
    }

    private func quota(of push: Push, _ now: Date) -> (quota: Int, acked: Int)? {
        guard case .inClass(let kind) = push.lane, let app = apps[push.package] else { return nil }
        return app.quota(of: kind, least: settings.leastDevices).map { ($0, acked(app, kind, now)) }
    }

    private func answer(to push: Push, _ now: Date) -> [String: JSONValue] {
        var data: [String: JSONValue] = ["id": .string(push.id)]
        if let (quota, acked) = quota(of: push, now) {
            data["day_quota"] = .string(String(quota))
            data["day_acked"] = .string(String(acked))
        }
        if case .regIDs(let ids) = push.audience {
            let bad = ids.filter { records[$0]?.owner != push.package }
            if !bad.isEmpty { data["bad_regids"] = .string(bad.joined(separator: ",")) }
        }
        return data
    }
}
