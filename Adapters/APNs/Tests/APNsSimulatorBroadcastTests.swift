import APNsSimulator
import PushAdapter
import PushSimulation
import Testing

/// Broadcasts to channels: their checks, and which Live Activities they reach.
@Suite("APNs simulator: broadcasts")
struct APNsSimulatorBroadcastTests {
    private typealias Change = DeliveredMessage.ActivityChange

    private static func apple(_ edit: (inout APNsSimulatorSettings) -> Void = { _ in }) async throws -> (Apple, String)
    {
        let apple = try Apple(environment: .development, settings: edit)
        return (apple, try await apple.makeChannel())
    }

    /// Starts a Live Activity on the phone. It follows a channel.
    private static func start(_ apple: Apple, on channel: String, type: String = "Game") async {
        let body =
            #"{"aps":{"timestamp":1795165200,"event":"start","attributes-type":"\#(type)","attributes":{},"#
            + #""content-state":{"eta":0},"alert":"A","input-push-channel":"\#(channel)"}}"#
        #expect(await apple.send(to: Apple.token(for: .pushToStart), body, Apple.activity).outcome == "200")
    }

    private static func activities(_ apple: Apple, _ device: String = Apple.phone) async -> [Change] {
        await apple.inbox(device).compactMap(\.activity)
    }

    @Test("a broadcast is accepted, with its id and no other", arguments: [AppEnvironment.production, .development])
    func accepted(environment: AppEnvironment) async throws {
        let apple = try Apple(environment: environment)
        let channel = try await apple.makeChannel()
        let answer = await apple.broadcast(to: channel, Apple.change(), ["apns-request-id": Apple.uuid])
        #expect(answer.status == 200 && answer.body.isEmpty && answer.id == nil)
        #expect(answer.header("apns-request-id") == Apple.uuid)
        #expect((answer.header("apns-unique-id") != nil) == (environment == .development))
        #expect(await apple.broadcast(to: channel).header("apns-request-id")?.count == 36)
        #expect(await apple.simulator.broadcastCount == 2)
        #expect(await apple.simulator.sendCount == 0)
    }

    /// The flaws of a broadcast, in the order of the checks.
    private static let flaws: [(outcome: String, headers: [String: String?], body: String?)] = [
        ("403 MissingProviderToken", ["authorization": nil], nil), ("400 BadMessageId", ["apns-request-id": "1"], nil),
        ("400 MissingChannelId", ["apns-channel-id": nil], nil), ("400 MissingPushType", ["apns-push-type": nil], nil),
        ("400 InvalidPushType", ["apns-push-type": "LiveActivity"], nil),
        ("400 BadExpirationDate", ["apns-expiration": nil], nil), ("400 BadPriority", ["apns-priority": "2"], nil),
        ("400 BadChannelId", ["apns-channel-id": "AAAA"], nil), ("400 PayloadEmpty", [:], ""),
        ("400 BadRequestPayload", [:], Apple.change("start") + String(repeating: " ", count: 5121)),
        ("413 PayloadTooLarge", [:], Apple.change() + String(repeating: " ", count: 5121)),
    ]

    @Test("of two things wrong, the earlier check names its own", arguments: flaws.indices)
    func order(index: Int) async throws {
        let (apple, channel) = try await Self.apple()
        let first = Self.flaws[index]
        let alone = await apple.broadcast(to: channel, first.body ?? Apple.change(), first.headers)
        #expect(alone.outcome == first.outcome)
        for second in Self.flaws[(index + 1)...] {
            let headers = second.headers.merging(first.headers) { $1 }
            let answer = await apple.broadcast(to: channel, first.body ?? second.body ?? Apple.change(), headers)
            #expect(answer.outcome == first.outcome, "\(first.outcome) before \(second.outcome)")
        }
        #expect(await apple.simulator.broadcastCount == 0)
        #expect(await apple.broadcast(to: channel).outcome == "200")
    }

    /// The outcomes of broadcasts with one change.
    private static let changes: [(outcome: String, headers: [String: String?], body: String)] =
        ["-1", "x"].map { ("400 BadExpirationDate", ["apns-expiration": $0], Apple.change()) }
        + ["1", "5"].map { ("200", ["apns-priority": $0], Apple.change()) }
        + [Apple.change("start"), "x", "{}", #"{"aps":{}}"#].map { ("400 BadRequestPayload", [:], $0) } + [
            ("200", [:], Apple.change("end")), ("200", ["apns-expiration": "1795165300"], Apple.change()),
            ("400 BadPriority", ["apns-priority": nil], Apple.change()),
            ("400 InvalidPushType", ["apns-push-type": "alert"], Apple.change()),
            ("403 InvalidProviderToken", ["authorization": "bearer a.b.c"], Apple.change()),
        ]

    @Test("a payload is an update or an end; header fields have their values", arguments: changes)
    func change(outcome: String, headers: [String: String?], body: String) async throws {
        let (apple, channel) = try await Self.apple()
        #expect(await apple.broadcast(to: channel, body, headers).outcome == outcome)
    }

    @Test("a deleted channel is not registered, one of another app was never made, and one may store nothing")
    func channels() async throws {
        let (apple, channel) = try await Self.apple()
        let foreign = try await apple.makeChannel(app: Apple.cafe)
        let plain = try await apple.makeChannel(policy: 0)
        let later: [String: String?] = ["apns-expiration": "1795168800"]
        #expect(await apple.broadcast(to: channel, Apple.change(), later).outcome == "200")
        #expect(await apple.broadcast(to: plain, Apple.change(), later).outcome == "400 BadExpirationDate")
        #expect(await apple.broadcast(to: plain).outcome == "200")
        #expect(await apple.channels(.delete, id: channel).status == 204)
        #expect(await apple.broadcast(to: channel).outcome == "400 ChannelNotRegistered")
        #expect(await apple.broadcast(to: foreign).outcome == "400 BadChannelId")
        #expect(await apple.broadcast(to: foreign, app: Apple.cafe).outcome == "200")
    }

    @Test("capitals, a missing priority, the log's id and a rate are settings")
    func switches() async throws {
        let (apple, channel) = try await Self.apple {
            ($0.ignoresPushTypeCase, $0.needsBroadcastPriority, $0.identifiesBroadcasts) = (true, false, false)
            $0.broadcastsPerMinute = 1
        }
        let fields: [String: String?] = ["apns-push-type": "Liveactivity", "apns-priority": nil]
        let answer = await apple.broadcast(to: channel, Apple.change(), fields)
        #expect(answer.status == 200 && answer.header("apns-unique-id") == nil)
        #expect(await apple.broadcast(to: channel).outcome == "429 TooManyRequests")
        apple.pass(60)
        #expect(await apple.broadcast(to: channel).outcome == "200")
    }

    @Test("a broadcast reaches the activities that follow its channel, until their end")
    func delivery() async throws {
        let (apple, channel) = try await Self.apple()
        await Self.start(apple, on: channel)
        try await Self.start(apple, on: apple.makeChannel(), type: "Other")
        await apple.simulator.follow(channel, of: Apple.shop, on: Apple.tablet, as: "own")
        let answer = await apple.broadcast(to: channel)
        #expect(await Self.activities(apple).last == Change(id: "Game", event: .update, content: ["eta": 1]))
        #expect(await Self.activities(apple, Apple.tablet).map(\.id) == ["own"])
        let id = try #require(answer.header("apns-request-id"))
        #expect(await apple.simulator.receivers(of: id) == [Apple.tablet, Apple.phone].sorted())
        for event in ["end", "update"] {
            #expect(await apple.broadcast(to: channel, Apple.change(event)).outcome == "200")
        }
        #expect(await Self.activities(apple).map(\.event) == [.start, .start, .update, .end])
        #expect(await Self.activities(apple, Apple.tablet).map(\.event) == [.update, .end])
    }

    @Test("a start with a channel that does not exist follows none, and devices ignore a change without a timestamp")
    func unheard() async throws {
        let (apple, channel) = try await Self.apple()
        await Self.start(apple, on: "AAAA")
        #expect(await apple.broadcast(to: channel).outcome == "200")
        await Self.start(apple, on: channel)
        let body = #"{"aps":{"event":"update","content-state":{}}}"#
        #expect(await apple.broadcast(to: channel, body).outcome == "200")
        #expect(await Self.activities(apple).map(\.event) == [.start, .start])
    }
}
