import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting

/// A program whose callers share a client. Sends and lists are cancelled, run out of time, and are retried.
struct ClientWorld: World {
    static let name = "client"

    struct Send: Sendable {
        var start: Duration
        /// The numbers of the phones, and how many ids of no phone are added.
        var first: Int
        var count: Int
        var unknown = 0
        /// How many ids of no phone come first.
        var head = 0
        var deadline: Duration?
        var cancelledAfter: Duration?
    }

    var vendor: Vendor
    var targetsPerRequest: Int
    var attempts: Int
    /// The number of concurrent requests of a list.
    var concurrency: Int
    /// The number of slices of a list that are sent at once.
    var slicesAtOnce = ClientConfiguration().concurrentSlices
    /// Replaces all of the vendor's quotas.
    var quota: Quota?
    var sends: [Send]
    var storms: [(start: Duration, length: Duration)]
    /// When the client is shut down, and how long it drains; nil means after the last call.
    var shutdown: (time: Duration, drain: Duration)?
    var badness: Double
    /// How long a connection may take to fail while the network is bad; nil for the usual time.
    var timeToRefuse: Duration?
    /// Whether the vendor calls a request to an unknown device bad, and says no more.
    var isBlunt = false
    /// Whether no request takes any time while the network is good.
    var isInstant = false

    static let phones = 20

    init(drawnWith random: inout SplitMix) {
        vendor = Vendor.random(using: &random)
        targetsPerRequest = Int.random(in: 1...6, using: &random)
        attempts = Int.random(in: 1...4, using: &random)
        concurrency = [1, 2, 4, 100].randomElement(using: &random) ?? 1
        // Close together, so that they overlap.
        let pace = [100, 1_000, 4_000].randomElement(using: &random) ?? 100
        sends = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            let first = Int.random(in: 0..<Self.phones, using: &random)
            var send = Send(
                start: random.duration(0...pace), first: first,
                count: random.chance(0.5) ? 1 : Int.random(in: 1...Self.phones - first, using: &random))
            if random.chance(0.2) { send.unknown = Int.random(in: 1...3, using: &random) }
            if random.chance(0.4) { send.deadline = random.duration(50...20_000) }
            if random.chance(0.25) { send.cancelledAfter = random.duration(0...2_000) }
            return send
        }
        storms = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (random.duration(0...6_000), random.duration(200...20_000))
        }
        if random.chance(0.25) { shutdown = (random.duration(0...6_000), random.duration(0...3_000)) }
        if random.chance(0.4) {
            let window = [500...3_000, 3_000...20_000].randomElement(using: &random) ?? 500...3_000
            quota = Quota(Int.random(in: 1...5, using: &random), per: random.duration(window), source: "a small world")
        }
        badness = Double.random(in: 0.05...0.6, using: &random)
        if shutdown == nil, random.chance(0.3) { timeToRefuse = random.duration(1_000...20_000) }
    }

    var description: String {
        """
        \(vendor), up to \(targetsPerRequest) targets a request, \(concurrency) requests and \(slicesAtOnce) slices at once, \(attempts) attempts, losses \(badness), \(timeToRefuse.map { "no connection after \($0), " } ?? "")\(isBlunt ? "blunt, " : "")\(isInstant ? "instant, " : "")\(quota.map { "\($0.limit) each \($0.seconds) seconds" } ?? "no quota")
        \(sends.map { "\($0)" }.joined(separator: "\n"))
        storms \(storms), shutdown \(String(describing: shutdown))
        """
    }

    var smaller: [ClientWorld] {
        var worlds: [ClientWorld] = []
        func add(_ edit: (inout ClientWorld) -> Void) {
            var world = self
            edit(&world)
            worlds.append(world)
        }
        for fewer in sends.withoutOne { add { $0.sends = fewer } }
        for fewer in storms.withoutOne { add { $0.storms = fewer } }
        if quota != nil { add { $0.quota = nil } }
        if timeToRefuse != nil { add { $0.timeToRefuse = nil } }
        if shutdown != nil { add { $0.shutdown = nil } }
        for index in sends.indices {
            if sends[index].count > 1 { add { $0.sends[index].count /= 2 } }
            if sends[index].head > 0 { add { $0.sends[index].head /= 2 } }
            if sends[index].unknown > 0 { add { $0.sends[index].unknown = 0 } }
            if sends[index].cancelledAfter != nil { add { $0.sends[index].cancelledAfter = nil } }
            if sends[index].deadline != nil { add { $0.sends[index].deadline = nil } }
        }
        return worlds
    }

    func play(_ simulation: Simulation) async throws {
        let site = Site(vendor, devices: (0..<Self.phones).map(vendor.device), simulation, isBlunt: isBlunt)
        let departures = Departures()
        var good = SimulatedLink.Weather()
        if isInstant { good.latency = .zero }
        let network = Network(simulation, badness: badness, good: good, timeToRefuse: timeToRefuse) { event in
            guard Vendor.text(of: event.request, at: [vendor]).contains("Call ") else { return }
            departures.note(event, at: simulation.clock.elapsed)
            if case .left = event { simulation.tell("a request leaves") }
        }
        let findings = Locked<[String]>([])
        let claims = Claims()
        let shutDownAt = Locked<Duration?>(nil)
        let program = simulation.process("program") { process in
            let client = try network.client(
                of: site, in: process,
                restrict: { capabilities in
                    capabilities.shortenLists(to: self.targetsPerRequest)
                    capabilities.concurrency = self.concurrency
                    guard let quota = self.quota else { return }
                    capabilities.quotas = capabilities.quotas.mapValues { _ in quota }
                },
                configure: {
                    $0.retry.attempts = self.attempts
                    $0.concurrentSlices = self.slicesAtOnce
                })
            await withTaskGroup(of: Void.self) { group in
                for (number, send) in self.sends.enumerated() {
                    group.addTask {
                        await simulation.sleep(send.start)
                        await self.carryOut(send, number, client, simulation, claims, findings)
                        let late = shutDownAt.withLock { $0 }.map { process.clock.elapsed - $0 } ?? .zero
                        // A call that begins after the shutdown ends at once.
                        if late > max(.zero, send.start - (self.shutdown?.time ?? .zero)) + .seconds(1) {
                            findings.withLock { $0.append("call \(number) ended \(late) after the shutdown") }
                        }
                    }
                }
                if let shutdown = self.shutdown {
                    group.addTask {
                        await simulation.sleep(shutdown.time)
                        simulation.tell("--- shutdown")
                        let start = process.clock.elapsed
                        await client.shutdown(draining: shutdown.drain)
                        shutDownAt.withLock { $0 = process.clock.elapsed }
                        if process.clock.elapsed - start > shutdown.drain + .seconds(1) {
                            findings.withLock { $0.append("the shutdown took \(process.clock.elapsed - start)") }
                        }
                    }
                }
            }
            await client.shutdown()
        }
        await withTaskGroup(of: Void.self) { group in
            for storm in storms {
                group.addTask {
                    await simulation.sleep(storm.start)
                    await network.storm(for: storm.length)
                }
            }
        }
        await program.untilEnd()
        try await network.untilStill()
        if let finding = findings.withLock(\.first) { throw Violation(finding) }
        try await claims.check(at: site)
        // A request leaves up to a second and some milliseconds after its reserved time.
        if let quota, vendor.countsSends { try departures.check(quota, late: .milliseconds(1_100)) }
    }

    private func carryOut(
        _ send: Send, _ number: Int, _ client: PushClient, _ simulation: Simulation, _ claims: Claims,
        _ findings: Locked<[String]>
    ) async {
        let text = "Call \(number)"
        let ids = (send.first..<send.first + send.count).map { vendor.device($0).id }
        let absent = (0..<send.unknown + send.head).map { vendor.device(Self.phones + $0).id }
        claims.expect(text, ids)
        var options = SendOptions()
        options.deadline = send.deadline
        var targets = Array(absent.prefix(send.head) + ids + absent.dropFirst(send.head))
        for round in 1...2 where !targets.isEmpty {
            let start = simulation.clock.elapsed
            let list = targets
            let call = Task { [options] () async -> Result<SendReport, PushError> in
                do throws(PushError) {
                    return .success(
                        try await client.send(
                            Message(notification: Notification(body: text)), to: .devices(list.map { DeviceID($0) }),
                            options: options))
                } catch { return .failure(error) }
            }
            if let time = send.cancelledAfter, round == 1 {
                Task {
                    await simulation.sleep(time)
                    call.cancel()
                }
            }
            let result = await call.value
            let took = simulation.clock.elapsed - start
            if let deadline = send.deadline, took > deadline + .milliseconds(100) {
                findings.withLock { $0.append("call \(number) took \(took), with a deadline of \(deadline)") }
            }
            simulation.tell("call \(number) after \(took): \(result)")
            if send.head > 0, round == 1, let complaint = Self.complaint(about: result) {
                findings.withLock { $0.append("call \(number): \(complaint)") }
            }
            targets = note(result, list, text, claims)
        }
    }

    /// Returns the targets that are safe to resend.
    private func note(
        _ result: Result<SendReport, PushError>, _ targets: [String], _ text: String, _ claims: Claims
    ) -> [String] {
        let report: SendReport
        switch result {
        case .success(let said): report = said
        case .failure(let error):
            guard let said = error.report else {
                let claim: Claims.Claim =
                    switch error.effect {
                    case .notApplied: .nobody
                    case .applied: .arrived
                    case .unknown: .unknown
                    }
                for target in targets { claims.note(text, target, claim) }
                return error.effect == .notApplied ? targets : []
            }
            report = said
        }
        var left = targets
        for exception in report.exceptions {
            guard case .device(let id) = exception.target, let index = left.firstIndex(of: id.rawValue) else {
                continue
            }
            left.remove(at: index)
            claims.note(text, id.rawValue, Claims.Claim(exception.status))
        }
        for target in left { claims.note(text, target, .arrived) }
        return report.retryable().compactMap { if case .device(let id) = $0 { id.rawValue } else { nil } }
    }
}

/// The client's reports on each message to each phone, to compare with the inboxes.
final class Claims: Sendable {
    enum Claim: Sendable {
        case arrived, unknown, nobody

        init(_ status: TargetStatus) {
            switch status {
            case .accepted: self = .arrived
            case .unknown: self = .unknown
            default: self = .nobody
            }
        }
    }

    private struct Entry {
        let text: String
        let phone: String
        var claims: [Claim] = []
    }

    private let entries = Locked<[String: Entry]>([:])

    func expect(_ text: String, _ phones: [String]) {
        entries.withLock { entries in
            for phone in phones { entries["\(text) \(phone)"] = Entry(text: text, phone: phone) }
        }
    }

    func note(_ text: String, _ phone: String, _ claim: Claim) {
        entries.withLock { $0["\(text) \(phone)"]?.claims.append(claim) }
    }

    /// A phone has each message at most once. It has the message if a report says so, and does not have it if all
    /// reports deny it.
    func check(at sites: Site...) async throws {
        for (name, entry) in entries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            var count = 0
            for site in sites { count += await site.deliveries(to: entry.phone, of: entry.text) }
            let what = "\(name): \(count) messages, and callers were told \(entry.claims)"
            try require(count <= 1, what)
            if entry.claims.contains(.arrived) { try require(count == 1, what) }
            if entry.claims.allSatisfy({ $0 == .nobody }) { try require(count == 0, what) }
        }
    }
}
