import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// Messages after the checks: stored, delivered, deleted.
extension WebPushSimulator {
    /// Delivers a message, or stores it for a browser that is not there. One with a life of 0 is never stored.
    func take(_ message: StoredMessage, at target: String, now: Date) {
        switch subscriptions[target]?.holder {
        case .device(let id):
            if devices[id]?.device.isOnline == true { return show(message, at: target) }
            if message.until > now { store(message, at: target) }
        case .channel(let channel, let agent):
            if message.until > now { store(message, at: target) }
            if let session = agents[agent]?.session { pass(message, to: channel, over: session) }
        case nil: break
        }
    }

    private func store(_ message: StoredMessage, at target: String) {
        if let replaced = subscriptions[target]?.store(message) { places[replaced] = nil }
        places[message.id] = target
        nextExpiry = min(nextExpiry, message.until)
    }

    /// Takes a message out of storage; returns whether it was there.
    @discardableResult
    func forget(_ id: String) -> Bool {
        guard let target = places.removeValue(forKey: id) else { return false }
        let count = subscriptions[target]?.stored.count
        subscriptions[target]?.stored.removeAll { $0.id == id }
        return subscriptions[target]?.stored.count != count
    }

    /// The device decrypts a message and shows it, or reports that it cannot.
    func show(_ message: StoredMessage, at target: String) {
        guard let subscription = subscriptions[target], case .device(let id) = subscription.holder else { return }
        let text = message.text(by: subscription.keys)
        let code = text == nil ? BrowserReport.Code.undecryptable : BrowserReport.Code.delivered
        reports.append(BrowserReport(messageID: message.id, endpoint: origin + target, code: code))
        guard let text else { return }
        devices[id]?.inbox.receive(DeliveredMessage(message.id, text))
    }

    // MARK: Deleting

    /// The message that a request names by the path of its `Location`.
    func messageID(in request: SimulatedRequest) -> String? {
        guard request.method == .delete, profile.deletesMessages, let path = profile.messagePath,
            request.path.hasPrefix(path)
        else { return nil }
        return String(request.path.dropFirst(path.count))
    }

    /// Removes a stored message. Whoever knows its address may do so.
    func delete(_ id: String) throws(WebPushRefusal) -> SimulatedResponse {
        // [?] Autopush answers 204 for any id that it can read.
        guard forget(id) else { throw profile.refusal(.unknownPath) }
        return SimulatedResponse(status: 204)
    }
}

extension StoredMessage {
    /// An accepted push under a new id.
    init(_ push: Incoming, _ profile: WebPushProfile) {
        let request = push.request
        let body = profile.cutsBodies ? Array(request.body.prefix(profile.bodyBytes)) : request.body
        let names = ["encryption", "crypto-key"].compactMap { name in request.value(name).map { (name, $0) } }
        self.init(
            id: SimulatorRandom.uuid(), topic: push.topic, until: push.now.addingTimeInterval(Double(push.ttl)),
            body: body, encoding: body.isEmpty ? nil : push.encoding ?? request.value("content-encoding"),
            oldFields: Dictionary(names) { first, _ in first })
    }

    /// The decrypted text; empty for a message without a body, and nil for one that cannot be decrypted.
    func text(by keys: BrowserKeys?) -> [UInt8]? {
        guard !body.isEmpty else { return [] }
        guard encoding == "aes128gcm" else { return nil }
        return try? keys?.decryption.decrypt(body)
    }
}

extension WebPushProfile {
    /// The answer to an accepted push.
    func answer(_ message: StoredMessage, _ push: Incoming, _ origin: String) -> SimulatedResponse {
        var response = SimulatedResponse(status: acceptance.status)
        if let messagePath { response.set("Location", origin + messagePath + message.id) }
        if acceptance.hasTTL { response.set("TTL", String(push.ttl)) }
        if let field = acceptance.idField { response.set(field, message.id) }
        for (name, value) in acceptance.fields { response.set(name, value) }
        if acceptance.describesMessage {
            let time = Int(push.now.timeIntervalSince1970)
            response.write([
                "id": .string(message.id), "time": JSONValue(time), "expires": JSONValue(time + push.ttl),
                "event": "message", "topic": .string(String(push.request.path.dropFirst())),
            ])
        }
        return response
    }
}
