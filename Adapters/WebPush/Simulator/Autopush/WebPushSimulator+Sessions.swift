public import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// Sessions of real browsers.
extension WebPushSimulator {
    /// Opens a session for a browser that connected.
    /// - Parameters:
    ///   - now: the moment.
    ///   - send: takes the output for the browser, in order. It must not block: the simulator waits for its return.
    public func openSession(
        at now: Date, _ send: @escaping @Sendable (AutopushSession.Output) -> Void
    ) -> AutopushSession {
        lastSession += 1
        sessions[lastSession] = OpenSession(send: send, opened: now)
        return AutopushSession(simulator: self, number: lastSession)
    }

    /// Closes every session with a code. Browsers connect again, unless the code is 4774.
    public func endSessions(code: Int, at now: Date) {
        for number in sessions.keys.sorted() { end(number, code: code, at: now) }
    }

    /// Removes a browser and all its subscriptions, as the service does with one that it does not know any more.
    public func forgetBrowser(_ agent: String, at now: Date) {
        guard let old = agents.removeValue(forKey: agent) else { return }
        for target in old.channels.values { subscriptions[target]?.end() }
        if let session = old.session { end(session, code: AutopushSession.CloseCode.replaced, at: now) }
    }

    /// The ids of the browsers that came over sessions.
    public var browsers: [String] { agents.keys.sorted() }

    // MARK: Frames

    func receive(_ text: String, over number: Int, at now: Date) {
        settle(at: now)
        guard let session = sessions[number] else { return }
        guard let command = AutopushCommand(text) else { return refuse(number, at: now) }
        if case .hello(let agent, let versions) = command {
            return session.agent == nil ? greet(agent, versions, over: number, at: now) : refuse(number, at: now)
        }
        guard let agent = session.agent else { return refuse(number, at: now) }
        agents[agent]?.lastSeen = now
        switch command {
        case .hello: break
        case .register(let channel, let key): register(channel, key, of: agent, over: number, at: now)
        case .unregister(let channel):
            if let target = agents[agent]?.channels.removeValue(forKey: channel) { subscriptions[target]?.end() }
            session.send(AutopushFrame.unregistered(channel))
        case .acknowledge(let updates): acknowledge(updates, of: agent, over: number)
        case .report(let id, let code):
            let endpoint = reports.last { $0.messageID == id }?.endpoint
            reports.append(BrowserReport(messageID: id, endpoint: endpoint ?? "", code: code))
        case .subscribe(let versions):
            let news = news(since: versions)
            if !news.isEmpty { session.send(AutopushFrame.broadcast(news)) }
        case .ping: answerPing(over: number, at: now)
        }
    }

    /// Sends a message to its browser.
    func pass(_ message: StoredMessage, to channel: String, over number: Int) {
        sessions[number]?.inFlight.insert(message.id)
        sessions[number]?.send(AutopushFrame.notification(message, channel))
    }

    func closed(_ number: Int, at now: Date) {
        guard let agent = sessions.removeValue(forKey: number)?.agent, agents[agent]?.session == number else { return }
        agents[agent]?.session = nil
        agents[agent]?.lastSeen = now
    }

    func closeSilentSessions(at now: Date) {
        for (number, session) in sessions
        where session.agent == nil && now.timeIntervalSince(session.opened) >= AutopushSession.helloSeconds {
            refuse(number, at: now)
        }
    }

    // MARK: Steps

    /// Begins with a known browser, or with a new one. A browser that hears another id drops its subscriptions.
    private func greet(_ given: String?, _ versions: [String: String], over number: Int, at now: Date) {
        let agent = knownAgent(given, at: now) ?? Digests.hex(SimulatorRandom.bytes(16))
        if let old = agents[agent]?.session { end(old, code: AutopushSession.CloseCode.replaced, at: now) }
        agents[agent, default: UserAgent(lastSeen: now)].session = number
        agents[agent]?.lastSeen = now
        sessions[number]?.agent = agent
        sessions[number]?.send(AutopushFrame.hello(agent, broadcasts: news(since: versions)))
        passStored(of: agent, over: number)
    }

    /// The id of a browser that the service knows. It forgets one that stayed away too long, or for which too much
    /// waits.
    private func knownAgent(_ given: String?, at now: Date) -> String? {
        guard let given, let agent = agents[given] else { return nil }
        let count = agent.channels.values.reduce(0) { $0 + (subscriptions[$1]?.stored.count ?? 0) }
        let isAway = agent.session == nil && now.timeIntervalSince(agent.lastSeen) > profile.absence ?? .infinity
        guard !isAway, count <= profile.backlog ?? .max else {
            forgetBrowser(given, at: now)
            return nil
        }
        return given
    }

    private func register(_ channel: String, _ key: String?, of agent: String, over number: Int, at now: Date) {
        let result = Result { () throws(RegistrationRefusal) in
            try endpoint(of: channel, key, agent: agent, at: now)
        }
        sessions[number]?.send(AutopushFrame.registered(channel, result))
    }

    /// The endpoint of a new channel, or of the same channel with the same key.
    private func endpoint(
        of channel: String, _ key: String?, agent: String, at now: Date
    ) throws(RegistrationRefusal) -> String {
        let bytes = key.map { Base64URL.decodeAny($0) ?? [] }
        guard Self.isChannel(channel), bytes.map({ (try? P256PublicKey($0, named: "key")) != nil }) ?? true else {
            throw RegistrationRefusal(status: 400)
        }
        if let target = agents[agent]?.channels[channel] {
            if subscriptions[target]?.serverKey == bytes { return origin + target }
            subscriptions[target]?.end()
        }
        let target = profile.newTarget(isOpen: bytes == nil)
        agents[agent]?.channels[channel] = target
        subscriptions[target] = Subscription(holder: .channel(channel, of: agent), serverKey: bytes, created: now)
        return origin + target
    }

    /// Whether a text is a UUID in lower case, with its dashes.
    private static func isChannel(_ text: String) -> Bool {
        text == text.lowercased() && UUID(uuidString: text) != nil
    }

    private func acknowledge(
        _ updates: [(channel: String, messageID: String, code: Int)], of agent: String, over number: Int
    ) {
        for update in updates {
            let endpoint = agents[agent]?.channels[update.channel].map { origin + $0 } ?? ""
            reports.append(BrowserReport(messageID: update.messageID, endpoint: endpoint, code: update.code))
            if places[update.messageID].map({ subscriptions[$0]?.isHeld(by: agent) == true }) ?? false {
                forget(update.messageID)
            }
            sessions[number]?.inFlight.remove(update.messageID)
        }
        passStored(of: agent, over: number)
    }

    /// Sends the next stored messages, if the browser acknowledged all before.
    private func passStored(of agent: String, over number: Int) {
        guard sessions[number]?.inFlight.isEmpty == true, let channels = agents[agent]?.channels else { return }
        let waiting = channels.sorted { $0.key < $1.key }.flatMap { channel, target in
            (subscriptions[target]?.stored ?? []).map { (channel, $0) }
        }
        for (channel, message) in waiting.prefix(AutopushSession.batch) { pass(message, to: channel, over: number) }
    }

    private func answerPing(over number: Int, at now: Date) {
        guard let session = sessions[number] else { return }
        if let last = session.lastPing, now.timeIntervalSince(last) < AutopushSession.pingSeconds {
            return end(number, code: AutopushSession.CloseCode.stayAway, at: now)
        }
        sessions[number]?.lastPing = now
        session.send(AutopushFrame.pong)
    }

    /// The broadcasts of which a browser has another version, among those that it names.
    private func news(since versions: [String: String]) -> [String: String] {
        broadcasts.filter { id, version in versions[id].map { $0 != version } ?? false }
    }

    private func refuse(_ number: Int, at now: Date) {
        end(number, code: AutopushSession.CloseCode.protocolError, at: now)
    }

    private func end(_ number: Int, code: Int, at now: Date) {
        sessions[number]?.send(.close(code: code))
        closed(number, at: now)
    }
}

extension Subscription {
    func isHeld(by agent: String) -> Bool {
        if case .channel(_, let holder) = holder { holder == agent } else { false }
    }
}
