import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// A phone that records its messages.
private final class RecordingPhone: ConnectedPhone {
    private let messages = Locked<[DeliveredMessage]>([])

    var received: [DeliveredMessage] { messages.withLock { $0 } }

    func receive(_ message: DeliveredMessage) { messages.withLock { $0.append(message) } }
    func withdraw(_ messageID: String) { messages.withLock { $0.removeAll { $0.messageID == messageID } } }
}

/// The simulator with phones.
@Suite("APNs simulator: phones")
struct APNsSimulatorPhoneTests {
    private typealias Apple = SimulatedApple

    private static func connect(
        _ device: String, to apple: Apple, environment: AppEnvironment = .production
    ) async -> RecordingPhone {
        let phone = RecordingPhone()
        let device = VirtualDevice(device, .ios, environment: environment)
        await apple.simulator.connect(phone, as: device, at: apple.now)
        return phone
    }

    private static func note(_ token: DeviceToken, _ apple: Apple) async {
        await apple.simulator.note(.token(token), from: Apple.phone, at: apple.now)
    }

    // MARK: Connecting

    @Test("the last push waits while the phone is disconnected, and arrives when it connects again")
    func waiting() async throws {
        let apple = try Apple()
        let phone = await Self.connect(Apple.phone, to: apple)
        await apple.simulator.disconnect(phone, from: Apple.phone, at: apple.now)
        for _ in 0..<2 { #expect(await apple.send().status == 200) }
        #expect(phone.received.isEmpty)
        let later = await Self.connect(Apple.phone, to: apple)
        #expect(later.received.map(\.alert) == ["B"])
        #expect(await apple.inbox() == later.received)
        // The first phone was replaced, so its disconnection does not take the device offline.
        await apple.simulator.disconnect(phone, from: Apple.phone, at: apple.now)
        #expect(await apple.send().status == 200)
        #expect(later.received.count == 2)
        #expect(phone.received.isEmpty)
    }

    @Test("an unknown device gets the first app, with its id as the token")
    func unknown() async throws {
        let apple = try Apple { apps, _, _ in apps.removeAll { $0.bundleID != Apple.shop } }
        let id = String(repeating: "5e", count: 32)
        let phone = await Self.connect(id, to: apple)
        let answer = await apple.send(to: id)
        let message = try #require(answer.id)
        #expect(phone.received.map(\.messageID) == [message])
        #expect(await apple.simulator.deviceIDs().contains(id))
        #expect(await apple.simulator.snapshot(of: id)?.device == VirtualDevice(id, .ios))
        #expect(await apple.simulator.snapshot(of: "nobody") == nil)
        let empty = APNsSimulator(apps: [], signers: [])
        await empty.connect(phone, as: VirtualDevice(id, .ios), at: apple.now)
        #expect(await empty.deviceIDs() == [])
    }

    @Test("the environment of a token comes with its phone")
    func environment() async throws {
        let apple = try Apple()
        _ = await Self.connect(Apple.sandboxed, to: apple)
        #expect(await apple.send(to: Apple.sandboxed).status == 200)
        _ = await Self.connect(Apple.tablet, to: apple, environment: .development)
        #expect(await apple.send(to: Apple.tablet).reason == "BadDeviceToken")
    }

    @Test("a phone brings back the tokens of an app that was removed")
    func reinstalled() async throws {
        let apple = try Apple { _, _, settings in settings.pushesUntilUnregistered = 0 }
        await apple.simulator.uninstall(Apple.token(for: .app), at: apple.now)
        #expect(await apple.send().status == 410)
        let phone = await Self.connect(Apple.phone, to: apple)
        #expect(await apple.send().status == 200)
        #expect(phone.received.count == 1)
        // A Live Activity's token stays dead.
        let headers: [String: String?] = [
            "apns-topic": Apple.shop + ".push-type.liveactivity", "apns-push-type": "liveactivity",
        ]
        #expect(await apple.send(to: Apple.token(for: .liveActivity), "{}", headers).status == 410)
    }

    // MARK: Reports

    @Test("a token for calls that the app got works")
    func calls() async throws {
        let apple = try Apple()
        let phone = await Self.connect(Apple.phone, to: apple)
        let headers: [String: String?] = ["apns-topic": Apple.shop + ".voip", "apns-push-type": "voip"]
        #expect(await apple.send(to: "ab01", "{}", headers).reason == "BadDeviceToken")
        await Self.note(.voip([0xAB, 0x01]), apple)
        #expect(await apple.send(to: "ab01", #"{"c":1}"#, headers).status == 200)
        #expect(phone.received.map(\.call) == [["c": 1]])
    }

    @Test("a change of a Live Activity has the app's own id for it, until the app ends it")
    func activities() async throws {
        let apple = try Apple { _, _, settings in settings.pushesUntilUnregistered = 0 }
        let phone = await Self.connect(Apple.phone, to: apple)
        await Self.note(.liveActivityStart(attributes: "Game", [0x51]), apple)
        await Self.note(.liveActivityUpdate(id: "match", [0x52]), apple)
        #expect(await apple.simulator.snapshot(of: Apple.phone)?.activities == ["match"])
        let headers: [String: String?] = [
            "apns-topic": Apple.shop + ".push-type.liveactivity", "apns-push-type": "liveactivity",
        ]
        func send(_ event: String, to token: String) async -> Int {
            let body =
                #"{"aps":{"timestamp":1795165200,"event":"\#(event)","content-state":{"n":1},"#
                + #""attributes-type":"Game","attributes":{},"alert":"A"}}"#
            return await apple.send(to: token, body, headers).status
        }
        #expect(await send("start", to: "51") == 200)
        #expect(await send("update", to: "52") == 200)
        #expect(phone.received.map(\.activity?.id) == ["Game", "match"])
        await Self.note(.liveActivityUpdate(id: "match", nil), apple)
        #expect(await apple.simulator.snapshot(of: Apple.phone)?.activities == [])
        #expect(await send("update", to: "52") == 410)
        #expect(await send("start", to: "51") == 200)
    }

    @Test("the language is kept, and no other report counts")
    func otherReports() async throws {
        let apple = try Apple()
        let phone = await Self.connect(Apple.phone, to: apple)
        let answer = await apple.send()
        let id = try #require(answer.id)
        let reports = [
            PhoneReport.delivered(id), .displayed(id), .opened(id), .dismissed(id), .badge(3), .language("de"),
        ]
        for report in reports {
            await apple.simulator.note(report, from: Apple.phone, at: apple.now)
        }
        let snapshot = await apple.simulator.snapshot(of: Apple.phone)
        #expect(snapshot?.language == "de")
        #expect(snapshot?.badge == nil)
        #expect(snapshot?.inbox == phone.received)
        #expect(snapshot?.tags == [])
    }

    @Test("the only quotas are those of channels")
    func quotas() async throws {
        let apple = try Apple { apps, _, settings in
            settings.channelLimit = 5
            for index in apps.indices { apps[index].hasBroadcasts = apps[index].bundleID == Apple.shop }
        }
        let name = "channels of \(Apple.shop)"
        #expect(await apple.simulator.quotas(at: apple.now) == [QuotaReading(name: name, limit: 5, remaining: 5)])
        let answer = await apple.ask(
            .post, "/1/apps/\(Apple.shop)/channels", [("authorization", "bearer " + apple.bearer)],
            #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        #expect(answer.status == 201)
        #expect(await apple.simulator.quotas(at: apple.now) == [QuotaReading(name: name, limit: 5, remaining: 4)])
    }
}
