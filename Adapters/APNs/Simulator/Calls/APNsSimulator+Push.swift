import FoundationEssentials
import PushAdapter
import PushSimulation

/// Pushes to device tokens.
extension APNsSimulator {
    func push(
        _ request: SimulatedRequest, to address: String, by caller: Caller, _ id: String, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        if settings.checksDeviceTokenFirst { _ = try target(address) }
        let push = try read(request, by: caller, id)
        let state = try target(address)
        guard state.topic.text == push.topic.text else { throw .wrongTopic }
        if let refusal = state.end?.refusal(settings, now) { throw refusal }
        try countPush(to: address, now)
        sendCount += 1
        accept(push, at: address, now)
        var response = SimulatedResponse(status: 200)
        if environment == .development { response.set(.uniqueID, Rules.newID()) }
        return response
    }

    // MARK: Headers and payload

    private func read(
        _ request: SimulatedRequest, by caller: Caller, _ id: String
    ) throws(Refusal) -> Push {
        if let given = request.value(of: .id), !Rules.isUUID(given) { throw .badMessageID }
        let topic = try topic(of: request, caller)
        let type = try pushType(of: request, topic)
        try checkPriority(of: request, type)
        let expiration = try request.value(of: .expiration).map { (text: String) throws(Refusal) -> Int in
            guard let moment = Rules.count(text) else { throw .badExpiration }
            return moment
        }
        let collapseID = request.value(of: .collapseID)
        guard (collapseID ?? "").utf8.count <= Rules.collapseIDBytes else { throw .badCollapseID }
        guard !request.body.isEmpty else { throw .payloadEmpty }
        guard request.body.count <= (topic.suffix == .voip ? Rules.callBytes : Rules.payloadBytes) else {
            throw .payloadTooLarge
        }
        let payload = Payload(request.body)
        if payload.fields == nil {
            switch settings.unreadablePayload {
            case .accept: break
            case .payloadEmpty: throw .payloadEmpty
            case .badRequestPayload: throw .badRequestPayload
            }
        }
        return Push(id: id, topic: topic, collapseID: collapseID, expiration: expiration, payload: payload)
    }

    private func topic(of request: SimulatedRequest, _ caller: Caller) throws(Refusal) -> Topic {
        guard let text = request.value(of: .topic) ?? caller.standardTopic else { throw .missingTopic }
        guard Rules.isTopic(text) else { throw .badTopic }
        guard let topic = Topic(text, isApp: { apps[$0] != nil }), let app = apps[topic.bundleID] else {
            throw .topic(settings.unknownTopicReason)
        }
        guard caller.owns(topic, of: app.teamID), caller.isBound(to: topic) else {
            throw .topic(settings.foreignTopicReason)
        }
        return topic
    }

    /// Every topic accepts a push without a type.
    private func pushType(of request: SimulatedRequest, _ topic: Topic) throws(Refusal) -> PushType? {
        guard let text = request.value(of: .pushType) else { return nil }
        guard let type = PushType(rawValue: text), type.fits(topic) else { throw .invalidPushType }
        return type
    }

    private func checkPriority(of request: SimulatedRequest, _ type: PushType?) throws(Refusal) {
        let priority = request.value(of: .priority) ?? Rules.urgentPriority
        guard Rules.priorities.contains(priority) else { throw .badPriority }
        if settings.refusesUrgentBackground, type == .background, priority == Rules.urgentPriority {
            throw .badPriority
        }
    }

    // MARK: Device token

    private func target(_ address: String) throws(Refusal) -> TokenState {
        guard Rules.isDeviceToken(address, acceptsCapitals: settings.acceptsUppercaseTokens),
            let state = table[address], state.environment == environment
        else { throw .badDeviceToken }
        return state
    }

    private func countPush(to address: String, _ now: Date) throws(Refusal) {
        guard let limit = settings.pushesPerToken else { return }
        var fits = true
        table.change(address) { state in
            state.pushes.seconds = settings.tokenSeconds
            fits = state.pushes.take(limit, now)
        }
        guard fits else { throw .tooManyRequests }
    }

    // MARK: Delivery

    /// Delivers a push. For an offline device, keeps it and drops the previous one.
    private func accept(_ push: Push, at token: String, _ now: Date) {
        guard let state = table[token], let device = table.devices[state.device] else { return }
        if state.end != nil {
            if device.device.isOnline { table.change(token) { $0.end?.noteArrival(settings, now) } }
        } else if device.device.isOnline {
            deliver(push, at: state, token, now)
        } else if let end = push.end(now) {
            let number = newNumber()
            table.change(token) { $0.waiting = (push, end, number) }
        }
    }

    /// Delivers a push to its device.
    func deliver(_ push: Push, at state: TokenState, _ token: String, _ now: Date) {
        let delivered = push.payload.delivered(
            as: push.id, for: state.purpose, collapseID: push.collapseID, customKeys: settings.customKeys)
        guard var message = delivered else { return }
        if state.purpose.isActivity {
            guard let change = activityChange(of: push, at: state, token, now) else { return }
            message.activity = change
        }
        table.devices[state.device]?.inbox.receive(message)
    }

    /// The change to a Live Activity; nil if the device ignores the push. A token that starts activities cannot change
    /// them, and vice versa.
    private func activityChange(
        of push: Push, at state: TokenState, _ token: String, _ now: Date
    ) -> DeliveredMessage.ActivityChange? {
        guard let payload = push.payload.activity,
            (payload.event == .start) == (state.purpose == .pushToStart)
        else { return nil }
        let id = (payload.event == .start ? payload.type : state.activity) ?? token.lowercased()
        let activity = DeviceState.Activity(app: state.app, id: id)
        guard table.devices[state.device]?.accepts(payload, of: activity, now) ?? false else { return nil }
        if payload.event == .start, let channel = push.payload.channel {
            subscribe(state.device, to: channel, of: state.app, as: id)
        }
        return payload.change(of: id)
    }
}
