import Foundation
import GRDBSQLite
import PushAdapter
import PushClient
import PushOutbox
import PushOutboxSQLite

/// Another program writes into the rows of a campaign. A worker must not crash, and must finish the other campaign.
struct RowRound {
    let world: World

    func run() async throws {
        let dice = world.dice
        let round = try OutboxRound("beside rows of others", in: world)
        let count = dice.roll(30...90)
        let other = CampaignPlan(
            kinds: round.plan.kinds, name: "other", first: Unit.block(count), count: count, resends: dice.happens(50))
        let client = try Work.client(Place(round.sites[0]), world.caFile, world.clients, SetClock())
        let store = try SQLiteOutboxStore(path: round.store)
        let outbox = PushOutbox(store, routes: [round.plan.routes[0]: client])
        for plan in [round.plan, other] { try await plan.enqueue(outbox) }
        let id = try await outbox.campaign(other.name).id
        await client.shutdown()
        try store.close()
        let changes = spoil(round.store, campaign: id)
        round.name += " (\(changes.joined(separator: "; ")))"
        world.findings.state.withLock { $0.outcomes["spoilt columns", default: 0] += changes.count }
        // The damaged rows decide how often that campaign is sent, so its messages do not count.
        round.sites[0].vendor.ignore(Set(other.units))
        await round.finish()
    }

    /// Writes random values into random columns of a campaign. Returns the changes that the file accepted.
    private func spoil(_ path: String, campaign id: Int64) -> [String] {
        let dice = world.dice
        var file: OpaquePointer?
        guard sqlite3_open(path, &file) == SQLITE_OK else { return [] }
        defer { sqlite3_close(file) }
        // The columns that tell the campaigns apart stay.
        let (campaign, part, slice) = ("outbox_campaign", "outbox_part", "outbox_slice")
        let tables = [campaign, part, slice, slice, slice, "outbox_payload"]
        var changes: [String] = []
        for _ in 0..<dice.roll(2...12) {
            let table = dice.pick(tables)
            let key = table == campaign ? "id" : "campaign"
            let names = columns(of: table, in: file).filter { $0 != key }
            guard !names.isEmpty else { continue }
            let column = dice.pick(names)
            let some = dice.happens(50) ? "" : " AND rowid % \(dice.roll(1...5)) = 0"
            let rows = table == campaign || dice.happens(50) ? "" : some
            let sql = "UPDATE \(table) SET \(column) = \(value()) WHERE \(key) = \(id)\(rows)"
            if sqlite3_exec(file, sql, nil, nil, nil) == SQLITE_OK { changes.append(sql) }
        }
        return changes
    }

    private func columns(of table: String, in file: OpaquePointer?) -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(file, "PRAGMA table_info(\(table))", -1, &statement, nil) == SQLITE_OK else {
            return []
        }
        defer { sqlite3_finalize(statement) }
        var names: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 1) { names.append(String(cString: text)) }
        }
        return names
    }

    private func value() -> String {
        let dice = world.dice
        let numbers = [
            "-9223372036854775808", "9223372036854775807", "-1", "0", "1", "3", "7", "2147483648", "1099511627776",
        ]
        let reals = ["-1e300", "1e300", "-1.5", "8e8", "9e999"]
        let blob = (0..<dice.roll(0...12)).map { _ in String(format: "%02x", dice.roll(0...255)) }.joined()
        return switch dice.roll(0..<7) {
        case 0...3: dice.pick(numbers)
        case 4: dice.pick(reals)
        case 5: "X'\(blob)'"
        default: dice.pick(["NULL", "''", "'x'", "'{}'", "'[[[['", "'\(String(repeating: "a", count: 500))'"])
        }
    }
}
