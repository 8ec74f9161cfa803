public import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

extension JPushSimulator {
    /// Handles pushes and validations. Both have the same checks and response, but a validation delivers nothing and
    /// does not use up a key.
    func push(_ call: SimulatedCall, delivers: Bool) throws(Refusal) -> SimulatedResponse {
        guard let fields = call.request.object else { throw .invalid("the body is no JSON object") }
        return try push(fields, call.now, delivers: delivers)
    }

    func push(_ fields: [String: JSONValue], _ now: Date, delivers: Bool) throws(Refusal) -> SimulatedResponse {
        let push = try PushObject(fields, settings)
        if let key = push.key, let answer = try storedAnswer(key, "push", now) { return answer }
        if let id = push.override {
            let sentAt = app.messages[id]?.sentAt ?? .distantPast
            guard now.timeIntervalSince(sentAt) <= Rules.overrideLifetime else {
                throw .invalid("illegal override_msg_id")
            }
        }
        let unknown = push.audience["registration_id"]?.filter { devices[$0] == nil } ?? []
        if let id = unknown.first, !settings.skipsUnknownDevices || unknown == push.audience["registration_id"] {
            throw .invalid("The registration_id \(id) is invalid!")
        }
        let targets = devices.targets(of: push, isNamed)
        let messageID = app.newMessageID()
        if push.isBroadcast, delivers { try countBroadcast(now) }
        guard !targets.isEmpty else {
            throw Refusal(
                400, 1011, "cannot find user by this audience or has been inactive for more than 255 days",
                fields: ["msg_id": .string(messageID)])
        }
        var reply: [String: JSONValue] = [
            "sendno": .string(String(push.options?["sendno"]?.intValue ?? 0)), "msg_id": .string(messageID),
        ]
        if !unknown.isEmpty { reply["illegal_rids"] = .array(unknown.map(JSONValue.string)) }
        let answer = SimulatedResponse.json(.object(reply))
        if delivers {
            deliver(push, messageID, targets, now)
            if let key = push.key { app.keys[key]?.answer = answer }
        }
        return answer
    }

    func mintKeys(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (request, now) = (call.request, call.now)
        let type = request.parameter("type") ?? "push"
        guard let count = Int(request.parameter("count") ?? "1"), Rules.keysPerMint.contains(count),
            ["push", "schedule"].contains(type)
        else { throw .invalid("illegal count or type") }
        app.keys = app.keys.filter { now.timeIntervalSince($0.value.mintedAt) < Rules.keyLifetime }
        let keys = (0..<count).map { _ in "\(appKey)-\(SimulatorRandom.uuid())" }
        for key in keys { app.keys[key] = KeyState(mintedAt: now, type: type) }
        return .json(["cidlist": .array(keys.map(JSONValue.string))])
    }

    /// The response to the first successful push with this key.
    func storedAnswer(_ key: String, _ type: String, _ now: Date) throws(Refusal) -> SimulatedResponse? {
        guard let state = app.keys[key], state.type == type,
            now.timeIntervalSince(state.mintedAt) < Rules.keyLifetime
        else { throw Refusal(400, settings.unknownKeyCode, "illegal cid") }
        return state.answer
    }

    private func countBroadcast(_ now: Date) throws(Refusal) {
        let day = day(of: now)
        guard app.broadcasts[day, default: 0] < settings.broadcastsPerDay else {
            throw Refusal(settings.broadcastOverflowStatus, 2008, "broadcast over the limit of the day")
        }
        app.broadcasts[day, default: 0] += 1
    }

    /// The day under which a push to everyone counts.
    func day(of now: Date) -> Int {
        Int(((now.timeIntervalSince1970 + Double(settings.dayOffset) * 3600) / 86_400).rounded(.down))
    }

    // MARK: Audience

    private func isNamed(_ state: SimulatedDevice, _ key: String, _ values: [String]) -> Bool {
        switch key {
        case "segment": values.contains { settings.segments[$0]?.contains(state.device.id) ?? false }
        case "file": values.contains { lists($0, state) }
        // A/B tests exist only in the console, so there are none here.
        default: false
        }
    }

    private func lists(_ file: String, _ state: SimulatedDevice) -> Bool {
        guard let file = app.files[file] else { return false }
        return file.kind == "alias"
            ? state.alias.map(file.ids.contains) ?? false : file.ids.contains(state.device.id)
    }

    // MARK: Delivery

    private func deliver(_ push: PushObject, _ messageID: String, _ targets: [String], _ now: Date) {
        var message = MessageState(push, sentAt: now, targets: Set(targets))
        for id in targets {
            guard var state = devices[id] else { continue }
            // Android and HarmonyOS channels can replace a message; Apple's cannot.
            if let replaced = push.override, state.device.platform != .ios { state.forget(replaced) }
            if let change = push.badge(on: state.device.platform) { state.badge = change.applied(to: state.badge) }
            message.noteSending(to: state.device)
            let isDelivered = hand(push, messageID, to: &state, &message)
            if !isDelivered, !state.device.isOnline, push.life > 0 {
                let end = now.addingTimeInterval(Double(push.life))
                state.waiting.append(WaitingMessage(messageID, until: end))
            }
            devices[id] = state
        }
        app.messages[messageID] = message
    }

    /// Delivers the waiting messages to a device that came online, except expired ones.
    public func deliverWaiting(to id: String, at now: Date) {
        guard var state = devices[id] else { return }
        let waiting = state.waiting
        state.waiting = []
        for item in waiting where item.until > now {
            guard var message = app.messages[item.messageID] else { continue }
            _ = hand(message.push, item.messageID, to: &state, &message)
            app.messages[item.messageID] = message
        }
        devices[id] = state
    }

    /// Recalls a message from waiting devices and from screens. The vendor does not document the response for an
    /// unknown one.
    func recall(_ id: String) -> SimulatedResponse {
        devices.forget(id)
        return .empty
    }

    /// Delivers a push to a device. Returns false if the device cannot be reached or the push has nothing for it.
    private func hand(
        _ push: PushObject, _ messageID: String, to state: inout SimulatedDevice, _ message: inout MessageState
    ) -> Bool {
        guard state.device.isOnline, let received = push.received(messageID, by: state) else { return false }
        if received.activity != nil { message.liveActivitySent += 1 }
        state.inbox.receive(received)
        if state.inbox.hasPhone {
            message.displayed = message.displayed ?? []
        } else {
            // A device without a phone is ideal: everything that it receives has arrived.
            if push.notifies(state.device.platform) || received.activity != nil || received.call != nil {
                message.noteArrival(of: received, on: state.device)
            }
            message.noteCustomArrival(of: received, on: state.device)
        }
        return true
    }
}
