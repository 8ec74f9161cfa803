import FoundationEssentials
import Glibc
import HostileServer
import Logging
import PushClient
import PushCore
import PushCrypto
import PushEngageLab
import PushJPush
import PushObservability
import PushTPNS

/// A few seconds of calls to one vendor over one kind of connection, then a comparison of what the client reported with
/// what happened.
final class Round: Sendable {
    private static let numbers = Locked(0)
    private let vendor: HostileVendor
    private let dice: Dice
    private let findings: Findings
    private let name: String
    private let slack: Duration
    private let certificate: SelfSignedCertificate
    private let carrier: Carrier
    /// Devices per request: few, so that a send takes several requests, or many, so that requests are long.
    private let sliceSize: Int
    /// The claims about each unit, to check once the server is quiet.
    private let claims = Locked<[(unit: String, claim: Claim, call: String)]>([])

    /// Without optimization, more callers would measure the machine.
    private static let callers = _isDebugAssertConfiguration() ? 24 : 64

    enum Claim: String {
        case accepted, notApplied
        /// The client believed no response, although there was time for one.
        case unknown
    }

    init(
        _ kind: HostileVendor.Kind, _ carrier: Carrier, dice: Dice, findings: Findings, slack: Duration,
        certificate: SelfSignedCertificate
    ) {
        vendor = HostileVendor(kind, dice)
        self.dice = dice
        self.findings = findings
        self.slack = slack
        self.certificate = certificate
        self.carrier = carrier
        sliceSize = dice.happens(50) ? 3 : 600
        name = "\(kind.rawValue) by \(carrier.text)"
    }

    func run(for time: Duration, caFile: String) async throws {
        let trap = try HostileServer { connection in
            self.vendor.facts.withLock { $0.trapped += 1 }
            _ = connection.request()
        }
        let security: HostileServer.Security =
            carrier == .plain
            ? .plain
            : .tls(
                certificate: certificate.certificate, key: certificate.privateKey,
                protocols: carrier == .http1 ? ["http/1.1"] : ["h2", "http/1.1"])
        // With a small buffer, a request leaves in many pieces.
        let server = try HostileServer(security, receiveBuffer: dice.happens(30) ? 4_096 : nil) { connection in
            if connection.chosenProtocol == "h2" {
                self.vendor.serveHTTP2(connection, trap: trap.port)
            } else {
                self.vendor.serveHTTP1(connection, trap: trap.port)
            }
        }
        let transport = try carrier.transport(trusting: caFile)
        let client = try client("\(carrier == .plain ? "http" : "https")://localhost:\(server.port)", transport)
        let end = ContinuousClock.now + time
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.callers {
                group.addTask { while ContinuousClock.now < end { await self.call(client) } }
            }
        }
        await client.shutdown()
        server.stop()
        trap.stop()
        compare()
    }

    private func client(_ origin: String, _ transport: any HTTPTransport) throws -> PushClient {
        let secret = Secret("51c3e7cret51c3e7cret0000")
        let (key, sliceSize) = ("0123456789abcdef01234567", sliceSize)
        var configuration = ClientConfiguration()
        configuration.deadline = .seconds(3)
        configuration.attemptTimeout = .seconds(1)
        configuration.plannedDeadline = .seconds(4)
        configuration.keysPerMint = 20
        configuration.retry.throttledBase = .milliseconds(200)
        // Retries are what this round tests.
        configuration.retry.budget = 1_000_000
        configuration.layers = [LoggingLayer(Logger(label: "survive") { _ in InspectingLog(findings: self.findings) })]
        func tame(_ capabilities: inout Capabilities) {
            capabilities.quotas = [:]
            capabilities.minimumInterval = [:]
            capabilities.writeDelay = [:]
            capabilities.limits[.devicesPerSend] = Limit(sliceSize, .count, .split, source: "survive")
        }
        switch vendor.kind {
        case .jpush:
            var jpush = try JPush(appKey: key, masterSecret: secret, dataCenter: JPush.dataCenter(at: origin))
            tame(&jpush.capabilities)
            return PushClient(jpush, transport: transport, configuration: configuration)
        case .engagelab:
            var engageLab = try EngageLab(
                appKey: key, masterSecret: secret, dataCenter: EngageLab.dataCenter(at: origin))
            tame(&engageLab.capabilities)
            return PushClient(engageLab, transport: transport, configuration: configuration)
        case .tpns:
            var tpns = try TPNS(
                accessID: 1_500_000_001, secretKey: secret, platform: .android, dataCenter: TPNS.dataCenter(at: origin))
            tame(&tpns.capabilities)
            return PushClient(tpns, transport: transport, configuration: configuration)
        }
    }

    // MARK: Calls

    private func unit() -> String {
        Unit.make(
            Self.numbers.withLock { number in
                number += 1
                return number
            })
    }

    private func call(_ client: PushClient) async {
        switch dice.roll(0..<10) {
        case 0..<4: await sendToDevices(client)
        case 4..<7: await sendToTag(client)
        case 7..<9: await changeTags(client)
        default: await readTags(client)
        }
    }

    /// Makes a call, cancels one in twenty, and measures how long after its deadline, or its cancellation, it ends.
    private func timed<Output: Sendable>(
        _ name: String, _ deadline: Duration, _ body: @escaping @Sendable () async throws(PushError) -> Output
    ) async -> Result<Output, PushError> {
        let start = ContinuousClock.now
        let task = Task { () -> Result<Output, PushError> in
            do throws(PushError) { return .success(try await body()) } catch { return .failure(error) }
        }
        var end = start + deadline
        if dice.happens(5) {
            let moment = Duration.milliseconds(dice.roll(0...200))
            try? await Task.sleep(for: moment)
            task.cancel()
            end = min(end, ContinuousClock.now)
        }
        let result = await task.value
        let late = ContinuousClock.now - end
        findings.state.withLock { $0.longestLateness = max($0.longestLateness, late) }
        if late > slack { findings.violate("\(self.name): \(name) ended \(late) after its deadline") }
        if case .failure(let error) = result {
            var dumped = ""
            dump(error, to: &dumped)
            findings.inspect("\(error) \(dumped) \(error.vendor?.message ?? "")", "an error of \(name)")
        }
        return result
    }

    private func message(_ text: String) -> Message { Message(custom: CustomMessage(content: text)) }

    private func sendToDevices(_ client: PushClient) async {
        let units = (0..<(dice.happens(5) ? dice.roll(200...700) : dice.roll(1...8))).map { _ in unit() }
        var options = SendOptions()
        // A list that fits in one request is a single call, with the deadline of a single call.
        let deadline: Duration = units.count > sliceSize ? .seconds(4) : .seconds(3)
        options.requiresKeys = dice.happens(20)
        let (first, sent) = (options, message("hello"))
        var targets = units.map { Target.device(DeviceID($0)) }
        for number in 0..<2 {
            guard let audience = Audience(targets) else { return }
            let result = await timed("send to devices", deadline) { () throws(PushError) in
                try await client.send(sent, to: audience, options: first)
            }
            guard let report = report(result) else { return }
            note(report, targets, isLast: number == 1)
            targets = report.retryable()
        }
    }

    private func report(_ result: Result<SendReport, PushError>) -> SendReport? {
        switch result {
        case .success(let report):
            findings.inspect("\(report)", "a report")
            return report
        case .failure(let error): return error.report
        }
    }

    /// Records what the report says about each target. A target that is safe to send again is claimed only after the
    /// last send.
    private func note(_ report: SendReport, _ targets: [Target], isLast: Bool) {
        let exceptions = Dictionary(report.exceptions.map { ($0.target, $0.status) }) { first, _ in first }
        let again = Set(report.retryable())
        let outcome = report.isComplete ? "send: complete" : "send: in part or not"
        findings.count(outcome, by: carrier, targets: targets.count)
        claims.withLock { claims in
            for target in targets {
                switch exceptions[target] {
                case nil, .accepted: claims.append((target.text, .accepted, "send to devices"))
                case .unknown, .duplicate: continue
                case .invalid, .malformed, .suspect, .rejected, .notAttempted:
                    if isLast || !again.contains(target) {
                        claims.append((target.text, .notApplied, "send to devices"))
                    }
                }
            }
        }
    }

    private func sendToTag(_ client: PushClient) async {
        let unit = unit()
        let sent = message(unit)
        let result = await timed("send to a tag", .seconds(3)) { () throws(PushError) in
            try await client.send(sent, to: .tagged(anyOf: ["vip"]))
        }
        switch result {
        case .success(let report): claim(unit, report.isComplete ? .accepted : nil, "send to a tag")
        case .failure(let error): claim(unit, Claim(error), "send to a tag")
        }
    }

    private func changeTags(_ client: PushClient) async {
        let unit = unit()
        let result = await timed("change of tags", .seconds(3)) { () throws(PushError) in
            try await client.updateTags(.add([Tag(unit)]), of: DeviceID(String(unit.reversed())))
        }
        switch result {
        case .success(let outcome): claim(unit, outcome.isComplete ? .accepted : nil, "change of tags")
        case .failure(let error): claim(unit, Claim(error), "change of tags")
        }
    }

    private func readTags(_ client: PushClient) async {
        guard vendor.kind != .tpns else { return await sendToTag(client) }
        _ = await timed("read of tags", .seconds(3)) { () throws(PushError) in
            try await client.readTags(of: DeviceID(String(self.unit().reversed())))
        }
        findings.count("read", by: carrier)
    }

    private func claim(_ unit: String, _ claim: Claim?, _ call: String) {
        findings.count("\(call): \(claim?.rawValue ?? "late or in part")", by: carrier, targets: 1)
        if let claim { claims.withLock { $0.append((unit, claim, call)) } }
    }

    // MARK: The truth

    private func compare() {
        let facts = vendor.facts.withLock { $0 }
        var tally = Findings.Tally()
        (tally.finished, tally.resetsOfFinished) = (facts.finished, facts.resetsOfFinished)
        func story(_ unit: String) -> String {
            "\(unit.prefix(16)) (\(facts.history[unit, default: []].map(\.rawValue).joined(separator: ", ")))"
        }
        for (unit, claim, call) in claims.withLock({ $0 }) {
            let acted = facts.acted[unit, default: 0]
            let fault: String? =
                switch claim {
                case .notApplied where acted > 0: "not applied, and was carried out"
                case .accepted where acted == 0: "accepted, and was not carried out"
                case .accepted where !facts.said.contains(unit): "accepted, and no answer said so"
                default: nil
                }
            if facts.history[unit]?.last == .honest, !facts.cut.contains(unit) {
                tally.honest += 1
                if claim == .unknown { tally.unbelieved += 1 }
            }
            if let fault { findings.violate("\(name): \(call) \(story(unit)) is called \(fault)") }
        }
        // Tags may be written again; a message must arrive only once.
        for (unit, count) in facts.acted where count > 1 && !facts.tags.contains(unit) {
            findings.violate("\(name): \(story(unit)) arrived \(count) times")
        }
        if facts.trapped > 0 { findings.violate("\(name): \(facts.trapped) requests followed a redirect") }
        findings.add(tally, of: carrier)
        findings.state.withLock { state in
            state.faults.merge(facts.faults, uniquingKeysWith: +)
            state.requests += facts.requests
            state.resets += facts.resets
        }
    }
}

extension Round.Claim {
    /// Nil if the call timed out or was cancelled.
    fileprivate init?(_ error: PushError) {
        switch (error.effect, error.kind) {
        case (.notApplied, _): self = .notApplied
        case (_, .timeout), (_, .cancelled): return nil
        default: self = .unknown
        }
    }
}
