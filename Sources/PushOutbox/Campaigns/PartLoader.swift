import FoundationEssentials
import PushAdapter
import PushClient

/// Cuts the targets of a part into slices and hands them on. If targets have routes, it fills the parts of all routes.
/// Slice numbers are unique across these parts.
actor PartLoader {
    /// Slices in one transaction.
    private static let batch = 50

    typealias Rows = [(slice: SliceRow, targets: [UInt8])]

    /// The targets of one kind in one part.
    private struct List {
        let part: Campaign.Part
        let kind: UInt8
        let client: PushClient
        var plan: SendPlan
        var isProven = false
    }

    /// Identifies a check of second routes that is done.
    private struct Kind: Hashable {
        let part: Int
        let kind: UInt8
    }

    private let write: @Sendable (Rows) async throws(PushError) -> Void
    private let message: Message
    private let clients: [RouteName: PushClient]
    private let campaign: Campaign
    private let parts: [Campaign.Part]
    private var lists: [List] = []
    /// The second routes, by position, of targets that are in no slice yet.
    private var others: [Int: PackedTargets.Other] = [:]
    private var provenOthers: Set<Kind> = []
    private var position = 0
    private var rows: Rows = []
    /// The number of slices so far.
    private(set) var count = 0

    /// - Parameters:
    ///   - parts: one part. For targets with routes, one for each route, then again one for each route that takes over
    ///     targets.
    ///   - write: receives the slices in batches.
    init(
        _ message: Message, _ clients: [RouteName: PushClient], _ campaign: Campaign, _ parts: [Campaign.Part],
        write: @escaping @Sendable (Rows) async throws(PushError) -> Void
    ) {
        (self.message, self.clients, self.campaign, self.parts) = (message, clients, campaign, parts)
        self.write = write
    }

    /// Adds an audience that is not a list: one request, one outcome.
    func add(_ audience: Audience) async throws(PushError) {
        if let client = clients[parts[0].route] { try prove(audience, client) }
        rows.append((row(of: parts[0], outcomes: [.open]), PackedTargets([]).bytes))
        count += 1
    }

    /// Adds targets of the part.
    func add(_ targets: [Target]) async throws(PushError) {
        for target in targets { try await add(target, to: parts[0]) }
    }

    /// Adds a target to the part of its route. Refuses unknown routes, a second route that equals the first, and a
    /// second route whose vendor would refuse the message.
    func add(_ routed: RoutedTarget) async throws(PushError) {
        let (firsts, seconds) = (parts.prefix(parts.count / 2), parts.suffix(parts.count / 2))
        let first = try part(routed.first, firsts)
        if let second = routed.second {
            let part = try part(second, seconds)
            guard part.route != first.route else {
                throw PushError(
                    .invalidArgument,
                    "both ways of a target lead over the route \(Redaction.quoted(part.route.rawValue)); its second one needs "
                        + "another", operation: .send)
            }
            try prove(second, part)
            others[position] = PackedTargets.Other(part: part.number, target: second.target)
        }
        try await add(routed.first.target, to: first)
    }

    /// Writes the rest.
    func finish() async throws(PushError) {
        for index in lists.indices {
            for slice in lists[index].plan.finish() { try await add(slice, to: index) }
        }
        try await flush()
    }

    private func part(_ way: RoutedTarget.Way, _ parts: some Sequence<Campaign.Part>) throws(PushError) -> Campaign.Part
    {
        for part in parts where part.route == way.route { return part }
        throw PushError(
            .invalidArgument,
            "a target leads over the route \(Redaction.quoted(way.route.rawValue)), which its part of the campaign does not "
                + "name", operation: .send)
    }

    private func add(_ target: Target, to part: Campaign.Part) async throws(PushError) {
        guard let index = list(of: target, part) else { return }
        defer { position += 1 }
        if let slice = lists[index].plan.add(target, at: position) { try await add(slice, to: index) }
    }

    private func list(of target: Target, _ part: Campaign.Part) -> Int? {
        for index in lists.indices
        where lists[index].part.number == part.number && lists[index].kind == target.kind { return index }
        guard let client = clients[part.route], let features = Audience([target])?.features else { return nil }
        lists.append(List(part: part, kind: target.kind, client: client, plan: client.sendPlan(features)))
        return lists.count - 1
    }

    private func add(_ slice: SendPlan.Slice, to list: Int) async throws(PushError) {
        if !lists[list].isProven, let audience = Audience(slice.targets) {
            try prove(audience, lists[list].client)
            lists[list].isProven = true
        }
        let sent = zip(slice.positions, slice.targets).map { position, target in
            let other = others.removeValue(forKey: position)
            let entry = PackedTargets.Entry(
                index: 0, position: ListPosition(position), target: target, other: other)
            return (entry, SliceRow.Outcome.open)
        }
        let left = slice.exceptions.map { report in
            others[report.position] = nil
            var entry = PackedTargets.Entry(
                index: 0, position: ListPosition(report.position), target: report.target)
            if case .duplicate(let first) = report.status { entry.repeats = ListPosition(first) }
            if case .malformed(let reason) = report.status { entry.malformed = reason }
            return (entry, entry.repeats == nil ? SliceRow.Outcome.malformed : .duplicate)
        }
        let all = (sent + left).sorted { $0.0.position.number < $1.0.position.number }
        let entries = all.enumerated().map { index, one in
            var entry = one.0
            entry.index = index
            return entry
        }
        var row = row(of: lists[list].part, outcomes: all.map(\.1))
        if slice.targets.isEmpty { row.state = .done }
        rows.append((row, PackedTargets(entries).bytes))
        count += 1
        if rows.count == Self.batch { try await flush() }
    }

    /// Refuses a message or audience that the vendor cannot take, before anything of the campaign is sent.
    private func prove(_ audience: Audience, _ client: PushClient) throws(PushError) {
        if let refusal = client.explain(message, to: audience).refusals.first { throw refusal }
    }

    private func prove(_ way: RoutedTarget.Way, _ part: Campaign.Part) throws(PushError) {
        guard let client = clients[part.route], let audience = Audience([way.target]) else { return }
        if let refusal = client.refusal(of: way.target) { throw refusal }
        guard provenOthers.insert(Kind(part: part.number, kind: way.target.kind)).inserted else { return }
        try prove(audience, client)
    }

    private func row(of part: Campaign.Part, outcomes: [SliceRow.Outcome]) -> SliceRow {
        let id = SliceRow.ID(campaign: campaign.id, part: part.number, number: count)
        return SliceRow(id: id, notBefore: part.notBefore, outcomes: outcomes)
    }

    private func flush() async throws(PushError) {
        guard !rows.isEmpty else { return }
        let batch = rows
        rows = []
        try await write(batch)
    }
}
