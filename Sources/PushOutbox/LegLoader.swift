import FoundationEssentials
import PushClient
import PushCore

/// Cuts the targets of a part into slices and hands them on.
actor LegLoader {
    /// Slices in one transaction.
    private static let batch = 50

    typealias Rows = [(slice: Slice, targets: [UInt8])]

    private let write: @Sendable (Rows) async throws(PushError) -> Void
    private let message: Message
    private let client: PushClient
    private let campaign: Campaign
    private let leg: Campaign.Leg
    private var plan: SendPlan?
    private var rows: Rows = []
    private var isProven = false
    /// The slices of the part so far.
    private(set) var count = 0

    /// - Parameter write: gets the slices, some at a time.
    init(
        _ message: Message, _ client: PushClient, _ campaign: Campaign, leg: Campaign.Leg,
        write: @escaping @Sendable (Rows) async throws(PushError) -> Void
    ) {
        (self.message, self.client, self.campaign, self.leg) = (message, client, campaign, leg)
        self.write = write
    }

    /// Adds an audience that is no list: one request, one outcome.
    func add(_ audience: Audience) async throws(PushError) {
        try prove(audience)
        rows.append((row(outcomes: [.open]), PackedTargets([]).bytes))
        count += 1
    }

    /// Adds targets of a list.
    func add(_ targets: [Target], _ features: [Feature]) async throws(PushError) {
        var plan = self.plan ?? client.sendPlan(features)
        self.plan = nil
        for target in targets {
            if let slice = plan.add(target) { try await add(slice) }
        }
        self.plan = plan
    }

    /// Writes the rest.
    func finish() async throws(PushError) {
        if var plan {
            self.plan = nil
            for slice in plan.finish() { try await add(slice) }
        }
        try await flush()
    }

    private func add(_ slice: SendPlan.Slice) async throws(PushError) {
        if !isProven, let audience = Audience(slice.targets) { try prove(audience) }
        let sent = zip(slice.positions, slice.targets).map { position, target in
            (PackedTargets.Entry(index: 0, position: position, target: target), Slice.Outcome.open)
        }
        let left = slice.exceptions.map { report in
            var entry = PackedTargets.Entry(index: 0, position: report.position, target: report.target)
            if case .duplicate(let first) = report.status { entry.repeats = first }
            return (entry, entry.repeats == nil ? Slice.Outcome.invalid : .duplicate)
        }
        let all = (sent + left).sorted { $0.0.position < $1.0.position }
        let entries = all.enumerated().map { index, one in
            var entry = one.0
            entry.index = index
            return entry
        }
        var row = row(outcomes: all.map(\.1))
        if slice.targets.isEmpty { row.state = .done }
        rows.append((row, PackedTargets(entries).bytes))
        count += 1
        if rows.count == Self.batch { try await flush() }
    }

    /// Refuses what the vendor cannot have, before anything of the campaign can be sent.
    private func prove(_ audience: Audience) throws(PushError) {
        if let refusal = client.explain(message, to: audience).refusals.first { throw refusal }
        isProven = true
    }

    private func row(outcomes: [Slice.Outcome]) -> Slice {
        let id = Slice.ID(campaign: campaign.id, leg: leg.number, number: count)
        return Slice(id: id, notBefore: leg.notBefore, outcomes: outcomes)
    }

    private func flush() async throws(PushError) {
        guard !rows.isEmpty else { return }
        let batch = rows
        rows = []
        try await write(batch)
    }
}
