import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushVivo
import Testing
import VivoSimulator

/// Two processes of one app against the simulator, with a quota that they share. A day in China ends 6,400 seconds
/// after the clock's start.
@Suite("vivo, adapter against simulator")
struct DayTests {
    /// What all processes know of each quota: the units that are left of a day, and a pause.
    private actor Bank: SharedQuota {
        private struct Account {
            var day: Int
            var left: Int
            var pausedUntil = Duration.zero
        }

        private let clock: VirtualClock
        private var accounts: [QuotaBucket: Account] = [:]

        init(_ clock: VirtualClock) { self.clock = clock }

        func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) -> Duration {
            guard case .day(let day) = quota.window else { return .zero }
            let account = account(bucket, quota, day)
            let pause = max(.zero, account.pausedUntil - clock.elapsed)
            guard account.left >= count else {
                return max(pause, .seconds(day.end(after: clock.date).timeIntervalSince(clock.date)))
            }
            if pause == .zero { accounts[bucket]?.left -= count }
            return pause
        }

        func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) {
            guard case .day(let day) = quota.window else { return }
            var account = account(bucket, quota, day)
            account.left = min(account.left, remaining)
            account.pausedUntil = max(account.pausedUntil, clock.elapsed + pause)
            accounts[bucket] = account
        }

        private func account(_ bucket: QuotaBucket, _ quota: Quota, _ day: CalendarDay) -> Account {
            let today = day.number(of: clock.date)
            var account = accounts[bucket] ?? Account(day: today, left: quota.limit)
            if account.day != today { (account.day, account.left) = (today, quota.limit) }
            accounts[bucket] = account
            return account
        }
    }

    private static let (appID, devices) = (10_004, ["15000000000000000000001", "15000000000000000000002"])
    private let clock = VirtualClock()
    private let bank: Bank

    init() { bank = Bank(clock) }

    private func simulator(
        _ edit: (inout VivoApp, inout VivoSimulatorSettings) -> Void = { _, _ in }
    ) -> VivoSimulator {
        var app = VivoApp(
            appID: Self.appID, key: "key", secret: Secret("s3cret"),
            devices: Self.devices.map { VirtualDevice($0, .android) })
        app.aliases = [Self.devices[0]: "ann"]
        var settings = VivoSimulatorSettings()
        edit(&app, &settings)
        return VivoSimulator([app], settings: settings)
    }

    private func client(_ host: SimulatorHost) throws -> PushClient {
        let vivo = try Vivo(
            appID: Self.appID, appKey: "key", appSecret: Secret("s3cret"),
            dataCenter: Vivo.dataCenters.standard.moved(to: InProcessTransport.origin))
        var configuration = ClientConfiguration()
        (configuration.clock, configuration.sharedQuota, configuration.retry) = (clock, bank, .none)
        return PushClient(vivo, transport: InProcessTransport(host), configuration: configuration)
    }

    private func message(_ intent: MessageClass, _ text: String = "您的包裹今天送达") -> Message {
        var message = Message(notification: Notification(title: "商城通知", body: text))
        message.messageClass = intent
        return message
    }

    private func expectUsedUp(for time: Duration, _ body: () async throws -> Void) async {
        let error = await #expect(throws: PushError.self) { try await body() }
        #expect(error?.kind == .quotaExhausted && error?.effect == .notApplied)
        #expect(error?.retry == .after(time))
    }

    @Test(
        "a class whose total is used is not asked for again that day, by no process, and the other class goes on",
        arguments: [
            (MessageClass(.marketing), MessageClass(.service, .order)),
            (MessageClass(.service, .order), MessageClass(.marketing)),
        ])
    func totals(used: MessageClass, other: MessageClass) async throws {
        let simulator = simulator { app, settings in
            (settings.leastDevices, app.operationalFactor, app.systemFactor) = (1, 1, 1)
        }
        let host = SimulatorHost(simulator, clock: clock)
        let (first, second) = (try client(host), try client(host))
        let target = Audience.devices([DeviceID(Self.devices[0])])
        _ = try await first.send(message(used, "一号商品"), to: target)
        await expectUsedUp(for: .seconds(6_460)) {
            _ = try await first.send(message(used, "二号商品"), to: target)
        }
        clock.advance(by: .seconds(400))
        for client in [first, second] {
            await expectUsedUp(for: .seconds(6_060)) {
                _ = try await client.send(message(used, "三号商品"), to: target)
            }
        }
        #expect(await simulator.callsAfterQuota(of: Self.appID, at: clock.date) == 0)
        _ = try await second.send(message(other), to: target)
        // Until 8:00 of the next day.
        clock.advance(by: .seconds(6_000 + 8 * 3600))
        _ = try await second.send(message(used, "四号商品"), to: target)
        #expect(await simulator.inbox(of: Self.devices[0]).map(\.alert) == ["一号商品", "您的包裹今天送达", "四号商品"])
    }

    @Test(
        "after a refusal, no message to everyone is asked for that day, by no process")
    func everyone() async throws {
        let simulator = simulator()
        let host = SimulatorHost(simulator, clock: clock)
        let clients = try [client(host), client(host)]
        let order = message(MessageClass(.service, .order))
        _ = try await clients[0].send(order, to: .everyone)
        for client in [clients[0], clients[1], clients[0]] {
            await expectUsedUp(for: .seconds(6_460)) { _ = try await client.send(order, to: .everyone) }
        }
        #expect(await simulator.callsAfterQuota(of: Self.appID, at: clock.date) == 0)
        _ = try await clients[1].send(order, to: .aliases(["ann"]))
        clock.advance(by: .seconds(6_460))
        _ = try await clients[1].send(order, to: .everyone)
    }

    @Test("an operational message at night may go at seven in China, from every process; a system message at once")
    func night() async throws {
        let host = SimulatorHost(simulator(), clock: clock)
        let client = try client(host)
        clock.advance(by: .seconds(6_400))
        await expectUsedUp(for: .seconds(7 * 3600)) {
            _ = try await client.send(message(MessageClass(.marketing)), to: .aliases(["ann"]))
        }
        _ = try await client.send(message(MessageClass(.service, .order)), to: .aliases(["ann"]))
        clock.advance(by: .seconds(7 * 3600))
        for (client, text) in [(client, "一号商品"), (try self.client(host), "二号商品")] {
            _ = try await client.send(message(MessageClass(.marketing), text), to: .aliases(["ann"]))
        }
    }

    @Test("what the vendor says of a class in a message to everyone is about that class, and about no other")
    func everyoneByClass() async throws {
        let simulator = simulator { app, settings in (settings.leastDevices, app.operationalFactor) = (1, 1) }
        let client = try client(SimulatorHost(simulator, clock: clock))
        let (sale, order) = (message(MessageClass(.marketing)), message(MessageClass(.service, .order)))
        _ = try await client.send(sale, to: .aliases(["ann"]))
        for audience in [Audience.everyone, .everyone, .aliases(["ann"])] {
            await expectUsedUp(for: .seconds(6_460)) { _ = try await client.send(sale, to: audience) }
        }
        #expect(await simulator.callsAfterQuota(of: Self.appID, at: clock.date) == 0)
        _ = try await client.send(order, to: .everyone)
        clock.advance(by: .seconds(6_460))
        await expectUsedUp(for: .seconds(7 * 3600 - 60)) { _ = try await client.send(sale, to: .everyone) }
        _ = try await client.send(order, to: .everyone)
    }

    @Test("a token that the vendor ended is replaced, and the message arrives once")
    func token() async throws {
        let simulator = simulator()
        let client = try client(SimulatorHost(simulator, clock: clock))
        let order = message(MessageClass(.service, .order))
        _ = try await client.send(order, to: .aliases(["ann"]))
        clock.advance(by: .seconds(3600))
        await simulator.endTokens()
        #expect(try await client.send(order, to: .aliases(["ann"])).isComplete)
        #expect(await simulator.inbox(of: Self.devices[0]).count == 2)
    }

    @Test("an unknown device is dead, and one that is off is only suspect")
    func statuses() async throws {
        let simulator = simulator()
        await simulator.setPushOff(true, Self.devices[1])
        let client = try client(SimulatorHost(simulator, clock: clock))
        let ids = (Self.devices + ["15999999999999999999999"]).map { DeviceID($0) }
        let report = try await client.send(message(MessageClass(.service, .order)), to: .devices(ids))
        #expect(report.acceptedCount == 1)
        #expect(report.exceptions.map(\.status) == [.suspect, .invalid()])
    }
}
