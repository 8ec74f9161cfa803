import FoundationEssentials
import PushAdapter
import PushClient
import Testing

@testable import PushOutbox

@Suite("Packed targets")
struct PackedTargetsTests {
    private let entries: [PackedTargets.Entry] = [
        .init(index: 0, position: 7, target: .device("a\u{0}b")),
        .init(index: 3, position: 900, target: .device("a"), repeats: 7),
        .init(index: 4, position: 901, target: .alias("")),
        .init(index: 5, position: 70_000, target: .account(Account(name: "名字"))),
        .init(index: 500, position: 70_001, target: .account(Account(name: "x", type: -3))),
        .init(index: 501, position: 5_000_000_000, target: .account(Account(name: "x", type: .max))),
        .init(
            index: 502, position: 5_000_000_001, target: .device("b"),
            other: .init(part: 300, target: .account(Account(name: "y", type: -7)))),
        .init(
            index: 503, position: 5_000_000_002, target: .device("c"), repeats: 1,
            other: .init(part: 0, target: .device("名"))),
        .init(index: 504, position: 5_000_000_003, target: .device("d "), malformed: "it has a blank"),
        .init(index: 505, position: 5_000_000_004, target: .device("e "), malformed: "it has a blank"),
        .init(index: 506, position: 5_000_000_009, target: .alias(""), malformed: "it is empty"),
    ]

    @Test("they are read as they were written")
    func roundTrip() throws {
        let read = try PackedTargets(reading: PackedTargets(entries).bytes).entries
        #expect(read == entries)
        #expect(try PackedTargets(reading: PackedTargets([]).bytes).entries.isEmpty)
    }

    @Test("a thousand device ids take little more than their bytes")
    func size() {
        let devices = (0..<1_000).map {
            PackedTargets.Entry(index: $0, position: ListPosition($0), target: .device("190e35f7e0a1b2c3d45"))
        }
        #expect(PackedTargets(devices).bytes.count <= 1_000 * (19 + 2) + 3)
    }

    @Test("bytes that end early or say too much are refused, and never crash")
    func damaged() {
        let bytes = PackedTargets(entries).bytes
        for count in 0..<bytes.count {
            #expect(throws: PushError.self) { try PackedTargets(reading: Array(bytes.prefix(count))) }
        }
        #expect(throws: PushError.self) { try PackedTargets(reading: bytes + [0]) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            // Reading must not trap, whatever the bytes are.
            _ = try? PackedTargets(reading: damaged)
        }
    }

    @Test("what the vendor may have acted on is sent again alone, and otherwise as much as a request takes")
    func parts() throws {
        let world = OutboxWorld(.caller)
        let campaign = Campaign(
            name: "sale", digest: "d", message: [], options: CampaignOptions(), seed: "5eed",
            createdAt: .distantPast,
            parts: [.init(number: 0, route: "a", audience: nil, notBefore: .distantPast)])
        let targets = world.devices.prefix(6).enumerated().map {
            PackedTargets.Entry(index: $0, position: ListPosition($0), target: .device($1))
        }
        var row = SliceRow(
            id: SliceRow.ID(campaign: 1, part: 0, number: 0), notBefore: .distantPast,
            outcomes: [.accepted, .open, .openAgain, .open, .openAgain, .open])
        func batch(_ most: Int = OutboxWorld.perRequest) throws -> [Int]? {
            let work = try SliceWork(row, PackedTargets(targets).bytes, OutboxWorld.message, campaign)
            return work.batch(of: row, at: world.client(perRequest: most))?.positions
        }
        #expect(try batch() == [1, 2, 3])
        (row.mayHaveActed, row.marked) = (true, 6)
        #expect(try batch() == [2, 4])
        #expect(try batch(1) == nil)
        // Targets to resend may be behind these.
        row.marked = 4
        #expect(try batch() == [2])
        #expect(try batch(1) == [2])
    }
}

extension ListPosition: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}
