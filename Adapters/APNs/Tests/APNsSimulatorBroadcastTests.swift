import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Broadcasts to channels: their checks, and which Live Activities they reach.
@Suite("APNs simulator: broadcasts")
struct APNsSimulatorBroadcastTests {
    private typealias Apple = SimulatedApple
    private typealias Change = DeliveredMessage.ActivityChange

    private static func update(_ event: String = "update", _ timestamp: Int = 1_795_165_200, eta: Int = 1) -> String {
        #"{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{"eta":\#(eta)}}}"#
    }

    /// A channel of the shop.
    private static func make(
        _ apple: Apple, policy: Int = 1, app: String = SimulatedApple.shop
    ) async throws -> String {
        let answer = await apple.ask(
            .post, "/1/apps/\(app)/channels", [("authorization", "bearer " + apple.bearer)],
            #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#)
        return try #require(answer.header("apns-channel-id"))
    }

    /// Sends a broadcast with expiration 0.
    /// - Parameter headers: replace the usual ones; nil removes one.
    private static func send(
        _ apple: Apple, to channel: String?, _ body: String = APNsSimulatorBroadcastTests.update(),
        _ headers: [String: String?] = [:], app: String = SimulatedApple.shop,
        over connection: SimulatedConnection? = nil
    ) async -> Apple.Answer {
        var fields: [String: String?] = [
            "authorization": "bearer " + apple.bearer, "apns-channel-id": channel, "apns-push-type": "liveactivity",
            "apns-expiration": "0", "apns-priority": "10",
        ]
        fields.merge(headers) { $1 }
        let given = fields.compactMap { name, value in value.map { (name, $0) } }
        return await apple.ask(.post, "/4/broadcasts/apps/\(app)", given, body, over: connection)
    }

    /// Starts a Live Activity on the phone. It follows a channel.
    private static func start(_ apple: Apple, on channel: String, type: String = "Game") async {
        let body =
            #"{"aps":{"timestamp":1795165200,"event":"start","attributes-type":"\#(type)","attributes":{},"#
            + #""content-state":{"eta":0},"alert":"A","input-push-channel":"\#(channel)"}}"#
        let answer = await apple.send(
            to: Apple.token(for: .pushToStart), body,
            ["apns-topic": Apple.shop + ".push-type.liveactivity", "apns-push-type": "liveactivity"])
        #expect(answer.status == 200)
    }

    private static func changes(_ apple: Apple, _ device: String = SimulatedApple.phone) async -> [Change] {
        await apple.inbox(device).compactMap(\.activity)
    }

    // MARK: Checks

    @Test("a broadcast is accepted, with its id and no other", arguments: [AppEnvironment.production, .development])
    func accepted(environment: AppEnvironment) async throws {
        let apple = try Apple(environment: environment)
        let channel = try await Self.make(apple)
        let answer = await Self.send(apple, to: channel, Self.update(), ["apns-request-id": Apple.uuid])
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.header("apns-request-id") == Apple.uuid)
        #expect(answer.id == nil)
        #expect((answer.header("apns-unique-id") != nil) == (environment == .development))
        let unnamed = await Self.send(apple, to: channel)
        #expect(unnamed.header("apns-request-id")?.count == 36)
        #expect(await apple.simulator.broadcastCount == 2)
        #expect(await apple.simulator.sendCount == 0)
    }

    /// The flaws of a broadcast, in the order of the checks.
    private static let flaws: [(reason: String, headers: [String: String?], body: String?)] = [
        ("MissingProviderToken", ["authorization": nil], nil), ("BadMessageId", ["apns-request-id": "1"], nil),
        ("MissingChannelId", ["apns-channel-id": nil], nil), ("MissingPushType", ["apns-push-type": nil], nil),
        ("InvalidPushType", ["apns-push-type": "LiveActivity"], nil),
        ("BadExpirationDate", ["apns-expiration": nil], nil), ("BadPriority", ["apns-priority": "2"], nil),
        ("BadChannelId", ["apns-channel-id": "AAAA"], nil), ("PayloadEmpty", [:], ""),
        ("BadRequestPayload", [:], update("start") + String(repeating: " ", count: 5121)),
        ("PayloadTooLarge", [:], update() + String(repeating: " ", count: 5121)),
    ]

    @Test("of two things wrong, the earlier check names its own", arguments: flaws.indices)
    func order(index: Int) async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple)
        let first = Self.flaws[index]
        let alone = await Self.send(apple, to: channel, first.body ?? Self.update(), first.headers)
        #expect(alone.reason == first.reason)
        for second in Self.flaws[(index + 1)...] {
            let headers = second.headers.merging(first.headers) { $1 }
            let body = first.body ?? second.body ?? Self.update()
            let answer = await Self.send(apple, to: channel, body, headers)
            #expect(answer.reason == first.reason, "\(first.reason) before \(second.reason)")
        }
        #expect(await apple.simulator.broadcastCount == 0)
        #expect(await Self.send(apple, to: channel).status == 200)
    }

    @Test(
        "headers and their values",
        arguments: [
            ("apns-expiration", "-1", "BadExpirationDate"), ("apns-expiration", "x", "BadExpirationDate"),
            ("apns-expiration", "1795165300", nil), ("apns-priority", nil, "BadPriority"), ("apns-priority", "5", nil),
            ("apns-priority", "1", nil), ("apns-push-type", "alert", "InvalidPushType"),
            ("authorization", "bearer a.b.c", "InvalidProviderToken"),
        ] as [(String, String?, String?)])
    func headers(name: String, value: String?, reason: String?) async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple)
        #expect(await Self.send(apple, to: channel, Self.update(), [name: value]).reason == reason)
    }

    @Test(
        "an event is an update or an end", arguments: [("update", nil), ("end", nil), ("start", "BadRequestPayload")])
    func events(event: String, reason: String?) async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple)
        #expect(await Self.send(apple, to: channel, Self.update(event)).reason == reason)
        for body in ["x", "{}", #"{"aps":{}}"#] {
            #expect(await Self.send(apple, to: channel, body).reason == "BadRequestPayload")
        }
    }

    @Test("a deleted channel is not registered, and one of another app was never made")
    func unknown() async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple)
        let foreign = try await Self.make(apple, app: Apple.cafe)
        let path = "/1/apps/\(Apple.shop)/channels"
        let fields = [("authorization", "bearer " + apple.bearer), ("apns-channel-id", channel)]
        #expect(await apple.ask(.delete, path, fields).status == 204)
        #expect(await Self.send(apple, to: channel).reason == "ChannelNotRegistered")
        #expect(await Self.send(apple, to: foreign).reason == "BadChannelId")
        #expect(await Self.send(apple, to: foreign, app: Apple.cafe).status == 200)
    }

    @Test("a channel that stores nothing takes broadcasts for now only")
    func policies() async throws {
        let apple = try Apple()
        let storing = try await Self.make(apple)
        let plain = try await Self.make(apple, policy: 0)
        let later: [String: String?] = ["apns-expiration": "1795168800"]
        #expect(await Self.send(apple, to: storing, Self.update(), later).status == 200)
        #expect(await Self.send(apple, to: plain, Self.update(), later).reason == "BadExpirationDate")
        #expect(await Self.send(apple, to: plain).status == 200)
    }

    @Test("capitals, a missing priority, the log's id and a rate are settings")
    func switches() async throws {
        let apple = try Apple(environment: .development) { _, _, settings in
            settings.ignoresPushTypeCase = true
            settings.needsBroadcastPriority = false
            settings.identifiesBroadcasts = false
            settings.broadcastsPerMinute = 1
        }
        let channel = try await Self.make(apple)
        let fields: [String: String?] = ["apns-push-type": "Liveactivity", "apns-priority": nil]
        let answer = await Self.send(apple, to: channel, Self.update(), fields)
        #expect(answer.status == 200)
        #expect(answer.header("apns-unique-id") == nil)
        let refused = await Self.send(apple, to: channel)
        #expect(refused.status == 429)
        #expect(refused.reason == "TooManyRequests")
        apple.pass(60)
        #expect(await Self.send(apple, to: channel).status == 200)
    }

    // MARK: Delivery

    @Test("a broadcast reaches the activities that follow its channel, until their end")
    func delivery() async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple)
        let other = try await Self.make(apple)
        await Self.start(apple, on: channel)
        await Self.start(apple, on: other, type: "Other")
        await apple.simulator.follow(channel, of: Apple.shop, on: Apple.tablet, as: "own")
        let answer = await Self.send(apple, to: channel)
        #expect(await Self.changes(apple).last == Change(id: "Game", event: .update, content: ["eta": 1]))
        #expect(await Self.changes(apple, Apple.tablet).map(\.id) == ["own"])
        let id = try #require(answer.header("apns-request-id"))
        #expect(await apple.simulator.receivers(of: id) == [Apple.tablet, Apple.phone].sorted())
        for event in ["end", "update"] {
            #expect(await Self.send(apple, to: channel, Self.update(event)).status == 200)
        }
        #expect(await Self.changes(apple).map(\.event) == [.start, .start, .update, .end])
        #expect(await Self.changes(apple, Apple.tablet).map(\.event) == [.update, .end])
    }

    @Test("a start without a channel, or with one that does not exist, follows none")
    func noChannel() async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple)
        await Self.start(apple, on: "AAAA")
        #expect(await Self.send(apple, to: channel).status == 200)
        #expect(await Self.changes(apple).map(\.event) == [.start])
    }

    @Test("a broadcast without a timestamp is accepted, and ignored by devices")
    func incomplete() async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple)
        await Self.start(apple, on: channel)
        let body = #"{"aps":{"event":"update","content-state":{}}}"#
        #expect(await Self.send(apple, to: channel, body).status == 200)
        #expect(await Self.changes(apple).count == 1)
    }
}
