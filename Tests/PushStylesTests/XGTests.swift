import Dispatch
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// Records all events of a manager, in order.
final class Diary: XGPushDelegate, XGPushTokenManagerDelegate {
    private let lines = Locked<[String]>([])
    /// Called for each line, on the manager's queue.
    let onLine: @Sendable (String) -> Void

    init(onLine: @escaping @Sendable (String) -> Void = { _ in }) { self.onLine = onLine }

    var all: [String] { lines.withLock { $0 } }

    func wait(for count: Int) async -> [String] {
        await until { all.count >= count }
        return all
    }

    private func note(_ text: String, _ error: (any Error)?) {
        let line = text + ((error as? ResultError).map { " \($0.error.kind)" } ?? "")
        lines.withLock { $0.append(line) }
        onLine(line)
    }

    func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {
        note("registered \(deviceToken ?? "-") \(xgToken == nil ? "-" : "token")", error)
    }
    func xgPushDidFailToRegisterDeviceToken(withError error: (any Error)?) { note("not registered", error) }
    func xgPushNetworkConnected() { note("connected", nil) }
    func xgPushDidFinishStop(_ isSuccess: Bool, error: (any Error)?) { note("stopped \(isSuccess)", error) }
    func xgPushDidSetBadge(_ isSuccess: Bool, error: (any Error)?) { note("badge \(isSuccess)", error) }
    func xgPushDidQueryTags(_ tags: [String]?, totalCount: UInt, error: (any Error)?) {
        note("query \(tags?.joined(separator: ",") ?? "-") of \(totalCount)", error)
    }
    func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) {
        note("append \(tags.joined(separator: ","))", error)
    }
    func xgPushDidDelTags(_ tags: [String], error: (any Error)?) {
        note("delete \(tags.joined(separator: ","))", error)
    }
    func xgPushDidClearAndAppendTags(_ tags: [String], error: (any Error)?) {
        note("replace \(tags.joined(separator: ","))", error)
    }
    func xgPushDidClearTagsError(_ error: (any Error)?) { note("clear tags", error) }
    func xgPushDidUpsertAccounts(byDict accountsDict: [Int: String], error: (any Error)?) {
        let accounts = accountsDict.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        note("upsert \(accounts.joined(separator: ","))", error)
    }
    func xgPushDidDelAccounts(byKeys accountsKeys: Set<Int>, error: (any Error)?) {
        note("unbind \(accountsKeys.sorted().map(String.init).joined(separator: ","))", error)
    }
    func xgPushDidClearAccountsError(_ error: (any Error)?) { note("clear accounts", error) }
    func xgPushDidUpsertAttributes(_ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?) {
        note("attributes \(attributes.keys.sorted().joined(separator: ",")) but \(invalidKeys ?? [])", error)
    }
    func xgPushDidDelAttributeKeys(_ attributeKeys: Set<String>, invalidKeys: [String]?, error: (any Error)?) {
        note("delete attributes \(attributeKeys.sorted().joined(separator: ","))", error)
    }
    func xgPushDidClearAttributes(withError error: (any Error)?) { note("clear attributes", error) }
    func xgPushDidClearAndAppendAttributes(
        _ attributes: [String: String], invalidKeys: [String]?, error: (any Error)?
    ) { note("replace attributes \(attributes.keys.sorted().joined(separator: ","))", error) }
}

/// The calls with a delegate; the ids are those of `Tests/Contract/cases.json`.
@Suite("XG calls")
struct XGTests {
    @Test("G-144, G-145, G-146, G-147: a start tells the tokens, nothing is sent before, and a stop ends it")
    func service() async throws {
        let stage = try Stage.memory(.tpns, isRegistered: false)
        let diary = Diary()
        stage.manager.delegate = diary
        #expect(stage.manager.xgTokenString == nil)
        stage.manager.appendTags(["a"])
        #expect(await diary.wait(for: 1) == ["append a notRegistered"])
        #expect(stage.host.journal.count == 0)
        stage.manager.startXG(withAccessID: .max, accessKey: "key", delegate: diary)
        #expect(await diary.wait(for: 3).suffix(2) == ["registered a1b2c3d4e5f60718 token", "connected"])
        #expect(stage.manager.xgTokenString == stage.device.id)
        #expect(stage.phone.starts.map(\.appID) == ["4294967295"])
        stage.manager.appendTags(["a"])
        stage.manager.stopXGNotification()
        stage.manager.appendTags(["b"])
        let lines = Set(await diary.wait(for: 6).suffix(3))
        #expect(lines == ["append a", "append b stopped", "stopped true"])
        #expect(stage.manager.xgTokenString == nil)
        stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: diary)
        _ = await diary.wait(for: 8)
        stage.manager.appendTags(["c"])
        #expect(await diary.wait(for: 9).last == "append c")
        #expect(try await stage.snapshot().tags == ["a", "c"])
    }

    /// A delegate as in real apps: the main actor isolates its state.
    @MainActor
    private final class Screen: XGPushTokenManagerDelegate {
        private(set) var lines: [String] = []

        nonisolated func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) {
            MainActor.assumeIsolated { lines.append(tags.joined() + (error == nil ? "" : " failed")) }
        }
    }

    @MainActor
    @Test("a delegate of the main actor is told on the main queue")
    func mainActor() async throws {
        let stage = try Stage.memory(.tpns)
        let manager = XGTokenManager(stage.session)
        let screen = Screen()
        manager.delegate = screen
        manager.appendTags(["a"])
        manager.appendTags(["b c"])
        await until { screen.lines.count == 2 }
        #expect(Set(screen.lines) == ["a", "b c failed"])
    }

    @Test("G-145: a registration that fails is told")
    func failure() async throws {
        let stage = try Stage.memory(
            .tpns, isRegistered: false, registering: .fails(PushError(.unauthorized, "another key")))
        let diary = Diary()
        stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: diary)
        #expect(await diary.wait(for: 1) == ["not registered unauthorized"])
    }

    @Test("every write is told once, with what was to be written, in the order of the calls")
    func writes() async throws {
        let stage = try Stage.memory(.tpns, isRegistered: false)
        try await stage.session.start()
        let diary = Diary()
        let manager = stage.manager
        manager.delegate = diary
        manager.appendTags(["b", "a"])
        manager.delTags(["b"])
        _ = await diary.wait(for: 2)
        #expect(try await stage.snapshot().tags == ["a"])
        manager.clearAndAppendTags(["c", "d"])
        _ = await diary.wait(for: 3)
        #expect(try await stage.snapshot().tags == ["c", "d"])
        manager.clearTags()
        _ = await diary.wait(for: 4)
        #expect(try await stage.snapshot().tags.isEmpty)
        manager.upsertAttributes(["tier": "gold", "city": "X"])
        manager.delAttributes(["tier"])
        _ = await diary.wait(for: 6)
        #expect(try await stage.snapshot().attributes == ["city": "X"])
        manager.clearAndAppendAttributes(["nickname": "n"])
        _ = await diary.wait(for: 7)
        #expect(try await stage.snapshot().attributes == ["nickname": "n"])
        manager.upsertAttributes(["ghost": "x", "tier": "gold"])
        manager.clearAttributes()
        manager.appendTags([])
        manager.appendTags(["a b"])
        #expect(
            await diary.wait(for: 11).filter { !$0.contains("invalidArgument") } == [
                "append b,a", "delete b", "replace c,d", "clear tags", "attributes city,tier but []",
                "delete attributes tier", "replace attributes nickname", #"attributes ghost,tier but ["ghost"]"#,
                "clear attributes",
            ])
        #expect(
            diary.all.filter { $0.contains("invalidArgument") } == [
                "append  invalidArgument", "append a b invalidArgument",
            ])
    }

    @Test("accounts are bound by type and cleared, and the phone number with them")
    func accounts() async throws {
        let stage = try Stage.memory(.tpns)
        let diary = Diary()
        stage.manager.delegate = diary
        stage.manager.upsertAccounts(byDict: [1: "ann", 1002: "+861"])
        #expect(await diary.wait(for: 1) == ["upsert 1=ann,1002=+861"])
        #expect(try await stage.snapshot().accounts == [Account(name: "ann", type: 1)])
        #expect(try await stage.client.readPhone(of: DeviceID(stage.device.id)) == "+861")
        stage.manager.clearAccounts()
        #expect(await diary.wait(for: 2).last == "clear accounts")
        #expect(try await stage.snapshot().accounts.isEmpty)
        #expect(try await stage.client.readPhone(of: DeviceID(stage.device.id)) == nil)
    }

    @Test("queries are told one at a time, and a second one is told that it is too early")
    func queries() async throws {
        let stage = try Stage.memory(.tpns)
        let diary = Diary()
        stage.manager.delegate = diary
        stage.manager.appendTags(["a", "b", "c"])
        _ = await diary.wait(for: 1)
        // The events go to the delegate named at the start. A registered session can be started again.
        stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: diary)
        _ = await diary.wait(for: 3)
        stage.manager.queryTags(0, limit: 2)
        stage.manager.queryTags(2, limit: 2)
        #expect(Set(await diary.wait(for: 5).suffix(2)) == ["query a,b of 3", "query - of 0 busy"])
        stage.manager.queryTags(2, limit: 2)
        #expect(await diary.wait(for: 6).last == "query c of 3")
    }

    @Test("G-114: the badge at the vendor, and the number on the icon with the notifications or without")
    func badge() async throws {
        let stage = try Stage.memory(.tpns, isRegistered: false)
        let diary = Diary()
        stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: diary)
        _ = await diary.wait(for: 2)
        stage.manager.setBadge(7)
        #expect(await diary.wait(for: 3).last == "badge true")
        #expect(stage.phone.badge == 7)
        await stage.phone.leaveApp()
        stage.phone.receive(DeliveredMessage(messageID: "1", alert: "Hello", badge: 4))
        stage.manager.xgApplicationBadgeNumber = -1
        await until { stage.phone.icon == 0 }
        #expect(stage.phone.center.count == 1)
        stage.manager.xgApplicationBadgeNumber = 3
        await until { stage.phone.icon == 3 }
        stage.manager.xgApplicationBadgeNumber = 0
        await until { stage.phone.center.isEmpty }
        #expect(stage.phone.icon == 0 && stage.manager.xgApplicationBadgeNumber == 0)
    }

    @Test("G-140, G-141: the interval of messages inside the app")
    func polling() async throws {
        let stage = try Stage.memory(.tpns, isRegistered: false)
        #expect(throws: PushError.self) { try stage.manager.setMessageTimerInterval(9) }
        try stage.manager.setMessageTimerInterval(10)
        #expect(throws: PushError.self) { try stage.manager.setMessageTimerInterval(.nan) }
        #expect(stage.session.pollingInterval == .seconds(10))
    }

    @Test("an empty phone number is refused and unbinds nothing")
    func emptyPhone() async throws {
        let stage = try Stage.memory(.tpns)
        let diary = Diary()
        stage.manager.delegate = diary
        stage.manager.upsertPhoneNumber("+8613711112222")
        stage.manager.upsertPhoneNumber("")
        #expect(Set(await diary.wait(for: 2)) == ["upsert 1002=+8613711112222", "upsert 1002= invalidArgument"])
        #expect(try await stage.client.readPhone(of: DeviceID(stage.device.id)) == "+8613711112222")
    }

    @Test("a delegate may call the manager, and one that is gone is told nothing while the calls are made")
    func delegates() async throws {
        let stage = try Stage.memory(.tpns)
        let manager = stage.manager
        let count = Locked(0)
        let diary = Diary { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number < 20 { manager.appendTags(["t\(number)"]) }
            if number == 20 { manager.stopXGNotification() }
        }
        manager.delegate = diary
        manager.appendTags(["first"])
        #expect(await diary.wait(for: 20).count == 20)
        #expect(try await stage.snapshot().tags.count == 20)
        let alone = try Stage.memory(.tpns)
        alone.manager.delegate = Diary()
        #expect(alone.manager.delegate == nil)
        alone.manager.appendTags(["a"])
        await until { await alone.simulator.snapshot(of: alone.device.id)?.tags == ["a"] }
    }
}
