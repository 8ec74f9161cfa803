import FoundationEssentials
import PushClient
import PushCore

/// What a leased slice is about: its message and its open targets, read from what the store keeps.
struct SliceWork: Sendable {
    let message: Message
    /// Nil for a list.
    let audience: Audience?
    /// The open targets, with their places in the slice as positions.
    let slice: SendPlan.Slice
    private let entries: [PackedTargets.Entry]

    /// Refuses with `unsupported` what a newer version wrote, and with `invalidState` what is damaged.
    init(_ row: Slice, _ targets: [UInt8], _ campaign: Campaign, _ leg: Campaign.Leg) throws(PushError) {
        do {
            message = try JSONDecoder().decode(Message.self, from: Data(campaign.message))
            audience = try leg.audience.map { try JSONDecoder().decode(Audience.self, from: Data($0)) }
        } catch {
            throw PushError(
                .unsupported, "a stored message cannot be read; update the worker: \(JSONValue.reason(for: error))")
        }
        entries = try PackedTargets(reading: targets).entries
        guard audience == nil else {
            slice = SendPlan.Slice(index: row.id.number, targets: [], positions: [0])
            return
        }
        let open = entries.filter { row.outcomes.indices.contains($0.index) && row.outcomes[$0.index].isOpen }
        guard open.count == row.open.count else {
            throw PushError(.invalidState, "the stored targets of a slice do not fit its row")
        }
        slice = SendPlan.Slice(index: row.id.number, targets: open.map(\.target), positions: open.map(\.index))
    }

    /// Whether each target gets a request of its own.
    func isSingle(at client: PushClient) -> Bool {
        guard audience == nil, let list = Audience(slice.targets) else { return false }
        return client.sendsSingly(list.features)
    }

    /// The targets at these places, packed.
    func packed(_ isWanted: (Int) -> Bool) -> [UInt8] { PackedTargets(entries.filter { isWanted($0.index) }).bytes }
}

extension SendPlan.Slice {
    /// Its first targets.
    func prefix(_ count: Int) -> SendPlan.Slice {
        SendPlan.Slice(index: index, targets: Array(targets.prefix(count)), positions: Array(positions.prefix(count)))
    }
}
