public import FoundationEssentials
import PushCore
import PushSimulation

extension EngageLabSimulator {
    /// Both push and validation: the same checks and the same reply; a validation delivers nothing and uses no key.
    func push(_ fields: [String: JSONValue], _ now: Date, delivers: Bool) throws(Refusal) -> JSONValue {
        let push = try PushObject(fields, settings)
        guard case .object(var reply) = try carryOut(push, now, delivers: delivers) else { return .null }
        reply["request_id"] = push.requestID.map(JSONValue.string)
        return .object(reply)
    }

    /// Up to 500 single pushes, each with its own result, each one call of the quota.
    func pushBatch(
        _ fields: [String: JSONValue], isAlias: Bool, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        for key in fields.keys.sorted() where key != "requests" { throw .unknownField(key) }
        guard let requests = fields["requests"] else { throw .missing("requests") }
        guard let items = requests.arrayValue else { throw .wrongType("requests") }
        guard Rules.batchSize.contains(items.count) else { throw .wrongType("requests") }
        let targets = items.compactMap { $0["target"]?.stringValue }
        guard targets.count == items.count else { throw .missing("target") }
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
                // A number here, and a text in the reply to a single push.
                row["msg_id"] = Int(id).map { JSONValue(integerLiteral: $0) } ?? .string(id)
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

    /// The push for every app of the group: this one, and one without devices.
    func pushGroup(_ fields: [String: JSONValue], _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard fields["body"]?["options"]?["override_msg_id"] == nil else { throw .invalid("override_msg_id") }
        let own: JSONValue
        do throws(Refusal) {
            own = try push(fields, now, delivers: true)
        } catch {
            own = ["error": error.detail]
        }
        return .json([
            "group_msgid": .string(app.newMessageID()), appKey: own,
            "bbbbbbbbbbbbbbbbbbbbbbbb": ["error": Refusal.noTarget.detail],
        ])
    }

    /// Once, within a day of sending: from those that wait for it, and from screens.
    func recall(_ id: String, _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard var message = app.messages[id], !message.isRecalled,
            now.timeIntervalSince(message.sentAt) <= Rules.recallLifetime
        else { throw .invalid("the msg_id does not exist") }
        message.isRecalled = true
        app.messages[id] = message
        for (device, var state) in app.devices {
            state.pending.removeAll { $0.messageID == id }
            state.inbox.removeAll { $0.messageID == id }
            app.devices[device] = state
        }
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
        let unknown = named.filter { app.devices[$0] == nil }
        if !unknown.isEmpty, !settings.skipsUnknownDevices || unknown.count == named.count {
            throw Refusal(400, 20_101, "registration_id is invalid")
        }
        let targets = match(push)
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

    /// The devices that satisfy every key of the audience, on the platforms of the push.
    private func match(_ push: PushObject) -> [String] {
        app.devices.values.filter { state in
            push.platforms.contains(state.device.platform.wireName)
                && push.audience.allSatisfy { name, values in isMember(state, name, values) }
        }.map(\.device.id).sorted()
    }

    private func isMember(_ state: DeviceState, _ name: String, _ values: [String]) -> Bool {
        switch name {
        case "tag": !state.tags.isDisjoint(with: values)
        case "tag_and": state.tags.isSuperset(of: values)
        case "tag_not": state.tags.isDisjoint(with: values)
        case "alias": state.alias.map(values.contains) ?? false
        case "registration_id": values.contains(state.device.id)
        case "live_activity_id": !state.liveActivities.isDisjoint(with: values)
        case "seg": values.contains { settings.segments[$0]?.contains(state.device.id) ?? false }
        default: false
        }
    }

    // MARK: Delivery

    private func deliver(_ push: PushObject, _ id: String, _ targets: [String], _ now: Date) {
        var message = MessageState(push: push, sentAt: now, targets: targets)
        for device in targets {
            guard var state = app.devices[device] else { continue }
            message.fates[device] = MessageState.Fate(
                status: "sent", channel: push.channel(of: state.device), date: now)
            if push.platforms.contains("ios"), state.device.platform == .ios, let change = push.badge {
                state.badge = change.applied(to: state.badge)
            }
            if let received = push.received(id, state) {
                state.inbox.append(received)
                message.fates[device]?.status = "delivered"
                message.fates[device]?.isImpression = true
            } else if !state.device.isOnline, push.life > 0 {
                let end = now.addingTimeInterval(Double(push.life))
                state.pending.append(PendingMessage(push: push, messageID: id, expiresAt: end))
            }
            app.devices[device] = state
        }
        app.messages[id] = message
        report(id, targets.flatMap { ["sent", message.fates[$0]?.status].compactMap(\.self).uniqued(for: $0) }, now)
    }

    /// A device has come online: what waited for it and has not expired arrives.
    func deliverPending(to device: String, _ now: Date) {
        guard var state = app.devices[device] else { return }
        let waiting = state.pending
        state.pending = []
        for item in waiting where item.expiresAt > now {
            guard let received = item.push.received(item.messageID, state) else { continue }
            state.inbox.append(received)
            app.messages[item.messageID]?.fates[device]?.status = "delivered"
            app.messages[item.messageID]?.fates[device]?.date = now
            app.messages[item.messageID]?.fates[device]?.isImpression = true
            report(item.messageID, [(device, "delivered")], now)
        }
        app.devices[device] = state
    }

    /// Somebody opens a message on a device.
    public func open(_ messageID: String, on device: String, at now: Date) {
        guard app.messages[messageID]?.fates[device]?.status == "delivered" else { return }
        app.messages[messageID]?.fates[device]?.isClick = true
        report(messageID, [(device, "click")], now)
    }
}

extension [String] {
    /// Each status once, with its device.
    fileprivate func uniqued(for device: String) -> [(device: String, status: String)] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }.map { (device, $0) }
    }
}

extension PushObject {
    /// The vendor's word for the way to a device.
    fileprivate func channel(of device: VirtualDevice) -> String {
        switch device.platform {
        case .ios: kind == "message" ? "engageLab_ios" : "apns"
        case .harmony: kind == "message" ? "engageLab_hmos" : "harmonyos"
        default: "engageLab_android"
        }
    }

    /// What a device gets of it now; nil while it is offline, and for a token of Apple's other environment.
    fileprivate func received(_ id: String, _ state: DeviceState) -> DeliveredMessage? {
        guard state.device.isOnline else { return nil }
        let platform = state.device.platform.wireName
        let isIOS = state.device.platform == .ios
        let isReachable = !isIOS || (state.device.environment == .production) == isProduction
        var delivered = DeliveredMessage(messageID: id)
        if liveActivity != nil || voip != nil { return isIOS && isReachable ? delivered : nil }
        if hasNotification, isReachable {
            delivered.alert = alert(for: platform)
            delivered.title = title(for: platform)
            if isIOS, badge != nil { delivered.badge = state.badge }
        }
        // Over the vendor's own connection, which knows no environments.
        delivered.custom = custom
        delivered.extras = extras(for: platform)
        return delivered.alert == nil && delivered.custom == nil ? nil : delivered
    }
}

extension Platform {
    /// The vendor's word.
    var wireName: String { self == .harmony ? "hmos" : rawValue }
}
