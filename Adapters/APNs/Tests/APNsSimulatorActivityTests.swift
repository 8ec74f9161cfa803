import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Live Activities with their own tokens.
@Suite("APNs simulator: Live Activities")
struct APNsSimulatorActivityTests {
    private typealias Apple = SimulatedApple
    private typealias Change = DeliveredMessage.ActivityChange
    private static let now = 1_795_165_200
    private static let start =
        #"{"aps":{"timestamp":1795165200,"event":"start","attributes-type":"Parcel","attributes":{"id":17},"#
        + #""content-state":{"eta":9},"alert":{"title":{"loc-key":"TK"},"body":"On its way","sound":"s.caf"}}}"#

    private static func send(
        _ body: String, to purpose: Apple.Purpose = .liveActivity, _ apple: Apple
    ) async -> Apple.Answer {
        await apple.send(
            to: Apple.token(for: purpose), body,
            ["apns-topic": Apple.shop + ".push-type.liveactivity", "apns-push-type": "liveactivity"])
    }

    private static func change(
        _ event: String, _ timestamp: Int = APNsSimulatorActivityTests.now, eta: Int = 1
    ) -> String {
        #"{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{"eta":\#(eta)}}}"#
    }

    @Test("a start has the type as its id, and texts as its alert")
    func starts() async throws {
        let apple = try Apple()
        #expect(await Self.send(Self.start, to: .pushToStart, apple).status == 200)
        let inbox = await apple.inbox()
        let message = try #require(inbox.first)
        #expect(message.activity == Change(id: "Parcel", event: .start, content: ["eta": 9]))
        #expect(message.title == "TK")
        #expect(message.alert == "On its way")
        #expect(message.sound == "s.caf")
        #expect(message.custom == nil)
    }

    @Test("an update and an end name the activity by its token")
    func changes() async throws {
        let apple = try Apple()
        #expect(await Self.send(Self.change("update"), apple).status == 200)
        // An end may keep the content on the screen.
        let end = #"{"aps":{"timestamp":1795165201,"event":"end","dismissal-date":1}}"#
        #expect(await Self.send(end, apple).status == 200)
        let token = Apple.token(for: .liveActivity)
        let inbox = await apple.inbox()
        #expect(
            inbox.map(\.activity) == [
                Change(id: token, event: .update, content: ["eta": 1]), Change(id: token, event: .end, content: [:]),
            ])
    }

    @Test("a device ignores a change that is older than the last, or more than 8 hours ahead")
    func timestamps() async throws {
        let apple = try Apple()
        let timestamps = [
            (Self.now + 10, true), (Self.now + 9, false), (Self.now + 10, true), (Self.now + 8 * 3600 + 1, false),
            (Self.now + 8 * 3600, true), (Self.now + 20, false),
        ]
        for (timestamp, _) in timestamps {
            #expect(await Self.send(Self.change("update", timestamp, eta: timestamp), apple).status == 200)
        }
        let shown: [Int?] = timestamps.filter { $0.1 }.map { $0.0 }
        let inbox = await apple.inbox()
        #expect(inbox.map { $0.activity?.content["eta"]?.intValue } == shown)
    }

    @Test("a new start may be older than the activity before it")
    func newStart() async throws {
        let apple = try Apple()
        let later = Self.start.replacing("1795165200", with: "1795165300")
        for body in [later, Self.start] {
            #expect(await Self.send(body, to: .pushToStart, apple).status == 200)
        }
        #expect(await apple.inbox().count == 2)
    }

    @Test(
        "a device ignores what is incomplete, and what its token cannot do",
        arguments: [
            (change("start"), .liveActivity), (change("update"), .pushToStart), (change("start"), .pushToStart),
            (change("pause"), .liveActivity), (#"{"aps":{"alert":"B"}}"#, .liveActivity),
            (#"{"aps":{"event":"update","content-state":{}}}"#, .liveActivity),
            (#"{"aps":{"event":"update","timestamp":1795165200}}"#, .liveActivity),
            (#"{"aps":{"event":"update","timestamp":"1795165200","content-state":{}}}"#, .liveActivity),
            (start.replacing(#""alert""#, with: #""alarm""#), .pushToStart),
            (start.replacing("attributes-type", with: "type"), .pushToStart),
        ] as [(String, APNsRegistration.Purpose)])
    func ignored(body: String, purpose: APNsRegistration.Purpose) async throws {
        let apple = try Apple()
        #expect(await Self.send(body, to: purpose, apple).status == 200)
        #expect(await apple.inbox() == [])
    }

    @Test("the last change waits for the device")
    func waiting() async throws {
        let apple = try Apple()
        await apple.simulator.setOnline(false, Apple.phone, at: apple.now)
        for eta in 1...2 { _ = await Self.send(Self.change("update", eta: eta), apple) }
        await apple.simulator.setOnline(true, Apple.phone, at: apple.now)
        let inbox = await apple.inbox()
        #expect(inbox.map { $0.activity?.content } == [["eta": 2]])
    }
}
