import Foundation
import PushClient
import PushCore
import PushOutbox
import PushOutboxSQLite

/// A campaign in the file of an outbox, at a hostile vendor, whose workers are processes.
final class OutboxRound {
    private static let longest = Duration.seconds(15)

    let world: World
    let site: Site
    let plan: CampaignPlan
    let folder: URL
    let store: String
    let name: String

    init(_ what: String, in world: World) throws {
        let dice = world.dice
        self.world = world
        let kind = dice.pick(HostileVendor.Kind.allCases)
        let carrier = kind == .apns ? Carrier.http2 : dice.pick(Carrier.turns)
        // A vendor that gives the same key to two processes cannot be found out.
        let vendor = HostileVendor(kind, dice, honesty: dice.pick([60, 85]), repeatsKeys: false)
        site = try Site(vendor, carrier, certificate: world.certificate)
        let count = kind.hasOneTarget ? dice.roll(40...120) : dice.roll(200...600)
        plan = CampaignPlan(kind: kind, first: Unit.block(count), count: count, resends: dice.happens(20))
        folder = FileManager.default.temporaryDirectory.appending(path: "survive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = folder.appending(path: "outbox.db").path()
        name = "an outbox at \(kind.rawValue) by \(carrier.text), \(what)"
    }

    func worker(ahead: Int = 0) throws -> Worker {
        try Worker(plan, site, world, store: store, in: folder, ahead: ahead)
    }

    /// Kills workers for a while, and lets the last one finish.
    func kill(for time: Duration) async throws {
        let end = ContinuousClock.now + time
        var kills = 0
        while ContinuousClock.now < end {
            let worker = try worker()
            let hasEnded = await worker.wait(.milliseconds(world.dice.roll(30...700)))
            kills += worker.kill() ? 1 : 0
            check(worker)
            if hasEnded { break }
        }
        world.findings.state.withLock { $0.outcomes["workers killed", default: 0] += kills }
        await finish()
    }

    /// Lets a worker finish the campaign in peace, and compares its report with what the vendor did.
    func finish() async {
        site.vendor.calmDown()
        do {
            // By then, nothing waits any more.
            let worker = try worker(ahead: 7_200)
            if !(await worker.wait(Self.longest)) {
                world.findings.violate("\(name): not finished after \(Self.longest): \(worker.said.suffix(600))")
            }
            worker.kill()
            check(worker)
            site.stop()
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

    /// Removes what the round made.
    func end() {
        site.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Compares a report with what the vendor did.
    func compare(_ outbox: PushOutbox, isFinished: Bool) async throws {
        let findings = world.findings
        let report = try await outbox.report(of: plan.name)
        let progress = report.progress
        var statuses: [String: TargetStatus] = [:]
        for try await exception in report.exceptions {
            guard let target = exception.target else { continue }
            if statuses.updateValue(exception.status, forKey: target.text) != nil {
                findings.violate("\(name): \(target.text.prefix(16)) is twice in the report")
            }
        }
        findings.inspect("\(report.progress)", "the progress of a campaign")
        let claims = Claims()
        // Of a campaign that goes on, what is open is no exception.
        if progress.state == .finished {
            for unit in plan.units {
                claims.note(statuses[unit] ?? .accepted, .device(DeviceID(unit)), "campaign")
            }
        }
        if progress.total != plan.count {
            findings.violate("\(name): \(progress.total) of \(plan.count) targets: \(progress)")
        }
        if isFinished, progress.state != .finished || progress.open > 0 {
            findings.violate("\(name): not finished: \(progress)")
        }
        if progress.state == .finished, progress.accepted + statuses.count != plan.count {
            findings.violate("\(name): \(statuses.count) exceptions do not add up: \(progress)")
        }
        compare(claims, resent: plan.resends ? progress.resent : 0)
        findings.count("campaign", targets: plan.count)
        findings.state.withLock { state in
            state.outcomes["campaign: accepted", default: 0] += progress.accepted
            state.outcomes["campaign: unknown", default: 0] += progress.unknown
            state.outcomes["campaign: resent", default: 0] += progress.resent
        }
    }

    /// Compares claims with what the vendor did, and how often it did more than once with what was sent once more.
    func compare(_ claims: Claims, resent: Int) {
        _ = claims.compare(site.vendor, world.findings, name, isOnce: resent == 0, isOneProcess: false)
        let repeated = site.vendor.facts.withLock { $0.acted.values.reduce(0) { $0 + max(0, $1 - 1) } }
        if resent > 0, repeated > resent {
            world.findings.violate("\(name): \(repeated) messages arrived again, and \(resent) were sent again")
        }
    }
}
