import FoundationEssentials
import PushAdapter
import PushOutbox
import PushSimulation
import TestSupport
import Testing

/// Any program that may enqueue may write rows, so a worker parses them defensively, like network input.
@Suite("Rows that somebody else wrote")
struct ForeignRowTests {
    /// A row of random values, many of them out of bounds.
    private struct Row: StoredRow {
        let numbers: [Int64]
        let dates: [Date?]
        let blobs: [[UInt8]?]

        init(_ random: inout SplitMix) {
            let extremes: [Int64] = [.min, -1, 0, 1, 3, 1 << 31, 1 << 40, .max]
            let times: [Double] = [-.infinity, -1e300, -1, 0, 8e8, 1e300, .infinity, .nan]
            numbers = (0..<30).map { _ in extremes[Int(random.next() % 8)] }
            dates = (0..<30).map { _ in
                let pick = Int(random.next() % 9)
                return pick == 8 ? nil : Date(timeIntervalSinceReferenceDate: times[pick])
            }
            blobs = (0..<30).map { _ in
                let count = Int(random.next() % 4)
                return count == 3 ? nil : (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
        }

        func integer(_ column: Int32) -> Int64 { numbers[Int(column)] }
        func date(_ column: Int32) -> Date? { dates[Int(column)] }
        func seconds(_ column: Int32) -> Double? { date(column)?.timeIntervalSinceReferenceDate }
        func text(_ column: Int32) -> String? { blobs[Int(column)].map { String(decoding: $0, as: UTF8.self) } }
        func blob(_ column: Int32) -> [UInt8]? { blobs[Int(column)] }
    }

    @Test("whatever is in a row, reading it ends, takes little memory, and gives values that can be used")
    func fuzz() {
        var random = SplitMix(seed: 45)
        for _ in 0..<20_000 {
            let row = Row(&random)
            let slice = SliceRow(row)
            #expect(slice.outcomes.count <= SliceRow.mostTargets && (0...slice.outcomes.count).contains(slice.marked))
            #expect(slice.id.part >= 0 && slice.id.number >= 0 && slice.epoch >= 0)
            let campaign = Campaign(row)
            let part = Campaign.Part(row)
            for date in [slice.notBefore, part.notBefore, campaign.createdAt] + [campaign.expiresAt].compactMap(\.self)
            {
                // This would trap on a value that is not a number.
                _ = Duration.seconds(date.timeIntervalSinceReferenceDate)
            }
            var counts = OutboxCounts()
            counts.add(row)
            #expect(counts.slices.values.allSatisfy { $0 >= 0 } && counts.targets.values.allSatisfy { $0 >= 0 })
        }
    }

    @Test("a slice that does not fit its targets is quarantined, and the others are sent", arguments: [1, -1])
    func quarantined(_ more: Int) async throws {
        let world = OutboxWorld(.none, devices: 10)
        let events = Locked<[OutboxEvent]>([])
        let outbox = world.outbox { $0.onEvent = { event in events.withLock { $0.append(event) } } }
        try await world.enqueue(outbox)
        let campaign = try #require(try await outbox.campaigns().first)
        _ = try await world.store.claim(7)
        let leased = try await world.store.lease(
            OutboxLease(worker: 7, routes: ["a"], limit: 99, now: world.clock.date))
        let changes = leased.map { row in
            var slice = row.slice
            (slice.state, slice.owner) = (.ready, 0)
            if slice.id.number == 0 { slice.outcomes = Array(repeating: .open, count: slice.outcomes.count + more) }
            return SliceChange(slice, from: [.leased])
        }
        _ = try await world.store.apply(changes)
        try await world.store.release(7)
        try await outbox.runUntilIdle()
        #expect(
            events.withLock {
                $0.contains(.quarantined("sale", SliceRow.ID(campaign: campaign.id, part: 0, number: 0)))
            })
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.needsPerson && progress.slices[.quarantined] == 1)
        #expect(await world.deliveries.reduce(0, +) == progress.accepted && progress.accepted > 0)
    }
}
