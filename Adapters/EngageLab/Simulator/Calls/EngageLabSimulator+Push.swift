public import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

extension EngageLabSimulator {
    /// Handles pushes and validations. Both have the same checks and response, but a validation delivers nothing and
    /// uses no key.
    func push(_ call: SimulatedCall, delivers: Bool) throws(Refusal) -> SimulatedResponse {
        .json(try push(call.fields(), call.now, delivers: delivers))
    }

    func push(_ fields: [String: JSONValue], _ now: Date, delivers: Bool) throws(Refusal) -> JSONValue {
        let push = try PushObject(fields, settings)
        guard case .object(var reply) = try carryOut(push, now, delivers: delivers) else { return .null }
        reply["request_id"] = push.requestID.map(JSONValue.string)
        return .object(reply)
    }

    /// Handles up to 500 single pushes. Each has its own result and costs one call of the quota.
    func pushBatch(_ call: SimulatedCall, isAlias: Bool) throws(Refusal) -> SimulatedResponse {
        let (fields, now) = (try call.fields(), call.now)
        for key in fields.keys.sorted() where key != "requests" { throw .unknownField(key) }
        guard let requests = fields["requests"] else { throw .missing("requests") }
        guard let items = requests.arrayValue else { throw .wrongType("requests") }
        guard Rules.batchSize.contains(items.count) else { throw .wrongType("requests") }
        guard items.allSatisfy({ $0["target"] != nil }) else { throw .missing("target") }
        let targets = items.compactMap { $0["target"]?.stringValue }
        guard targets.count == items.count else { throw .wrongType("target") }
        guard Set(targets).count == targets.count else { throw .invalid("target: given twice") }
        var results: [String: JSONValue] = [:]
        var wasLimited = false
        for (item, target) in zip(items, targets) {
            var row: [String: JSONValue] = ["target": .string(target)]
            do throws(Refusal) {
                try pay(now)
                guard case .object(let fields) = item else { throw .wrongType("requests") }
                let push = try PushObject(item: fields, isAlias: isAlias, settings)
                let id = try carryOut(push, now, delivers: true)["msg_id"]?.stringValue ?? ""
                row["success"] = true
                // The id is a number here, but a text in the response to a single push.
                row["msg_id"] = Int(id).map { JSONValue($0) } ?? .string(id)
            } catch {
                wasLimited = wasLimited || error.code == 23_008
                row["success"] = false
                row["error"] = error.detail
            }
            results[target] = .object(row)
        }
        var reply: [String: JSONValue] = ["results": .object(results)]
        if wasLimited {
            reply["rate_limit_info"] = ["rate_limit_occurred": true, "message": "some requests were limited"]
        }
        return .json(.object(reply))
    }

    /// Pushes to every app of the group: this app, and one without devices.
    func pushGroup(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try call.fields()
        guard fields["body"]?["options"]?["override_msg_id"] == nil else { throw .invalid("override_msg_id") }
        let own: JSONValue
        do throws(Refusal) {
            own = try push(fields, call.now, delivers: true)
        } catch {
            own = ["error": error.detail]
        }
        return .json([
            "group_msgid": .string(app.newMessageID()), appKey: own,
            "bbbbbbbbbbbbbbbbbbbbbbbb": ["error": Refusal.noTarget.detail],
        ])
    }

    /// Recalls a message from waiting devices and from screens. Works once, within a day of sending.
    func recall(_ id: String, _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard var message = app.messages[id], !message.isRecalled,
            now.timeIntervalSince(message.sentAt) <= Rules.recallLifetime
        else { throw .invalid("the msg_id does not exist") }
        message.isRecalled = true
        app.messages[id] = message
        devices.forget(id)
        return .json(["request_id": "", "msg_id": .string(id)])
    }

    // MARK: Steps

    private func carryOut(_ push: PushObject, _ now: Date, delivers: Bool) throws(Refusal) -> JSONValue {
        guard settings.isPaid else { throw Refusal(401, 21_038, "the paid plan has expired") }
        if delivers, let key = push.key, let kept = app.keys[key],
            now.timeIntervalSince(kept.usedAt) < Rules.keyLifetime
        {
            return kept.answer
        }
        if let id = push.override {
            guard let message = app.messages[id], now.timeIntervalSince(message.sentAt) <= Rules.overrideLifetime else {
                throw Refusal(400, 1003, "override_msg_id is invalid")
            }
        }
        if let plan = push.plan, app.plans[plan] == nil { throw .invalid("plan_id") }
        let named = push.audience["registration_id"] ?? []
        let unknown = named.filter { devices[$0] == nil }
        if !unknown.isEmpty, !settings.skipsUnknownDevices || unknown.count == named.count {
            throw Refusal(400, 20_101, "registration_id is invalid")
        }
        let targets = devices.targets(of: push) { state, key, values in
            key == "seg" && values.contains { settings.segments[$0]?.contains(state.device.id) ?? false }
        }
        guard !targets.isEmpty else { throw .noTarget }
        let id = app.newMessageID()
        let answer: JSONValue = ["msg_id": .string(id)]
        guard delivers else { return answer }
        deliver(push, id, targets, now)
        if let key = push.key { app.keys[key] = (answer, now) }
        if let plan = push.plan {
            app.plans[plan]?.messages.append((id, now))
            app.plans[plan]?.lastUsedAt = now
        }
        return answer
    }

    // MARK: Delivery

    private func deliver(_ push: PushObject, _ id: String, _ targets: [String], _ now: Date) {
        let sent = targets.map { device in
            let channel = devices[device].map { push.channel(of: $0.device) } ?? ""
            return (device, MessageState.Fate(status: settings.words.sent, channel: channel, date: now))
        }
        app.messages[id] = MessageState(
            push: push, sentAt: now, targets: targets, fates: Dictionary(sent) { first, _ in first })
        report(id, targets.map { ($0, settings.words.sent) }, now)
        for device in targets {
            guard var state = devices[device] else { continue }
            if let replaced = push.override { state.forget(replaced) }
            if let change = push.badge(on: state.device.platform) { state.badge = change.applied(to: state.badge) }
            devices[device] = state
            hand(push, id, to: device, now)
        }
    }

    /// Delivers a push to a device now or later, or records that it cannot.
    private func hand(_ push: PushObject, _ id: String, to device: String, _ now: Date) {
        guard var state = devices[device] else { return }
        if state.device.isOnline {
            guard let received = push.received(id, by: state) else { return fail(id, on: device, now) }
            state.inbox.receive(received)
            devices[device] = state
            // A phone reports its events itself. A device without a phone is ideal.
            if !state.inbox.hasPhone { record(id, on: device, push.events(on: state.device, settings), now) }
        } else if push.life > 0, let sentAt = app.messages[id]?.sentAt {
            let end = sentAt.addingTimeInterval(Double(push.life))
            firstExpiry = min(firstExpiry, end)
            state.waiting.append(WaitingMessage(id, until: end))
            devices[device] = state
        } else {
            fail(id, on: device, now)
        }
    }

    /// Delivers the waiting messages to a device that came online.
    public func deliverWaiting(to device: String, at now: Date) {
        for item in takeWaiting(of: device) {
            if let push = app.messages[item.messageID]?.push { hand(push, item.messageID, to: device, now) }
        }
    }

    /// Drops waiting messages that have expired.
    func expireWaiting(_ now: Date) {
        for (device, entry) in devices.dropExpired(until: now, next: &firstExpiry) {
            fail(entry.messageID, on: device, entry.until)
        }
    }

    /// Records events and reports them.
    func record(_ id: String, on device: String, _ events: [String], _ now: Date) {
        for event in events {
            switch event {
            case settings.words.delivered:
                app.messages[id]?.fates[device]?.isDelivered = true
                app.messages[id]?.fates[device]?.status = event
            case settings.words.impression: app.messages[id]?.fates[device]?.isImpression = true
            case settings.words.click: app.messages[id]?.fates[device]?.isClick = true
            default: break
            }
        }
        app.messages[id]?.fates[device]?.date = now
        report(id, events.map { (device, $0) }, now)
    }

    private func fail(_ id: String, on device: String, _ now: Date) {
        app.messages[id]?.fates[device]?.status = settings.words.failed
        app.messages[id]?.fates[device]?.errorCode = Rules.unreachable
        app.messages[id]?.fates[device]?.date = now
        report(id, [(device, settings.words.sentFailed)], now)
    }
}

extension PushObject {
    /// The vendor's word for the channel to a device.
    fileprivate func channel(of device: VirtualDevice) -> String {
        switch device.platform {
        case .ios: kind == "message" ? "engageLab_ios" : "apns"
        case .harmony: kind == "message" ? "engageLab_hmos" : "harmonyos"
        default: "engageLab_android"
        }
    }

    /// The events that the vendor learns of when a push arrives on an ideal device. On iOS the app's extension reports
    /// them; for a custom message, the app itself does.
    fileprivate func events(on device: VirtualDevice, _ settings: EngageLabSimulatorSettings) -> [String] {
        let words = settings.words
        switch (kind, device.platform) {
        case ("message", _): return [words.delivered] + (settings.reportsCustomDisplay ? [words.impression] : [])
        case ("notification", .ios):
            return settings.hasExtension && isMutable ? [words.delivered, words.impression] : []
        case ("notification", _): return [words.delivered, words.impression]
        default: return [words.delivered]
        }
    }
}
