import FoundationEssentials
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@testable import PushOutbox

/// A damaged row names a part or a target that its campaign does not have.
@Suite("A damaged row")
struct DamagedRowTests {
    private static let id = SliceRow.ID(campaign: 1, part: 0, number: 0)

    /// A campaign with a part at route `a` and this slice.
    private static func enqueue(
        _ slice: SliceRow, _ targets: [PackedTargets.Entry], audience: Audience? = nil, in world: OutboxWorld
    ) async throws {
        var campaign = Campaign(
            name: "sale", digest: "d", message: try StoredJSON.write(OutboxWorld.message), options: CampaignOptions(),
            seed: "5eed", createdAt: world.clock.date,
            parts: [
                .init(
                    number: 0, route: "a", audience: try audience.map { try StoredJSON.write($0) },
                    notBefore: .distantPast)
            ])
        campaign = try await world.store.create(campaign).campaign
        #expect(try await world.store.add([(slice, PackedTargets(targets).bytes)], to: campaign.id))
        #expect(try await world.store.activate(campaign.id))
    }

    @Test(
        "a report refuses a slice or a second route that leads to no part of the campaign",
        arguments: [(7, 0), (-1, 0), (0, 7), (0, -1), (0, Int.max)])
    func report(_ part: Int, _ other: Int) async throws {
        let world = OutboxWorld(.none, devices: 1)
        let id = SliceRow.ID(campaign: 1, part: part, number: 0)
        var slice = SliceRow(id: id, notBefore: .distantPast, outcomes: [.invalid.saidByVendor.movedOn])
        slice.state = .done
        let target = Target.device(world.devices[0])
        try await Self.enqueue(
            slice,
            [.init(index: 0, position: ListPosition(0), target: target, other: .init(part: other, target: target))],
            in: world)
        let report = try await world.outbox().report(of: "sale")
        let error = await #expect(throws: PushError.self) { for try await _ in report.exceptions {} }
        #expect(error?.kind == .invalidState && error?.message.contains("no part of") == true)
        #expect(await #expect(throws: PushError.self) { try await report.answers() }?.kind == .invalidState)
    }

    @Test("a worker sends nothing of a slice that does not fit its part", arguments: ["other", "none", "targets"])
    func quarantined(_ damage: String) async throws {
        let world = OutboxWorld(.none, devices: 1)
        let target = Target.device(world.devices[0])
        var entry = PackedTargets.Entry(index: 0, position: ListPosition(0), target: target)
        if damage == "other" { entry.other = .init(part: 7, target: target) }
        let slice = SliceRow(id: Self.id, notBefore: .distantPast, outcomes: damage == "none" ? [] : [.open])
        try await Self.enqueue(
            slice, damage == "none" ? [] : [entry], audience: damage == "other" ? nil : .everyone, in: world)
        let outbox = world.outbox()
        try await outbox.runUntilIdle()
        #expect(await world.deliveries == [0])
        #expect(try await outbox.progress(now: "sale").slices == [.quarantined: 1])
    }

    @Test("a slice of no part is not sent again")
    func notResent() async throws {
        let world = OutboxWorld(.none, devices: 1)
        var slice = SliceRow(
            id: SliceRow.ID(campaign: 1, part: 7, number: 0), notBefore: .distantPast, outcomes: [.unknown])
        slice.state = .done
        try await Self.enqueue(slice, [], in: world)
        #expect(try await world.outbox().resendUnknown("sale") == 0)
    }

    @Test("a change of a part that is gone with its campaign's report changes nothing")
    func goneParts() async throws {
        let world = OutboxWorld(.none, devices: 1)
        try await Self.enqueue(SliceRow(id: Self.id, notBefore: .distantPast, outcomes: []), [], in: world)
        let before = try await world.store.campaigns(.named("sale"))
        for part in [-1, 1] {
            try await world.store.delayPart(of: 1, part, until: .distantFuture)
            try await world.store.pauseParts(of: 1, [part], for: "credentials")
        }
        #expect(try await world.store.campaigns(.named("sale")) == before)
    }

    @Test(
        "packed positions that are out of bounds are read and packed again",
        arguments: [(Int.max, Int.min), (-7, .max)])
    func positions(_ first: Int, _ second: Int) throws {
        let entries = [first, second].enumerated().map {
            PackedTargets.Entry(index: $0, position: ListPosition($1), target: .alias("x"))
        }
        #expect(try PackedTargets(reading: PackedTargets(entries).bytes).entries == entries)
    }

    @Test("a negative count of packed targets is refused", arguments: [-1, .min])
    func negativeCount(_ count: Int) {
        var bytes: [UInt8] = [2]
        bytes.append(number: count)
        #expect(throws: PushError.self) { try PackedTargets(reading: bytes) }
    }
}
