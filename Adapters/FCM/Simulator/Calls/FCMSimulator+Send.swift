import FoundationEssentials
import PushAdapter
import PushSimulation

extension FCMSimulator {
    /// Sends a message, or only checks it. A refused message uses quota too, unless the refusal is about rates.
    func send(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (project, now) = (try project(call, .send), call.now)
        try takeSend(project, now)
        var isFree = false
        defer { if isFree { projects[project]?.sends.giveBack() } }
        do throws(Refusal) {
            let (fields, isDryRun) = try OutgoingMessage.read(call.body)
            isFree = isDryRun && !settings.countsDryRuns
            return try send(fields, project, isDryRun: isDryRun, now)
        } catch {
            isFree = isFree || error.status == 429
            throw error
        }
    }

    /// Takes one message from the quota of a project.
    func takeSend(_ project: String, _ now: Date) throws(Refusal) {
        guard let facts = projects[project]?.project else { return }
        guard projects[project]?.sends.take(facts.sendsPerMinute, now) ?? false else {
            throw .projectQuota(
                number: facts.number, limit: facts.sendsPerMinute, namesCode: settings.namesQuotaCode)
        }
    }

    private func send(
        _ fields: JSONValue, _ project: String, isDryRun: Bool, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        let recipient = try Recipient(fields, settings)
        if case .token(let token) = recipient, homes[.token(token)] == nil,
            !Rules.isToken(token, shortest: settings.shortestToken)
        {
            throw .badToken(namesField: settings.namesTokenField)
        }
        let message = OutgoingMessage(recipient: recipient, fields: fields)
        try message.check(settings, isDryRun: isDryRun)
        let targets = try targets(of: message, project, isDryRun: isDryRun, now)
        let id = newMessage(isDryRun: isDryRun, isBroad: recipient.isBroad)
        let name = "projects/\(project)/messages/\(id)"
        if !isDryRun {
            sendCount += 1
            let shown = settings.showsWholeNames ? name : id
            for home in targets {
                projects[home.project]?.registrations[home.device]?.receive(message, as: shown, settings, now)
            }
        }
        return .json(["name": .string(name)])
    }

    /// Devices and topics have ids of different forms, as in the vendor's samples.
    private func newMessage(isDryRun: Bool, isBroad: Bool) -> String {
        let number = newNumber()
        if isDryRun, settings.fakesDryRunIDs { return "fake_message_id" }
        if isDryRun || isBroad { return String(4_611_686_018_000_000_000 + number) }
        let digits = String(number, radix: 16)
        return "0:\(1_790_000_000_000_000 + number)%" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    // MARK: Targets

    private func targets(
        of message: OutgoingMessage, _ project: String, isDryRun: Bool, _ now: Date
    ) throws(Refusal) -> [Home] {
        switch message.recipient {
        case .token(let token): return try target(.token(token), message, project, isDryRun: isDryRun, now)
        case .fid(let fid): return try target(.fid(fid), message, project, isDryRun: isDryRun, now)
        case .topic(let topic):
            if let limit = settings.topicSendsPerMinute, !isDryRun {
                guard projects[project]?.takeTopicSend(topic, limit, now) ?? false else { throw .topicQuota }
            }
            return members(of: project, now) { $0(topic) }
        case .condition(let condition): return members(of: project, now) { condition.matches($0) }
        }
    }

    private func members(of project: String, _ now: Date, where matches: ((String) -> Bool) -> Bool) -> [Home] {
        let devices = projects[project]?.members(settings, now, where: matches) ?? []
        return devices.map { Home(project: project, device: $0) }
    }

    /// The one registration that a message reaches, after all checks. None if a send after its end is accepted and
    /// lost.
    private func target(
        _ address: Address, _ message: OutgoingMessage, _ project: String, isDryRun: Bool, _ now: Date
    ) throws(Refusal) -> [Home] {
        guard let home = homes[address], var state = projects[home.project]?.registrations[home.device] else {
            throw .unregistered
        }
        if home.project != project { try checkSender(home, address, project) }
        // The counts change whatever the result is.
        defer { projects[home.project]?.registrations[home.device] = state }
        guard state.isRegistered(now) else {
            if state.acceptsAfterEnd() { return [] }
            throw .unregistered
        }
        guard state.accepts(package: message.package) else {
            throw .field(
                "message.android.restricted_package_name", "The token was registered for another package.")
        }
        guard state.takeSend(settings, isDryRun: isDryRun, now) else { throw .deviceQuota }
        let platform = state.registration.device.platform
        guard projects[project]?.hasCredentials(for: platform) ?? false else {
            throw .credentials(isApple: platform == .ios)
        }
        if platform == .ios, state.isAppleTokenDead { throw .appleTokenDisabled }
        return [home]
    }

    /// A token of another project has another sender. An installation id is known only in its own project.
    private func checkSender(_ home: Home, _ address: Address, _ project: String) throws(Refusal) {
        guard case .token = address else { throw .unregistered }
        let sender = projects[home.project]?.project.number ?? ""
        guard projects[project]?.project.otherSenders.contains(sender) ?? false else { throw .otherSender }
    }
}
