import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Live Activities with their own tokens, and broadcasts for devices that are offline.
@Suite("APNs simulator: Live Activities")
struct APNsSimulatorActivityTests {
    private typealias Apple = SimulatedApple
    private typealias Change = DeliveredMessage.ActivityChange
    private static let now = 1_795_165_200
    private static let start =
        #"{"aps":{"timestamp":1795165200,"event":"start","attributes-type":"Parcel","attributes":{"id":17},"#
        + #""content-state":{"eta":9},"alert":{"title":{"loc-key":"TK"},"body":"On its way","sound":"s.caf"}}}"#

    /// The messages of the phone after some pushes, which are all accepted.
    private static func inbox(
        after bodies: [String], to purpose: Apple.Purpose = .liveActivity, isOnline: Bool = true
    ) async throws -> [DeliveredMessage] {
        let apple = try Apple()
        await apple.setOnline(isOnline)
        for body in bodies {
            #expect(await apple.send(to: Apple.token(for: purpose), body, Apple.activity).outcome == "200")
        }
        await apple.setOnline(true)
        return await apple.inbox()
    }

    @Test("a start has the type as its id, and texts as its alert")
    func starts() async throws {
        let message = try #require(try await Self.inbox(after: [Self.start], to: .pushToStart).first)
        #expect(message.activity == Change(id: "Parcel", event: .start, content: ["eta": 9]))
        #expect(message.title == "TK" && message.alert == "On its way" && message.sound == "s.caf")
        #expect(message.custom == nil)
    }

    @Test("an update and an end name the activity by its token, and an end may keep the content on the screen")
    func changes() async throws {
        let end = #"{"aps":{"timestamp":1795165201,"event":"end","dismissal-date":1}}"#
        let token = Apple.token(for: .liveActivity)
        #expect(
            try await Self.inbox(after: [Apple.change(), end]).map(\.activity) == [
                Change(id: token, event: .update, content: ["eta": 1]), Change(id: token, event: .end, content: [:]),
            ])
    }

    @Test("a device ignores a change that is older than the last, or more than 8 hours ahead; a start is never too old")
    func timestamps() async throws {
        let moments = [10, 9, 10, 8 * 3600 + 1, 8 * 3600, 20]
        let inbox = try await Self.inbox(after: moments.map { Apple.change("update", Self.now + $0, eta: $0) })
        #expect(inbox.map { $0.activity?.content["eta"]?.intValue } == [10, 10, 8 * 3600])
        let later = Self.start.replacing("1795165200", with: "1795165300")
        #expect(try await Self.inbox(after: [later, Self.start], to: .pushToStart).count == 2)
    }

    @Test(
        "a device ignores what is incomplete, and what its token cannot do",
        arguments: [
            (Apple.change("start"), .liveActivity), (Apple.change("update"), .pushToStart),
            (Apple.change("start"), .pushToStart), (Apple.change("pause"), .liveActivity),
            (#"{"aps":{"alert":"B"}}"#, .liveActivity),
            (#"{"aps":{"event":"update","content-state":{}}}"#, .liveActivity),
            (#"{"aps":{"event":"update","timestamp":1795165200}}"#, .liveActivity),
            (#"{"aps":{"event":"update","timestamp":"1795165200","content-state":{}}}"#, .liveActivity),
            (start.replacing(#""alert""#, with: #""alarm""#), .pushToStart),
            (start.replacing("attributes-type", with: "type"), .pushToStart),
        ] as [(String, APNsRegistration.Purpose)])
    func ignored(body: String, purpose: APNsRegistration.Purpose) async throws {
        #expect(try await Self.inbox(after: [body], to: purpose) == [])
    }

    @Test("the last change waits for the device")
    func waiting() async throws {
        let inbox = try await Self.inbox(after: [Apple.change(), Apple.change(eta: 2)], isOnline: false)
        #expect(inbox.map { $0.activity?.content } == [["eta": 2]])
    }

    // MARK: Stored broadcasts

    /// A channel followed by an activity of the phone, while the phone is offline.
    private static func offline(policy: Int = 1) async throws -> (apple: Apple, channel: String) {
        let apple = try Apple()
        let channel = try await apple.makeChannel(policy: policy)
        await apple.simulator.follow(channel, of: Apple.shop, on: Apple.phone, as: "game")
        await apple.setOnline(false)
        return (apple, channel)
    }

    /// Sends a broadcast that lives for some seconds. With a life of 0 it is not stored.
    private static func send(
        _ number: Int, to channel: String, _ apple: Apple, life: Int = 3600, event: String = "update"
    ) async {
        let now = Int(apple.now.timeIntervalSince1970)
        let body = Apple.change(event, now, eta: number)
        let expiration = ["apns-expiration": life == 0 ? "0" : String(now + life)]
        #expect(await apple.broadcast(to: channel, body, expiration).outcome == "200")
    }

    private static func comeOnline(_ apple: Apple) async -> [Int?] {
        await apple.setOnline(true)
        return await apple.inbox().map { $0.activity?.content["eta"]?.intValue }
    }

    @Test("a channel stores the newest broadcast, which arrives once")
    func newest() async throws {
        let (apple, channel) = try await Self.offline()
        for number in 1...3 { await Self.send(number, to: channel, apple) }
        #expect(await Self.comeOnline(apple) == [3])
        await apple.setOnline(false)
        #expect(await Self.comeOnline(apple) == [3])
    }

    @Test(
        "it stores for 8 hours at most, and not what is for now",
        arguments: [
            (3600, 3599, true), (3600, 3600, false), (90_000, 28_799, true), (90_000, 28_800, false), (0, 0, false),
        ])
    func life(seconds: Int, wait: Int, arrives: Bool) async throws {
        let (apple, channel) = try await Self.offline()
        await Self.send(1, to: channel, apple, life: seconds)
        apple.pass(Double(wait))
        #expect(await Self.comeOnline(apple) == (arrives ? [1] : []))
    }

    @Test("a channel with policy 0 stores nothing")
    func policy() async throws {
        let (apple, channel) = try await Self.offline(policy: 0)
        await Self.send(1, to: channel, apple, life: 0)
        #expect(await Self.comeOnline(apple) == [])
        await Self.send(2, to: channel, apple, life: 0)
        #expect(await Self.comeOnline(apple) == [2])
    }

    @Test("what a device has already does not come again, and nothing that was sent before it followed")
    func once() async throws {
        let (apple, channel) = try await Self.offline()
        await Self.send(1, to: channel, apple)
        await apple.simulator.follow(channel, of: Apple.shop, on: Apple.tablet, as: "late")
        #expect(await Self.comeOnline(apple) == [1])
        await Self.send(2, to: channel, apple)
        for (device, isOnline) in [
            (Apple.phone, false), (Apple.phone, true), (Apple.tablet, false), (Apple.tablet, true),
        ] {
            await apple.setOnline(isOnline, device)
        }
        #expect(await Self.comeOnline(apple) == [1, 2])
        #expect(await apple.inbox(Apple.tablet).count == 1)
    }

    @Test("a stored end ends the activity; a deleted channel and a removed app lose what is stored", arguments: 0..<3)
    func ends(way: Int) async throws {
        let (apple, channel) = try await Self.offline()
        await Self.send(1, to: channel, apple, event: way == 0 ? "end" : "update")
        if way == 1 { #expect(await apple.channels(.delete, id: channel).status == 204) }
        if way == 2 { await apple.simulator.uninstall(Apple.token(for: .app), at: apple.now) }
        #expect(await Self.comeOnline(apple) == (way == 0 ? [1] : []))
        guard way != 1 else { return }
        await Self.send(2, to: channel, apple)
        #expect(await Self.comeOnline(apple) == (way == 0 ? [1] : []))
    }
}
