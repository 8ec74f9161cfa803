import FoundationEssentials
import PushAdapter
import PushClient

/// The message and the open targets of a leased slice, decoded from the store.
struct SliceWork: Sendable {
    let message: Message
    /// Nil for a list.
    let audience: Audience?
    /// The open targets. Their positions, as the client knows them, are their indices in the slice.
    let slice: SendPlan.Slice
    private let entries: [PackedTargets.Entry]
    /// The indices of targets with a second route, and how long to wait for a throttled vendor before they take it.
    private var others: Set<Int> = []
    private var patience = Duration.zero

    /// Refuses data of a newer version with `unsupported` and damaged data with `invalidState`.
    init(_ row: SliceRow, _ targets: [UInt8], _ message: Message, _ campaign: Campaign) throws(PushError) {
        self.message = message
        let part = try campaign.part(of: row)
        audience = try part.audience.map { (bytes) throws(PushError) in try StoredJSON.read(Audience.self, bytes) }
        entries = try PackedTargets(reading: targets, of: campaign).entries
        let open = entries.filter { row.outcomes.indices.contains($0.index) && row.outcomes[$0.index].isOpen }
        let fits =
            audience == nil
            ? open.count == row.open.count && entries.allSatisfy { row.outcomes.indices.contains($0.index) }
            : entries.isEmpty && row.outcomes.count == 1
        guard fits else { throw PushError(.invalidState, "the stored targets of a slice do not fit its row") }
        guard audience == nil else {
            slice = SendPlan.Slice(index: row.id.number, targets: [], positions: [0])
            return
        }
        slice = SendPlan.Slice(index: row.id.number, targets: open.map(\.target), positions: open.map(\.index))
        if let patience = part.patience {
            others = Set(open.lazy.filter { $0.other != nil }.map(\.index))
            self.patience = patience
        }
    }

    /// Whether nothing is left to send.
    var isEmpty: Bool { audience == nil && slice.targets.isEmpty }

    /// The targets of the next attempt: as many as a request takes, because targets from another route may exceed that.
    /// If the vendor may have acted on a request, its targets again; nil if a request takes fewer now.
    func batch(of row: SliceRow, at client: PushClient) -> SendPlan.Slice? {
        guard audience == nil, let list = Audience(slice.targets) else { return slice }
        let size = client.sliceSize(list.features)
        guard row.mayHaveActed else { return slice.prefix(size) }
        let again = Set(row.keyed)
        return again.count <= (client.sendsSingly(list.features) ? 1 : size) ? slice.filter(again.contains) : nil
    }

    /// Whether the message moves to another route after such a report. Never true once it may have been sent.
    func movesOn(_ index: Int, _ report: TargetReport, in row: SliceRow) -> Bool {
        guard others.contains(index), row.outcomes[index] == .open, !row.mayHaveActed else { return false }
        let decision = FailoverRule.decide(
            report.status, report.failure, isSaidByVendor: report.isSaidByVendor, patience: patience)
        return decision == .next
    }

    /// The slices for messages that move on, one for each part, without a number.
    func following(_ row: SliceRow) -> [(slice: SliceRow, targets: [UInt8])] {
        var moved: [Int: [PackedTargets.Entry]] = [:]
        for entry in entries where row.outcomes[entry.index].isMoving {
            guard let other = entry.other else { continue }
            let index = moved[other.part]?.count ?? 0
            moved[other.part, default: []].append(
                PackedTargets.Entry(index: index, position: entry.position, target: other.target))
        }
        return moved.sorted { $0.key < $1.key }.map { part, entries in
            let slice = SliceRow(
                id: SliceRow.ID(campaign: row.id.campaign, part: part, number: 0), notBefore: .distantPast,
                outcomes: Array(repeating: .open, count: entries.count))
            return (slice, PackedTargets(entries).bytes)
        }
    }

    /// Whether each target gets a request of its own.
    func isSingle(at client: PushClient) -> Bool {
        guard audience == nil, let list = Audience(slice.targets) else { return false }
        return client.sendsSingly(list.features)
    }

    /// The targets at these indices, packed.
    func packed(_ isWanted: (Int) -> Bool) -> [UInt8] { PackedTargets(entries.filter { isWanted($0.index) }).bytes }
}

extension SendPlan.Slice {
    /// Its targets at these positions.
    fileprivate func filter(_ isWanted: (Int) -> Bool) -> SendPlan.Slice {
        let wanted = zip(targets, positions).filter { isWanted($1) }
        return SendPlan.Slice(index: index, targets: wanted.map(\.0), positions: wanted.map(\.1))
    }

    /// Its first targets.
    func prefix(_ count: Int) -> SendPlan.Slice {
        SendPlan.Slice(index: index, targets: Array(targets.prefix(count)), positions: Array(positions.prefix(count)))
    }
}
