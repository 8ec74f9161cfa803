import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// Channel management.
@Suite("APNs simulator: channels")
struct APNsSimulatorChannelTests {
    @Test("a channel is created, read, listed and deleted, and known to its app only")
    func life() async throws {
        let apple = try Apple()
        let created = await apple.channels(.post, Apple.channel, ["apns-request-id": Apple.uuid])
        #expect(created.status == 201 && created.body.isEmpty && created.id == nil)
        #expect(created.header("apns-request-id") == Apple.uuid)
        let first = try #require(created.header("apns-channel-id"))
        #expect(Data(base64Encoded: first)?.count == 16 && first.count == 24)
        let second = try await apple.makeChannel()
        #expect(first != second)
        let read = await apple.channels(.get, id: first)
        #expect(read.status == 200 && read.json == ["message-storage-policy": 1, "push-type": "LiveActivity"])
        #expect(read.header("apns-request-id")?.count == 36)
        #expect(await apple.channels(.get, id: first, app: Apple.cafe).outcome == "400 BadChannelId")
        #expect(await apple.list().json == ["channels": [.string(first), .string(second)]])
        let deleted = await apple.channels(.delete, id: first)
        #expect(deleted.status == 204 && deleted.body.isEmpty)
        #expect(await apple.simulator.channels(of: Apple.shop) == [second])
        #expect(await apple.channels(.get, id: first).outcome == "400 ChannelNotRegistered")
        #expect(await apple.list(Apple.cafe).json == ["channels": []])
        let other = try await apple.makeChannel(app: Apple.cafe)
        #expect(await apple.channels(.get, id: other, app: Apple.cafe).status == 200)
    }

    /// The outcomes of a deletion as observed, and as documented.
    private static let strangers: [(id: String?, read: String, deleted: String, documented: String)] = [
        (nil, "400 MissingChannelId", "400 MissingChannelId", "400 MissingChannelId"),
        ("bXktY2hhbm5lbC1pZC0xMg==", "400 BadChannelId", "404 BadPath", "400 BadChannelId"),
        ("x", "400 BadChannelId", "404 BadPath", "400 BadChannelId"),
        ("AAAA", "400 BadChannelId", "404 BadPath", "400 BadChannelId"),
        ("deleted", "400 ChannelNotRegistered", "404 BadPath", "400 ChannelNotRegistered"),
    ]

    @Test("reading and deleting need an id; Apple knows which ones it made", arguments: strangers)
    func ids(id: String?, read: String, deleted: String, documented: String) async throws {
        for isObserved in [true, false] {
            let apple = try Apple(settings: { $0.answersUnknownDeleteWithPath = isObserved })
            let gone = try await apple.makeChannel()
            #expect(await apple.channels(.delete, id: gone).outcome == "204")
            let id = id == "deleted" ? gone : id
            #expect(await apple.channels(.get, id: id).outcome == read)
            #expect(await apple.channels(.delete, id: id).outcome == (isObserved ? deleted : documented))
        }
    }

    private static func type(_ type: String, _ rest: String = "") -> String { #"{"push-type":"\#(type)"\#(rest)}"# }

    private static let lenient: @Sendable (inout APNsSimulatorSettings) -> Void = {
        ($0.createStatus, $0.namesBadPolicyParams, $0.ignoresPushTypeCase) = (200, true, true)
    }

    /// The outcomes with the usual settings, and with others for the status, a reason and capitals.
    private static let creations: [(body: String, usual: String, lenient: String?)] = [
        ("", "400 PayloadEmpty", nil), ("x", "400 BadRequestPayload", nil), ("[]", "400 BadRequestPayload", nil),
        ("{}", "400 MissingPushType", nil), (type("LiveActivity"), "400 BadRequestPayload", nil),
        (type("liveactivity", #","message-storage-policy":1"#), "400 InvalidPushType", "200"),
        (type("alert", #","message-storage-policy":1"#), "400 InvalidPushType", nil),
        (type("LiveActivity", #","message-storage-policy":"1""#), "400 BadRequestPayload", nil),
        (type("LiveActivity", #","message-storage-policy":2"#), "400 BadRequestPayload", "400 BadRequestParams"),
        (type("LiveActivity", #","message-storage-policy":-1"#), "400 BadRequestPayload", "400 BadRequestParams"),
        (type("LiveActivity", #","message-storage-policy":0"#), "201", "200"),
        (Apple.channel + String(repeating: " ", count: 5120 - Apple.channel.utf8.count), "201", "200"),
        (Apple.channel + String(repeating: " ", count: 5121 - Apple.channel.utf8.count), "413 PayloadTooLarge", nil),
    ]

    @Test("a new channel needs a type and a storage policy, and has up to 5,120 bytes", arguments: creations)
    func bodies(body: String, usual: String, lenient: String?) async throws {
        for (outcome, edit) in [(usual, { _ in }), (lenient ?? usual, Self.lenient)] {
            let apple = try Apple(settings: edit)
            #expect(await apple.channels(.post, body).outcome == outcome)
            #expect(await apple.simulator.channels(of: Apple.shop).count == (outcome.hasPrefix("20") ? 1 : 0))
        }
    }

    @Test("an app has up to 10,000 channels")
    func limits() async throws {
        let apple = try Apple(settings: { $0.channelLimit = 1 })
        #expect(APNsSimulatorSettings().channelLimit == 10_000)
        let channel = try await apple.makeChannel()
        #expect(await apple.channels(.post, Apple.channel).outcome == "400 CannotCreateChannelConfig")
        #expect(await apple.channels(.post, Apple.channel, app: Apple.cafe).outcome == "201")
        #expect(await apple.channels(.delete, id: channel).outcome == "204")
        #expect(await apple.channels(.post, Apple.channel).outcome == "201")
    }

    @Test("an app needs the capability, and loses its channels with it", arguments: [false, true])
    func capability(isDocumented: Bool) async throws {
        let apple = try Apple(
            apps: { $0[2].hasBroadcasts = false }, settings: { $0.namesDocumentedFeatureReason = isDocumented })
        let outcome = "400 " + (isDocumented ? "FeatureNotEnabled" : "BroadcastFeatureNotEnabled")
        for (method, end) in [(HTTPRequest.Method.post, "channels"), (.get, "channels"), (.get, "all-channels")] {
            #expect(await apple.channels(method, Apple.channel, app: Apple.cafe, end: end).outcome == outcome)
        }
        let channel = try await apple.makeChannel()
        await apple.simulator.setBroadcasts(isEnabled: false, of: Apple.shop)
        #expect(await apple.channels(.get, id: channel).outcome == outcome)
        await apple.simulator.setBroadcasts(isEnabled: true, of: Apple.shop)
        #expect(await apple.channels(.get, id: channel).outcome == "400 ChannelNotRegistered")
    }

    @Test("the app in the path is one of the credential's")
    func apps() async throws {
        let apple = try Apple(signers: { $0[0].topics = [Apple.shop] })
        for app in [Apple.cafe, Apple.bank, "com.example.none", Apple.shop + ".voip"] {
            #expect(await apple.list(app).outcome == "403 TopicMismatch")
        }
        #expect(await apple.list().outcome == "200")
    }

    @Test(
        "paths and methods",
        arguments: [
            (HTTPRequest.Method.put, "/1/apps/a/channels", 405), (.post, "/1/apps/a/all-channels", 405),
            (.get, "/1/apps/a", 404), (.get, "/1/apps/a/channels/x", 404), (.get, "/1/apps//channels", 404),
            (.get, "/1/app/a/channels", 404), (.get, "/1/apps/%zz/channels", 404), (.get, "/1/apps/a/channels", 403),
            (.get, "/4/broadcasts/apps/a", 405), (.post, "/4/broadcasts/apps", 404),
            (.post, "/4/broadcasts/apps/a/b", 404), (.post, "/4/broadcasts/apps/a", 403),
        ])
    func paths(method: HTTPRequest.Method, path: String, status: Int) async throws {
        let answer = try await Apple().ask(method, path)
        let reasons = [405: "MethodNotAllowed", 404: "BadPath", 403: "MissingProviderToken"]
        #expect(answer.status == status && answer.reason == reasons[status])
        #expect(answer.header("apns-request-id")?.count == 36)
    }

    @Test("the id of a request is a UUID, which is checked before the capability and after the app")
    func requestIDs() async throws {
        let apple = try Apple(apps: { $0[0].hasBroadcasts = false })
        for (app, outcome) in [(Apple.shop, "400 BadMessageId"), (Apple.bank, "403 TopicMismatch")] {
            let answer = await apple.channels(.get, app: app, end: "all-channels", ["apns-request-id": "1"])
            #expect(answer.outcome == outcome && answer.header("apns-request-id")?.count == 36)
        }
    }
}
