import Foundation
import PushAdapter
import PushClient
import PushOutbox
import PushOutboxSQLite

/// A campaign in the file of an outbox, at one or two hostile vendors. Its workers are processes.
final class OutboxRound {
    private static let longest = Duration.seconds(120)

    let world: World
    let sites: [Site]
    let plan: CampaignPlan
    let folder: URL
    let store: String
    /// The name for people. It may grow by the actions of the round.
    var name: String

    /// - Parameter vendors: the number of vendors.
    init(_ what: String, vendors: Int = 1, in world: World) throws {
        let dice = world.dice
        self.world = world
        sites = try (0..<vendors).map { _ in
            let kind = dice.pick(HostileVendor.Kind.allCases)
            let carrier = kind == .apns ? Carrier.http2 : dice.pick(Carrier.turns)
            // If a vendor returns the same key to two processes, they cannot notice it.
            let vendor = HostileVendor(kind, dice, honesty: dice.pick([60, 85]), repeatsKeys: false)
            return try Site(vendor, carrier, certificate: world.certificate)
        }
        let kinds = sites.map(\.vendor.kind)
        let count = kinds.contains(where: \.hasOneTarget) ? dice.roll(40...120) : dice.roll(200...600)
        plan = CampaignPlan(
            kinds: kinds, first: Unit.block(count * vendors), count: count, resends: dice.happens(20))
        folder = FileManager.default.temporaryDirectory.appending(path: "survive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = folder.appending(path: "outbox.db").path()
        let places = sites.map { "\($0.vendor.kind.rawValue) by \($0.carrier.text)" }
        name = "an outbox at \(places.joined(separator: " and ")), \(what)"
    }

    func worker(ahead: Int = 0) throws -> Worker {
        try Worker(plan, sites, world, store: store, in: folder, ahead: ahead)
    }

    /// Kills workers for a while, and lets the last one finish. Returns the number of kills; a worker may finish
    /// before.
    func kill(for time: Duration) async throws -> Int {
        let end = ContinuousClock.now + time
        var kills = 0
        while ContinuousClock.now < end {
            let worker = try worker()
            let hasEnded = await worker.wait(.milliseconds(world.dice.roll(30...500)))
            kills += worker.kill() ? 1 : 0
            check(worker)
            if hasEnded { break }
        }
        world.findings.state.withLock { $0.outcomes["workers killed", default: 0] += kills }
        await finish()
        return kills
    }

    /// Lets a worker finish the campaign without faults, and compares its report with the vendors' facts.
    func finish() async {
        for site in sites { site.vendor.calmDown() }
        do {
            // By then, no target waits any more.
            let worker = try worker(ahead: 7_200)
            if !(await worker.wait(Self.longest)) {
                world.findings.violate("\(name): not finished after \(Self.longest): \(worker.said.suffix(600))")
            }
            worker.kill()
            check(worker)
            stop()
            let store = try SQLiteOutboxStore(path: store)
            defer { try? store.close() }
            try await compare(PushOutbox(store, routes: [:]), isFinished: true)
        } catch {
            world.findings.violate("\(name): \(error)")
        }
        end()
    }

    func check(_ worker: Worker, mayFail: Bool = false) {
        world.findings.inspect(worker.said, "the output of a worker")
        if let fault = worker.fault(mayFail: mayFail) { world.findings.violate("\(name): a worker \(fault)") }
    }

    func stop() { for site in sites { site.stop() } }

    /// Removes everything that the round created.
    func end() {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Compares a report with the vendors' facts.
    func compare(_ outbox: PushOutbox, isFinished: Bool) async throws {
        let findings = world.findings
        let report = try await outbox.report(of: plan.name)
        let progress = report.progress
        // By installation, in the order of its routes.
        var exceptions: [Int: [CampaignReport.Exception]] = [:]
        for try await exception in report.exceptions { exceptions[exception.position, default: []].append(exception) }
        findings.inspect("\(report.progress)", "the progress of a campaign")
        let claims = plan.kinds.map { _ in Claims() }
        var accepted = 0
        // In a running campaign, open targets are not exceptions.
        for number in 0..<plan.count where progress.state == .finished {
            let found = exceptions.removeValue(forKey: number) ?? []
            for exception in found {
                guard let way = plan.routes.firstIndex(of: exception.route), let target = exception.target,
                    target.unit == plan.unit(number, at: way)
                else {
                    findings.violate("\(name): an exception of another installation than \(number)")
                    continue
                }
                claims[way].note(exception.status, target, "campaign")
            }
            let (ways, moves) = (plan.ways(of: number), found.count { $0.wentOnAt != nil })
            if Set(found.map(\.route)).count != found.count || found.count > ways.count || moves >= ways.count {
                findings.violate("\(name): the installation \(number) has \(found.count) exceptions, \(moves) went on")
            } else if moves == found.count {
                accepted += 1
                claims[ways[moves]].add(plan.unit(number, at: ways[moves]), .accepted, "campaign")
            }
        }
        if progress.total != plan.count {
            findings.violate("\(name): \(progress.total) of \(plan.count) targets: \(progress)")
        }
        if isFinished, progress.state != .finished || progress.open > 0 {
            findings.violate("\(name): not finished: \(progress)")
        }
        if progress.state == .finished, progress.accepted != accepted || !exceptions.isEmpty {
            findings.violate("\(name): \(accepted) accepted by the exceptions, which do not add up: \(progress)")
        }
        compare(claims, resent: plan.resends ? progress.resent : 0)
        findings.count("campaign", targets: plan.count)
        findings.state.withLock { state in
            state.outcomes["campaign: accepted", default: 0] += progress.accepted
            state.outcomes["campaign: unknown", default: 0] += progress.unknown
            state.outcomes["campaign: resent", default: 0] += progress.resent
            state.outcomes["campaign: went on elsewhere", default: 0] += progress.targets[.moved] ?? 0
        }
    }

    /// Compares the claims with the vendors' facts, and the number of repeated deliveries with the number of resends.
    func compare(_ claims: [Claims], resent: Int) {
        var acted: [[String: Int]] = []
        for (site, claims) in zip(sites, claims) {
            _ = claims.compare(site.vendor, world.findings, name, isOnce: resent == 0, isOneProcess: false)
            acted.append(site.vendor.facts.withLock { $0.acted })
        }
        var repeated = 0
        for number in 0..<plan.count {
            let counts = acted.enumerated().map { way, acted in acted[plan.unit(number, at: way)] ?? 0 }
            repeated += max(0, counts.reduce(0, +) - 1)
            if resent == 0, counts.allSatisfy({ $0 > 0 }), counts.count > 1 {
                world.findings.violate("\(name): the installation \(number) got \(counts) at its vendors")
            }
        }
        if resent > 0, repeated > resent {
            world.findings.violate("\(name): \(repeated) messages arrived again, and \(resent) were sent again")
        }
    }
}
