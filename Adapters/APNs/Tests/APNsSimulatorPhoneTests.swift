import APNsSimulator
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// The simulator with phones.
@Suite("APNs simulator: phones")
struct APNsSimulatorPhoneTests {
    private static func connect(
        _ device: String = Apple.phone, to apple: Apple, environment: AppEnvironment = .production
    ) async -> RecordingPhone {
        let phone = RecordingPhone()
        await apple.simulator.connect(phone, as: VirtualDevice(device, .ios, environment: environment), at: apple.now)
        return phone
    }

    private static func note(_ token: DeviceToken, _ apple: Apple) async {
        await apple.simulator.note(.token(token), from: Apple.phone, at: apple.now)
    }

    private static func connect(_ device: String = Apple.phone, _ environment: AppEnvironment = .production) -> Step {
        Step { _ = await connect(device, to: $0.apple, environment: environment) }
    }

    private static func call(_ outcome: String) -> Step { .send(outcome, to: "ab01", #"{"c":1}"#, Apple.call) }

    private static let stories: [Story] = [
        Story(
            "the environment of a token comes with its phone", connect(Apple.sandboxed),
            connect(Apple.tablet, .development), .push("200", to: Apple.sandboxed),
            .push("400 BadDeviceToken", to: Apple.tablet)),
        Story(
            "a phone brings back the tokens of an app that was removed, but not that of a Live Activity",
            settings: { $0.pushesUntilUnregistered = 0 }, .uninstall, .push("410 Unregistered"), connect(),
            .push("200"), .inbox(["B"]),
            .send("410 Unregistered", to: Apple.token(for: .liveActivity), "{}", Apple.activity)),
        Story(
            "a token for calls that the app got works", connect(), call("400 BadDeviceToken"),
            Step { await note(.voip([0xAB, 0x01]), $0.apple) }, call("200"),
            Step { #expect(await $0.apple.inbox().map(\.call) == [["c": 1]]) }),
    ]

    @Test("phones and their tokens", arguments: stories)
    func story(row: Story) async throws { try await row.play() }

    @Test("the last push waits while the phone is disconnected, and arrives when it connects again")
    func waiting() async throws {
        let apple = try Apple()
        let phone = await Self.connect(to: apple)
        await apple.simulator.disconnect(phone, from: Apple.phone, at: apple.now)
        for _ in 0..<2 { #expect(await apple.push() == "200") }
        let later = await Self.connect(to: apple)
        #expect(later.shown.map(\.alert) == ["B"])
        #expect(await apple.inbox() == later.shown)
        // The first phone was replaced, so its disconnection does not take the device offline.
        await apple.simulator.disconnect(phone, from: Apple.phone, at: apple.now)
        #expect(await apple.push() == "200")
        #expect(later.shown.count == 2 && phone.shown.isEmpty)
    }

    @Test("an unknown device gets the first app, with its id as the token")
    func unknown() async throws {
        let apple = try Apple(apps: { $0.removeAll { $0.bundleID != Apple.shop } })
        let id = String(repeating: "5e", count: 32)
        let phone = await Self.connect(id, to: apple)
        let message = try #require(await apple.send(to: id).id)
        #expect(phone.shown.map(\.messageID) == [message])
        #expect(await apple.simulator.deviceIDs().contains(id))
        #expect(await apple.simulator.snapshot(of: id)?.device == VirtualDevice(id, .ios))
        #expect(await apple.simulator.snapshot(of: "nobody") == nil)
        let empty = APNsSimulator(apps: [], signers: [])
        await empty.connect(phone, as: VirtualDevice(id, .ios), at: apple.now)
        #expect(await empty.deviceIDs() == [])
    }

    @Test("a change of a Live Activity has the app's own id for it, until the app ends it")
    func activities() async throws {
        let apple = try Apple(settings: { $0.pushesUntilUnregistered = 0 })
        let phone = await Self.connect(to: apple)
        await Self.note(.liveActivityStart(attributes: "Game", [0x51]), apple)
        await Self.note(.liveActivityUpdate(id: "match", [0x52]), apple)
        #expect(await apple.simulator.snapshot(of: Apple.phone)?.activities == ["match"])
        func send(_ event: String, to token: String) async -> Int {
            let body =
                #"{"aps":{"timestamp":1795165200,"event":"\#(event)","content-state":{"n":1},"#
                + #""attributes-type":"Game","attributes":{},"alert":"A"}}"#
            return await apple.send(to: token, body, Apple.activity).status
        }
        #expect(await send("start", to: "51") == 200)
        #expect(await send("update", to: "52") == 200)
        #expect(phone.shown.map(\.activity?.id) == ["Game", "match"])
        await Self.note(.liveActivityUpdate(id: "match", nil), apple)
        #expect(await apple.simulator.snapshot(of: Apple.phone)?.activities == [])
        #expect(await send("update", to: "52") == 410)
        #expect(await send("start", to: "51") == 200)
    }

    @Test("the language is kept, and no other report counts")
    func otherReports() async throws {
        let apple = try Apple()
        let phone = await Self.connect(to: apple)
        let id = try #require(await apple.send().id)
        for report in [
            PhoneReport.delivered(id), .displayed(id), .opened(id), .dismissed(id), .badge(3), .language("de"),
        ] {
            await apple.simulator.note(report, from: Apple.phone, at: apple.now)
        }
        let snapshot = await apple.simulator.snapshot(of: Apple.phone)
        #expect(snapshot?.language == "de" && snapshot?.badge == nil && snapshot?.tags == [])
        #expect(snapshot?.inbox == phone.shown)
    }

    @Test("the only quotas are those of channels")
    func quotas() async throws {
        let apple = try Apple(
            apps: { apps in for index in apps.indices.dropFirst() { apps[index].hasBroadcasts = false } },
            settings: { $0.channelLimit = 5 })
        for remaining in [5, 4] {
            let reading = QuotaReading(name: "channels of \(Apple.shop)", limit: 5, remaining: remaining)
            #expect(await apple.simulator.quotas(at: apple.now) == [reading])
            _ = try await apple.makeChannel()
        }
    }
}
