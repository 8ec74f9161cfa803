import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Broadcasts for devices that are offline.
@Suite("APNs simulator: stored broadcasts")
struct APNsSimulatorChannelStorageTests {
    private typealias Apple = SimulatedApple

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
