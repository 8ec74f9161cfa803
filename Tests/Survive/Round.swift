import FoundationEssentials
import Glibc
import HostileServer
import Logging
import PushAdapter
import PushClient
import PushCrypto
import PushObservability

/// A few seconds of calls to one vendor over one kind of connection, then a comparison of the client's reports with the
/// facts.
final class Round: Sendable {
    private let world: World
    private let vendor: HostileVendor
    private let dice: Dice
    private let findings: Findings
    private let name: String
    private let slack: Duration
    private let carrier: Carrier
    /// Devices per request. With few, a send takes several requests; with many, the requests are long.
    private let sliceSize: Int
    private let claims = Claims()
    /// Whether the client has layers. Without layers, its calls stay on the transport's thread.
    private let hasLayers: Bool

    /// Without optimization, more callers would only measure the machine.
    private static let callers = _isDebugAssertConfiguration() ? 24 : 64

    init(_ kind: HostileVendor.Kind, _ carrier: Carrier, in world: World) {
        (self.world, dice, findings, slack) = (world, world.dice, world.findings, world.slack)
        // A list of one-target requests meets so many faults that a higher rate would end every list.
        vendor = HostileVendor(kind, dice, honesty: kind.hasOneTarget ? 70 : 45)
        self.carrier = carrier
        sliceSize = dice.happens(50) ? 3 : 600
        hasLayers = dice.happens(50)
        name = "\(kind.rawValue) by \(carrier.text)\(hasLayers ? "" : ", without layers")"
    }

    func run(for time: Duration) async throws {
        let site = try Site(vendor, carrier, certificate: world.certificate)
        var configuration = Clients.configuration(vendor.kind)
        if hasLayers {
            configuration.layers = [
                LoggingLayer(Logger(label: "survive") { _ in InspectingLog(findings: self.findings) })
            ]
        }
        let client = try world.clients.client(
            of: vendor.kind, at: site.origin, try carrier.transport(trusting: world.caFile), sliceSize: sliceSize,
            configuration)
        let end = ContinuousClock.now + time
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.callers {
                group.addTask { while ContinuousClock.now < end { await self.call(client) } }
            }
        }
        await client.shutdown()
        site.stop()
        findings.add(claims.compare(vendor, findings, name), of: carrier)
    }

    // MARK: Calls

    private func call(_ client: PushClient) async {
        let kind = vendor.kind
        switch dice.roll(0..<10) {
        case 4..<7 where kind.sendsToTags: await sendToTag(client)
        case 7..<9 where kind.hasTags: await changeTags(client)
        case 9 where kind.listsTags: await readTags(client)
        default: await sendToDevices(client)
        }
    }

    /// Makes a call and cancels one in twenty. Measures how long after its deadline or cancellation the call ends.
    private func timed<Output: Sendable>(
        _ name: String, _ deadline: Duration, _ body: @escaping @Sendable () async throws(PushError) -> Output
    ) async -> Result<Output, PushError> {
        let (start, stalls) = (ContinuousClock.now, Stalls.total)
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
        let late = ContinuousClock.now - end - (Stalls.total - stalls)
        findings.state.withLock { $0.longestLateness = max($0.longestLateness, late) }
        if late > slack { findings.violate("\(self.name): \(name) ended \(late) after its deadline") }
        if case .failure(let error) = result {
            var dumped = ""
            dump(error, to: &dumped)
            findings.inspect("\(error) \(dumped) \(error.vendor?.message ?? "")", "an error of \(name)")
        }
        return result
    }

    private func message(_ text: String) -> Message { .survive(text, at: [vendor.kind]) }

    private func sendToDevices(_ client: PushClient) async {
        let units = (0..<(dice.happens(5) ? dice.roll(200...700) : dice.roll(1...8))).map { _ in Unit.next() }
        var options = SendOptions()
        // A list that fits in one request is a single call, with the deadline of a single call.
        let deadline: Duration = units.count > (vendor.kind.hasOneTarget ? 1 : sliceSize) ? .seconds(4) : .seconds(3)
        options.requiresKeys = dice.happens(20)
        let (first, sent) = (options, message("hello"))
        var targets = units.map { Target.device(vendor.kind.device($0)) }
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

    private func note(_ report: SendReport, _ targets: [Target], isLast: Bool) {
        let outcome = report.isComplete ? "send: complete" : "send: in part or not"
        findings.count(outcome, by: carrier, targets: targets.count)
        claims.note(report, targets, "send to devices", isLast: isLast)
    }

    private func sendToTag(_ client: PushClient) async {
        let unit = Unit.next()
        let sent = message(unit)
        let result = await timed("send to a tag", .seconds(3)) { () throws(PushError) in
            try await client.send(sent, to: .tagged(anyOf: ["vip"]))
        }
        switch result {
        case .success(let report): claim(unit, report.isComplete ? .accepted : nil, "send to a tag")
        case .failure(let error): claim(unit, Claims.Claim(error), "send to a tag")
        }
    }

    private func changeTags(_ client: PushClient) async {
        let unit = Unit.next()
        let result = await timed("change of tags", .seconds(3)) { () throws(PushError) in
            try await client.updateTags(.add([Tag(unit)]), of: DeviceID(String(unit.reversed())))
        }
        switch result {
        case .success(let outcome): claim(unit, outcome.isComplete ? .accepted : nil, "change of tags")
        case .failure(let error): claim(unit, Claims.Claim(error), "change of tags")
        }
    }

    private func readTags(_ client: PushClient) async {
        _ = await timed("read of tags", .seconds(3)) { () throws(PushError) in
            try await client.readTags(of: DeviceID(String(Unit.next().reversed())))
        }
        findings.count("read", by: carrier)
    }

    private func claim(_ unit: String, _ claim: Claims.Claim?, _ call: String) {
        findings.count("\(call): \(claim?.rawValue ?? "late or in part")", by: carrier, targets: 1)
        if let claim { claims.add(unit, claim, call) }
    }
}

extension Claims.Claim {
    /// Nil if the call timed out or was cancelled.
    fileprivate init?(_ error: PushError) {
        switch (error.effect, error.kind) {
        case (.notApplied, _): self = .notApplied
        case (_, .timeout), (_, .cancelled): return nil
        default: self = .unknown
        }
    }
}
