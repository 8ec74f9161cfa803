import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Live Activities with their own tokens, and broadcasts for devices that are offline.
@Suite("APNs simulator: Live Activities")
struct APNsSimulatorActivityTests {
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

    /// The phone, offline, with an activity that follows a new channel.
    private static func follow(policy: Int = 1) -> Step {
        Step { scene in
            scene.channel = try await scene.apple.makeChannel(policy: policy)
            await scene.apple.simulator.follow(scene.channel, of: Apple.shop, on: Apple.phone, as: "game")
            await scene.apple.setOnline(false)
        }
    }

    /// A broadcast that lives for some seconds. With a life of 0 it is not stored.
    private static func broadcast(_ number: Int, life: Int = 3600, event: String = "update") -> Step {
        Step { scene in
            let now = Int(scene.apple.now.timeIntervalSince1970)
            let body = Apple.change(event, now, eta: number)
            let expiration = ["apns-expiration": life == 0 ? "0" : String(now + life)]
            #expect(await scene.apple.broadcast(to: scene.channel, body, expiration).outcome == "200")
        }
    }

    /// A device comes online, and has some broadcasts.
    private static func comeOnline(_ numbers: Int..., device: String = Apple.phone) -> Step {
        Step { scene in
            await scene.apple.setOnline(true, device)
            let inbox = await scene.apple.inbox(device)
            #expect(inbox.map { $0.activity?.content["eta"]?.intValue } == numbers)
        }
    }

    /// A broadcast with a life, and whether it arrives after some seconds.
    private static func life(_ seconds: Int, after wait: Double, arrives: Bool) -> Story {
        Story(
            "\(wait) of \(seconds) seconds", follow(), broadcast(1, life: seconds), .pass(wait),
            arrives ? comeOnline(1) : comeOnline())
    }

    private static let stories: [Story] = [
        Story(
            "a channel stores the newest broadcast, which arrives once", follow(), broadcast(1), broadcast(2),
            broadcast(3), comeOnline(3), .online(false), comeOnline(3)),
        // It stores for 8 hours at most, and not what is for now.
        life(3600, after: 3599, arrives: true), life(3600, after: 3600, arrives: false),
        life(90_000, after: 28_799, arrives: true), life(90_000, after: 28_800, arrives: false),
        life(0, after: 0, arrives: false),
        Story(
            "a channel with policy 0 stores nothing", follow(policy: 0), broadcast(1, life: 0), comeOnline(),
            broadcast(2, life: 0), comeOnline(2)),
        Story(
            "what a device has already does not come again, and nothing that was sent before it followed", follow(),
            broadcast(1),
            Step { await $0.apple.simulator.follow($0.channel, of: Apple.shop, on: Apple.tablet, as: "late") },
            .online(false, Apple.tablet), comeOnline(device: Apple.tablet), comeOnline(1), broadcast(2), .online(false),
            comeOnline(1, 2), .online(false, Apple.tablet),
            comeOnline(2, device: Apple.tablet)),
        Story(
            "a stored end ends the activity", follow(), broadcast(1, event: "end"), comeOnline(1), broadcast(2),
            comeOnline(1)),
        Story(
            "a deleted channel loses what it stored", follow(), broadcast(1),
            Step { #expect(await $0.apple.channels(.delete, id: $0.channel).status == 204) }, comeOnline()),
        Story(
            "a removed app loses what is stored, and what comes later", follow(), broadcast(1), .uninstall,
            comeOnline(), broadcast(2), comeOnline()),
    ]

    @Test("broadcasts for a device that is offline", arguments: stories)
    func story(row: Story) async throws { try await row.play() }
}
