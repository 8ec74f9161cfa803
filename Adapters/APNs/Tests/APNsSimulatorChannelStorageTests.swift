import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Broadcasts for devices that are offline.
@Suite("APNs simulator: stored broadcasts")
struct APNsSimulatorChannelStorageTests {
    private typealias Apple = SimulatedApple
    private static let path = "/1/apps/\(SimulatedApple.shop)/channels"

    /// A channel followed by an activity of the phone, while the phone is offline.
    private static func offline(policy: Int = 1) async throws -> (apple: Apple, channel: String) {
        let apple = try Apple()
        let answer = await apple.ask(
            .post, path, [("authorization", "bearer " + apple.bearer)],
            #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#)
        let channel = try #require(answer.header("apns-channel-id"))
        await apple.simulator.follow(channel, of: Apple.shop, on: Apple.phone, as: "game")
        await apple.simulator.setOnline(false, Apple.phone, at: apple.now)
        return (apple, channel)
    }

    /// Sends a broadcast that lives for some seconds. With a life of 0 it is not stored.
    private static func send(
        _ number: Int, to channel: String, _ apple: Apple, life: Int, event: String = "update"
    ) async {
        let now = Int(apple.now.timeIntervalSince1970)
        let headers = [
            ("authorization", "bearer " + apple.bearer), ("apns-channel-id", channel),
            ("apns-push-type", "liveactivity"), ("apns-expiration", life == 0 ? "0" : String(now + life)),
            ("apns-priority", "5"),
        ]
        let body = #"{"aps":{"timestamp":\#(now),"event":"\#(event)","content-state":{"n":\#(number)}}}"#
        let answer = await apple.ask(.post, "/4/broadcasts/apps/\(Apple.shop)", headers, body)
        #expect(answer.status == 200)
    }

    private static func comeOnline(_ apple: Apple) async -> [Int?] {
        await apple.simulator.setOnline(true, Apple.phone, at: apple.now)
        return await apple.inbox().map { $0.activity?.content["n"]?.intValue }
    }

    @Test("a channel stores the newest broadcast")
    func newest() async throws {
        let (apple, channel) = try await Self.offline()
        for number in 1...3 { await Self.send(number, to: channel, apple, life: 3600) }
        #expect(await Self.comeOnline(apple) == [3])
        // The broadcast arrives once.
        await apple.simulator.setOnline(false, Apple.phone, at: apple.now)
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
        await Self.send(1, to: channel, apple, life: 3600)
        await apple.simulator.follow(channel, of: Apple.shop, on: Apple.tablet, as: "late")
        #expect(await Self.comeOnline(apple) == [1])
        await Self.send(2, to: channel, apple, life: 3600)
        for device in [Apple.phone, Apple.tablet] {
            await apple.simulator.setOnline(false, device, at: apple.now)
            await apple.simulator.setOnline(true, device, at: apple.now)
        }
        #expect(await Self.comeOnline(apple) == [1, 2])
        #expect(await apple.inbox(Apple.tablet).count == 1)
    }

    @Test("a stored end ends the activity; a deleted channel and a removed app lose what is stored", arguments: 0..<3)
    func ends(way: Int) async throws {
        let (apple, channel) = try await Self.offline()
        await Self.send(1, to: channel, apple, life: 3600, event: way == 0 ? "end" : "update")
        switch way {
        case 0: break
        case 1:
            let fields = [("authorization", "bearer " + apple.bearer), ("apns-channel-id", channel)]
            #expect(await apple.ask(.delete, Self.path, fields).status == 204)
        default: await apple.simulator.uninstall(Apple.token(for: .app), at: apple.now)
        }
        #expect(await Self.comeOnline(apple) == (way == 0 ? [1] : []))
        guard way != 1 else { return }
        await Self.send(2, to: channel, apple, life: 3600)
        #expect(await Self.comeOnline(apple) == (way == 0 ? [1] : []))
    }
}
