import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// The promises that must hold in the end.
extension OutboxPlay {
    func check() async throws {
        if let forgotten = engine.forgotten.first { throw Violation(forgotten) }
        let result = Locked<Result<Void, any Error>>(.success(()))
        let auditor = simulation.process("auditor") { process in
            do {
                let outbox = try await self.outbox(in: process, machine: 400)
                for sale in self.world.sales.indices { try await self.check(sale, outbox) }
                try await self.checkBindings(outbox, in: process)
                try self.checkQuota()
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        await auditor.untilEnd()
        try result.withLock { $0 }.get()
    }

    private func check(_ number: Int, _ outbox: PushOutbox) async throws {
        let (sale, targets) = (world.sales[number], lists[number])
        let report = try await outbox.report(of: name(number))
        let progress = report.progress
        try require(progress.state.isEnded, "sale \(number) does not end: \(progress)")
        if progress.state == .refused { throw Violation("sale \(number) is refused: \(report.campaign.reason ?? "")") }
        try require(
            progress.total == targets.count || progress.state == .cancelled && progress.total == 0,
            "sale \(number) has \(progress.total) of \(targets.count) targets: \(progress)")
        var statuses = [TargetStatus?](repeating: progress.total == 0 ? .notAttempted : nil, count: targets.count)
        for try await exception in report.exceptions {
            let position = exception.position
            let isMeant = sites.indices.contains { target(targets[position], at: $0, of: number) == exception.target }
            try require(isMeant, "sale \(number) names another target")
            if exception.wentOnAt == nil { statuses[position] = exception.status }
        }
        var (seen, twice): (Set<Int?>, Int) = ([], 0)
        for (position, phone) in targets.enumerated() {
            var counts: [Int] = []
            for (route, site) in sites.enumerated() {
                counts.append(await site.deliveries(to: id(phone, at: route), of: Self.text(number)))
            }
            let (status, count) = (statuses[position], counts.reduce(0, +))
            let who = "sale \(number), target \(position) (\(String(describing: status))) got \(counts)"
            guard seen.insert(phone).inserted else {
                if case .duplicate? = status { continue }
                try require(status == .notAttempted && progress.total == 0, "\(who), and is a duplicate")
                continue
            }
            twice += max(0, count - 1)
            switch status {
            case nil: try require(count >= 1 || mayBeNobody(phone, sale), who)
            case .unknown: break
            case .invalid, .malformed, .suspect, .rejected, .notAttempted: try require(count == 0, who)
            case .duplicate: throw Violation("\(who), and is the first of its kind")
            default: throw Violation("\(who): what is that?")
            }
        }
        try checkDepartures(number, report.campaign)
        try require(twice <= progress.resent, "sale \(number): \(twice) more than once, \(progress.resent) resent")
        let mayResend =
            sale.options.afterUnknown == .resend || world.incidents.contains { $0.kind.isResend(of: number) }
        try require(progress.resent == 0 || mayResend, "sale \(number): \(progress.resent) resent without being asked")
        // If only the network failed, only the targets of requests without a response may be unknown.
        if !hasOddClock, world.trips.isEmpty, world.incidents.allSatisfy(\.kind.isOfNetwork) {
            let unanswered = wire.withLock { $0[number]?.unanswered ?? 0 }
            let unknown = statuses.count { $0 == .unknown }
            try require(
                unknown <= unanswered * world.targetsPerRequest,
                "sale \(number): \(unknown) are unknown, after \(unanswered) requests without an answer")
        }
        guard !hasOddClock, world.incidents.isEmpty, world.trips.isEmpty, progress.state == .finished else { return }
        // Nothing failed, so every outcome must be known.
        for (phone, status) in zip(targets, statuses) {
            try require(status != .unknown, "sale \(number): \(phone ?? -1) is unknown, and nothing happened")
            guard let phone, phone < sale.targets, Self.isKnown(phone, at: sale.isRouted ? 1 : 0, world) else {
                continue
            }
            if case .duplicate? = status { continue }
            // A suspect target does not move to the second route.
            if status == .suspect, !Self.isKnown(phone, at: 0, world) { continue }
            try require(status == nil, "sale \(number): \(phone) is \(status ?? .accepted), and nothing happened")
        }
    }

    /// The workers together keep to the quota, unless one of them is held up.
    private func checkQuota() throws {
        guard let quota = world.quota, world.vendors[0].countsSends, !isHeldUp else { return }
        // A worker uses units of the shared count up to two seconds after their moment.
        try departures.check(quota, late: .milliseconds(3_100))
    }

    private var isHeldUp: Bool {
        world.incidents.contains(where: \.kind.holdsUp) || world.trips.contains(where: \.event.holdsUp)
    }

    /// Whether a machine's clock is or was wrong. In that case, workers end before the last ones begin.
    private var hasOddClock: Bool {
        world.machines.contains { $0.skew != .zero } || !world.settings.isEmpty
    }

    /// After a campaign is cancelled or expires, only requests noted before may leave. After it has finished, none may
    /// leave.
    private func checkDepartures(_ number: Int, _ campaign: Campaign) throws {
        if let date = world.sales[number].notBefore.map(Self.date), !hasOddClock,
            let first = wire.withLock({ $0[number]?.first })
        {
            let left = SimulatedClock.date(at: first)
            try require(left >= date, "sale \(number) is for \(date), and a request of it left at \(left)")
        }
        let end: Date? =
            switch campaign.state {
            case .cancelled: campaign.endedAt
            case .expired: campaign.expiresAt
            // The worker read this date when it asked for the end, so it can be old. A stopped worker stops as a whole.
            case .finished where !isHeldUp: campaign.endedAt
            default: nil
            }
        guard let end, !world.isInFile || !hasOddClock else { return }
        // A mark is valid for 20 seconds. If no worker is held up and no request waits for others or for a quota, a
        // request leaves at once. Dates are shifted by whole seconds.
        let isLate = isHeldUp || !world.trips.isEmpty || world.concurrency < 100 || world.quota != nil
        let patience: Double = isLate && campaign.state != .finished ? 21 : 2
        let last = wire.withLock { $0[number]?.last }.map { SimulatedClock.date(at: $0) } ?? .distantPast
        try require(
            last.timeIntervalSince(end) <= patience,
            "sale \(number) is \(campaign.state) at \(end), and a request of it left at \(last)")
    }

    /// Whether a vendor accepts a message to a phone that it does not know.
    private func mayBeNobody(_ phone: Int?, _ sale: OutboxWorld.Sale) -> Bool {
        guard let phone else { return false }
        if sale.isByAlias { return !Self.isKnown(phone, at: 0, world) }
        return world.vendors.indices.contains { route in
            !Self.isKnown(phone, at: route, world) && !world.vendors[route].namesUnknownDevices
        }
    }
}

extension OutboxWorld {
    /// How far the clocks that are set are ahead then.
    var settings: [Duration] {
        incidents.compactMap { if case .setClock(_, let lead) = $0.kind { lead } else { nil } }
            + trips.compactMap { if case .setClock(let lead) = $0.event { lead } else { nil } }
    }
}

extension OutboxWorld.Incident.Kind {
    fileprivate var isOfNetwork: Bool {
        switch self {
        case .network, .silence, .pauseSale, .resumeSale, .cancelSale: true
        default: false
        }
    }
    fileprivate var holdsUp: Bool {
        switch self {
        case .pause, .database: true
        default: false
        }
    }
    fileprivate func isResend(of sale: Int) -> Bool { if case .resendSale(sale) = self { true } else { false } }
}
