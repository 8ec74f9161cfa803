import Dispatch
import PushAdapter
import PushClient
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// Registration, stopping, badge, tokens and polling; the ids are those of `Tests/Contract/cases.json`.
@Suite("The service on a device")
struct ServiceTests {
    private static let queue = DispatchQueue(label: "service")

    /// The events of a start, as words.
    private final class Told: Sendable {
        private let lines = Locked<[String]>([])

        func note(_ line: String) { lines.withLock { $0.append(line) } }

        func note(_ event: DeviceSession.ServiceEvent) {
            let line =
                switch event {
                case .registered(let registration): "registered \(registration.device.rawValue)"
                case .failed(let fault): "failed \(fault.error.kind)"
                case .connected: "connected"
                case .disconnected(let fault): "disconnected \(fault.error.kind)"
                }
            note(line)
        }

        func wait(for count: Int) async -> [String] {
            await until { lines.withLock { $0.count } >= count }
            return lines.withLock { $0 }
        }
    }

    /// Starts a session and waits for this many events.
    private func events(of session: DeviceSession, _ count: Int) async -> [String] {
        let told = Told()
        session.start(on: Self.queue) { told.note($0) }
        return await told.wait(for: count)
    }

    @Test("nothing is sent before the device is registered, and a start tells registration and connection")
    func registration() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        #expect(await stage.fault(of: .addTags(["a"]))?.reason == .notRegistered)
        #expect(stage.session.device == nil && stage.requests == 0)
        #expect(await events(of: stage.session, 2) == ["registered phone-1", "connected"])
        #expect(await stage.fault(of: .addTags(["a"])) == nil)
        #expect(await stage.tags == ["a"])
    }

    @Test("a call does not take a place while the device is not registered")
    func noPlace() async throws {
        let stage = Stage(.jpush, isRegistered: false)
        for _ in 0..<20 { #expect(await stage.fault(of: .addTags(["a"]))?.reason == .notRegistered) }
        stage.session.register(Stage.device)
        #expect(await stage.fault(of: .addTags(["a"])) == nil)
    }

    @Test("a registration that fails, a connection that fails, and a session without a device")
    func failures() async throws {
        let refused = Stage(.tpns, isRegistered: false, registering: .fails(PushError(.unauthorized, "no")))
        #expect(await events(of: refused.session, 1) == ["failed unauthorized"])
        guard case .failed = refused.session.service else {
            Issue.record("the failure stays")
            return
        }
        let alone = Stage(.tpns, isRegistered: false)
        await alone.phone.setReachable(false)
        #expect(await events(of: alone.session, 1) == ["failed transport"])
        let hostless = DeviceSession(alone.client, rules: .tpns)
        #expect(await events(of: hostless, 1) == ["failed unsupported"])
        let known = DeviceSession(alone.client, device: Stage.device, rules: .tpns)
        try await known.stop()
        #expect(known.device == nil)
        #expect(await events(of: known, 1) == ["registered phone-1"])
        await #expect(throws: SessionFault.self) { _ = try await known.run(.setBadge(1)) }
    }

    @Test("G-118: while a registration is under way nothing is sent, and who asks for the id waits for its end")
    func underWay() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        let phone = SlowPhone(stage.phone)
        let session = DeviceSession(stage.client, rules: .tpns, host: phone)
        let ids = Locked<[String]>([])
        func ask() {
            session.whenRegistered(on: Self.queue) { result in
                ids.withLock { $0.append((try? result.get())?.rawValue ?? "none") }
            }
        }
        ask()
        await until { ids.withLock { $0 } == ["none"] }
        session.start(on: Self.queue) { _ in }
        ask()
        if case .registering = session.service {} else { Issue.record("it is under way") }
        let fault = await #expect(throws: SessionFault.self) { _ = try await session.run(.addTags(["a"])) }
        #expect(fault?.reason == .notRegistered && fault?.error.kind == .notRegistered)
        #expect(fault?.error.effect == .notApplied && stage.requests == 0)
        #expect(ids.withLock { $0.count } == 1)
        phone.letGoOn()
        await until { ids.withLock { $0 } == ["none", "phone-1"] }
        ask()
        await until { ids.withLock { $0.count } == 3 }
        #expect(ids.withLock { $0 } == ["none", "phone-1", "phone-1"])
        _ = try await session.run(.addTags(["a"]))
        #expect(await stage.tags == ["a"])
    }

    @Test("a stop that overtakes a registration wins")
    func overtaken() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        let phone = SlowPhone(stage.phone)
        let session = DeviceSession(stage.client, rules: .tpns, host: phone)
        let told = Told()
        session.start(on: Self.queue) { told.note($0) }
        session.whenRegistered(on: Self.queue) { result in
            if case .failure(let fault) = result { told.note("id \(fault.reason)") }
        }
        session.stop(on: Self.queue) { _ in told.note("stop is over") }
        phone.letGoOn()
        #expect(await told.wait(for: 3) == ["id stopped", "failed stopped", "stop is over"])
        guard case .stopped = session.service else {
            Issue.record("it is stopped")
            return
        }
        // The device was started, and then stopped.
        #expect(stage.phone.starts.count == 1 && stage.phone.stops == 1)
    }

    @Test("a stop does not wait for a connection that takes its time, and a start after it is a new one")
    func offline() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        let phone = SlowPhone(stage.phone, isOffline: true)
        phone.letGoOn()
        let session = DeviceSession(stage.client, rules: .tpns, host: phone)
        let told = Told()
        session.start(on: Self.queue) { told.note($0) }
        #expect(await told.wait(for: 1) == ["registered phone-1"])
        try await session.stop()
        #expect(await told.wait(for: 2) == ["registered phone-1", "disconnected stopped"])
        session.start(on: Self.queue) { told.note($0) }
        #expect(await told.wait(for: 3).last == "registered phone-1")
        #expect(stage.phone.starts.count == 2 && stage.phone.stops == 1)
        try await session.stop()
    }

    @Test("a start that is waited for ends when its task is cancelled")
    func cancelledStart() async throws {
        let stage = Stage(.jpush, isRegistered: false)
        let phone = SlowPhone(stage.phone, isOffline: true)
        phone.letGoOn()
        let session = DeviceSession(stage.client, rules: .jpush, host: phone)
        let task = Task { () -> SessionFault? in
            do throws(SessionFault) { try await session.start() } catch { return error }
            return nil
        }
        await until { session.device != nil }
        task.cancel()
        #expect(await task.value?.error.kind == .cancelled)
        // The device is registered anyway.
        #expect(session.device == Stage.device)
    }

    @Test("how an older start failed is no news to who waits for the newer one")
    func olderStart() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        var settings = VirtualPhone.Settings()
        settings.appKey = Secret("right")
        let phone = SlowPhone(VirtualPhone(VirtualDevice(Stage.device.rawValue, .ios), settings: settings))
        let session = DeviceSession(stage.client, rules: .tpns, host: phone)
        let told = Told()
        for key in ["wrong", "right"] {
            session.start(DeviceStart(appKey: Secret(key)), on: Self.queue) { told.note($0) }
        }
        session.whenRegistered(on: Self.queue) { result in
            if case .success = result { told.note("id") }
        }
        phone.letGoOn()
        #expect(
            await told.wait(for: 4).sorted() == ["connected", "failed unauthorized", "id", "registered phone-1"])
    }

    @Test("two starts at once both tell what became of them")
    func twice() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        let told = Told()
        for _ in 0..<2 { stage.session.start(on: Self.queue) { told.note($0) } }
        #expect(
            await told.wait(for: 4).sorted() == ["connected", "connected", "registered phone-1", "registered phone-1"])
        #expect(await stage.fault(of: .addTags(["a"])) == nil)
    }

    @Test("a stopped service refuses everything, whatever else is wrong; resuming is enough for JPush")
    func stopped() async throws {
        let stage = Stage(.jpush)
        #expect(await stage.fault(of: .addTags(["a"])) == nil)
        try await stage.session.stop()
        for call: SessionCall in [.addTags(nil), .getAllTags, .setAlias("u"), .setPhone("1"), .setBadge(1)] {
            #expect(await stage.fault(of: call).map { ResultCodes.code(for: $0, of: call.kind) } == 6012)
        }
        stage.session.resume()
        #expect(await stage.fault(of: .addTags(nil))?.reason == .missing)
        #expect(await stage.fault(of: .addTags(["b"])) == nil)
        #expect(await stage.tags == ["a", "b"])
    }

    @Test("G-146: TPNS needs another registration after a stop")
    func restart() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        try await stage.session.start()
        try await stage.session.stop()
        #expect(await stage.fault(of: .addTags(["a"]))?.reason == .stopped)
        stage.session.resume()
        #expect(await stage.fault(of: .addTags(["a"]))?.reason == .notRegistered)
        try await stage.session.start()
        #expect(await stage.fault(of: .addTags(["a"])) == nil)
        #expect(await stage.tags == ["a"])
    }

    @Test("a badge of TPNS is refused until the device is registered, and then stored without a connection as well")
    func earlyBadge() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        let phone = SlowPhone(stage.phone, isOffline: true)
        let session = DeviceSession(stage.client, rules: .tpns, host: phone)
        let told = Told()
        for isStarted in [false, true] {
            if isStarted { session.start(on: Self.queue) { told.note($0) } }
            let fault = await #expect(throws: SessionFault.self) { _ = try await session.run(.setBadge(0)) }
            #expect(fault?.error.kind == .invalidState && fault?.error.effect == .notApplied)
        }
        #expect(stage.phone.badge == nil)
        phone.letGoOn()
        #expect(await told.wait(for: 1) == ["registered phone-1"])
        _ = try await session.run(.setBadge(0))
        #expect(stage.phone.badge == 0)
        try await session.stop()
        #expect(await told.wait(for: 2).last == "disconnected stopped")
    }

    @Test("G-111: the badge at the vendor is not the number on the icon", arguments: SessionTests.families)
    func badge(rules: SessionRules) async throws {
        let stage = Stage(rules, isRegistered: false)
        try await stage.session.start()
        await stage.phone.leaveApp()
        stage.phone.receive(DeliveredMessage(messageID: "1", badge: 5))
        #expect(await stage.fault(of: .setBadge(2)) == nil)
        #expect(stage.phone.badge == 2 && stage.phone.icon == 5)
    }

    @Test(
        "G-140, G-141, G-142: messages inside the app are asked for every 258 seconds unless it is set before the start"
    )
    func polling() async throws {
        let stage = Stage(.tpns, isRegistered: false)
        #expect(stage.session.pollingInterval == .seconds(258))
        #expect(throws: SessionFault.self) { try stage.session.setPollingInterval(.seconds(9)) }
        #expect(stage.session.pollingInterval == .seconds(258))
        try stage.session.setPollingInterval(.seconds(10))
        try await stage.session.start()
        #expect(stage.phone.starts.map(\.pollingInterval) == [.seconds(10)])
        #expect(throws: SessionFault.self) { try stage.session.setPollingInterval(.seconds(20)) }
        #expect(stage.session.pollingInterval == .seconds(10))
        let pushed = Stage(.jpush)
        #expect(pushed.session.pollingInterval == nil)
        #expect(throws: SessionFault.self) { try pushed.session.setPollingInterval(.seconds(20)) }
    }

    @Test("nothing that a call says is printed")
    func secrecy() async throws {
        var text = ""
        dump(SessionCall.setPhone("+8613711112222"), to: &text)
        dump(SessionCall.voipToken([1, 2, 3]), to: &text)
        dump(DeviceToken.voip([1, 2, 3]), to: &text)
        #expect(!text.contains("137") && !text.contains("2"))
        let stage = Stage(.jpush, isRegistered: false)
        try await stage.session.start()
        dump(stage.session, to: &text)
        dump(stage.session.service, to: &text)
        dump(SequencedPushService(stage.session), to: &text)
        dump(stage.phone, to: &text)
        text += "\(stage.session.service) \(DeviceRegistration(device: Stage.device, systemToken: "a1b2c3d4"))"
        #expect(!text.contains("a1b2c3d4") && !text.contains("phone-1"))
        let fault = try #require(await Stage(.jpush).fault(of: .setPhone("137x")))
        #expect(!"\(fault)".contains("137"))
    }
}
