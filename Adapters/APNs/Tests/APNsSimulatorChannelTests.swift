import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// Channel management.
@Suite("APNs simulator: channels")
struct APNsSimulatorChannelTests {
    private typealias Apple = SimulatedApple
    private static let create = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#

    private static func ask(
        _ apple: Apple, _ method: HTTPRequest.Method, _ body: String = "", channel: String? = nil,
        app: String = SimulatedApple.shop, end: String = "channels", headers: [(String, String)] = []
    ) async -> Apple.Answer {
        var all = [("authorization", "bearer " + apple.bearer)] + headers
        if let channel { all.append(("apns-channel-id", channel)) }
        return await apple.ask(method, "/1/apps/\(app)/\(end)", all, body)
    }

    private static func make(_ apple: Apple, app: String = SimulatedApple.shop) async throws -> String {
        let answer = await ask(apple, .post, create, app: app)
        #expect(answer.status == 201)
        return try #require(answer.header("apns-channel-id"))
    }

    // MARK: Life of a channel

    @Test("a channel is created, read, listed and deleted")
    func life() async throws {
        let apple = try Apple()
        let created = await Self.ask(apple, .post, Self.create, headers: [("apns-request-id", Apple.uuid)])
        #expect(created.status == 201)
        #expect(created.body.isEmpty)
        #expect(created.header("apns-request-id") == Apple.uuid)
        #expect(created.id == nil)
        let first = try #require(created.header("apns-channel-id"))
        #expect(Data(base64Encoded: first)?.count == 16)
        #expect(first.count == 24)
        let second = try await Self.make(apple)
        #expect(first != second)
        let read = await Self.ask(apple, .get, channel: first)
        #expect(read.status == 200)
        #expect(read.json == ["message-storage-policy": 1, "push-type": "LiveActivity"])
        #expect(read.header("apns-request-id")?.count == 36)
        let listed = await Self.ask(apple, .get, end: "all-channels")
        #expect(listed.json == ["channels": [.string(first), .string(second)]])
        let deleted = await Self.ask(apple, .delete, channel: first)
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(await apple.simulator.channels(of: Apple.shop) == [second])
        #expect(await Self.ask(apple, .get, channel: first).reason == "ChannelNotRegistered")
        let none = await Self.ask(apple, .get, app: Apple.cafe, end: "all-channels")
        #expect(none.json == ["channels": []])
    }

    @Test("a channel is known to its app only")
    func otherApp() async throws {
        let apple = try Apple()
        let channel = try await Self.make(apple, app: Apple.cafe)
        #expect(await Self.ask(apple, .get, channel: channel, app: Apple.cafe).status == 200)
        #expect(await Self.ask(apple, .get, channel: channel).reason == "BadChannelId")
    }

    @Test("reading and deleting need an id; Apple knows which ones it made")
    func ids() async throws {
        let apple = try Apple()
        let made = "bXktY2hhbm5lbC1pZC0xMg=="
        for method in [HTTPRequest.Method.get, .delete] {
            #expect(await Self.ask(apple, method).reason == "MissingChannelId")
        }
        for id in [made, "x", "AAAA"] {
            let read = await Self.ask(apple, .get, channel: id)
            #expect(read.status == 400)
            #expect(read.reason == "BadChannelId")
            let deleted = await Self.ask(apple, .delete, channel: id)
            #expect(deleted.status == 404)
            #expect(deleted.reason == "BadPath")
        }
    }

    @Test("the deletion of a missing channel may be refused as documented")
    func documentedDelete() async throws {
        let apple = try Apple { _, _, settings in settings.answersUnknownDeleteWithPath = false }
        let channel = try await Self.make(apple)
        #expect(await Self.ask(apple, .delete, channel: channel).status == 204)
        #expect(await Self.ask(apple, .delete, channel: channel).reason == "ChannelNotRegistered")
        #expect(await Self.ask(apple, .delete, channel: "x").reason == "BadChannelId")
    }

    // MARK: Creation

    @Test(
        "a new channel needs a type and a storage policy",
        arguments: [
            ("", "PayloadEmpty"), ("x", "BadRequestPayload"), ("[]", "BadRequestPayload"), ("{}", "MissingPushType"),
            (#"{"push-type":"LiveActivity"}"#, "BadRequestPayload"),
            (#"{"push-type":"liveactivity","message-storage-policy":1}"#, "InvalidPushType"),
            (#"{"push-type":"alert","message-storage-policy":1}"#, "InvalidPushType"),
            (#"{"push-type":"LiveActivity","message-storage-policy":"1"}"#, "BadRequestPayload"),
            (#"{"push-type":"LiveActivity","message-storage-policy":2}"#, "BadRequestPayload"),
            (#"{"push-type":"LiveActivity","message-storage-policy":-1}"#, "BadRequestPayload"),
            (#"{"push-type":"LiveActivity","message-storage-policy":0}"#, nil),
        ] as [(String, String?)])
    func bodies(body: String, reason: String?) async throws {
        let apple = try Apple()
        let answer = await Self.ask(apple, .post, body)
        #expect(answer.status == (reason == nil ? 201 : 400))
        #expect(answer.reason == reason)
        #expect(await apple.simulator.channels(of: Apple.shop).count == (reason == nil ? 1 : 0))
    }

    @Test("a new channel has up to 5,120 bytes, and an app up to 10,000 channels")
    func limits() async throws {
        let apple = try Apple { _, _, settings in settings.channelLimit = 2 }
        #expect(APNsSimulatorSettings().channelLimit == 10_000)
        let blanks = String(repeating: " ", count: 5121 - Self.create.utf8.count)
        let large = await Self.ask(apple, .post, Self.create + blanks)
        #expect(large.status == 413)
        #expect(large.reason == "PayloadTooLarge")
        #expect(await Self.ask(apple, .post, Self.create + String(blanks.dropLast())).status == 201)
        let channel = try await Self.make(apple)
        let full = await Self.ask(apple, .post, Self.create)
        #expect(full.status == 400)
        #expect(full.reason == "CannotCreateChannelConfig")
        #expect(await Self.ask(apple, .post, Self.create, app: Apple.cafe).status == 201)
        #expect(await Self.ask(apple, .delete, channel: channel).status == 204)
        #expect(await Self.ask(apple, .post, Self.create).status == 201)
    }

    @Test("status, reason and capitals are settings")
    func switches() async throws {
        let apple = try Apple { _, _, settings in
            settings.createStatus = 200
            settings.namesBadPolicyParams = true
            settings.ignoresPushTypeCase = true
        }
        let small = #"{"push-type":"liveactivity","message-storage-policy":0}"#
        #expect(await Self.ask(apple, .post, small).status == 200)
        let policy = await Self.ask(apple, .post, small.replacing(":0}", with: ":7}"))
        #expect(policy.status == 400)
        #expect(policy.reason == "BadRequestParams")
    }

    // MARK: Access

    @Test("an app needs the capability, and loses its channels with it", arguments: [false, true])
    func capability(isDocumented: Bool) async throws {
        let apple = try Apple { apps, _, settings in
            apps[2].hasBroadcasts = false
            settings.namesDocumentedFeatureReason = isDocumented
        }
        let reason = isDocumented ? "FeatureNotEnabled" : "BroadcastFeatureNotEnabled"
        for (method, end) in [(HTTPRequest.Method.post, "channels"), (.get, "channels"), (.get, "all-channels")] {
            let answer = await Self.ask(apple, method, Self.create, app: Apple.cafe, end: end)
            #expect(answer.status == 400)
            #expect(answer.reason == reason)
        }
        let channel = try await Self.make(apple)
        await apple.simulator.setBroadcasts(isEnabled: false, of: Apple.shop)
        #expect(await Self.ask(apple, .get, channel: channel).reason == reason)
        await apple.simulator.setBroadcasts(isEnabled: true, of: Apple.shop)
        #expect(await Self.ask(apple, .get, channel: channel).reason == "ChannelNotRegistered")
    }

    @Test("the app in the path is one of the credential's")
    func apps() async throws {
        let apple = try Apple { _, signers, _ in signers[0].topics = [Apple.shop] }
        for app in [Apple.cafe, Apple.bank, "com.example.none", Apple.shop + ".voip"] {
            let answer = await Self.ask(apple, .get, app: app, end: "all-channels")
            #expect(answer.status == 403)
            #expect(answer.reason == "TopicMismatch")
        }
        #expect(await Self.ask(apple, .get, end: "all-channels").status == 200)
    }

    @Test("an app that came after the connection was bound is not allowed")
    func newApp() async throws {
        let apple = try Apple()
        let (connection, _) = await apple.open()
        #expect(await apple.send(over: connection).status == 200)
        await apple.simulator.add(APNsApp(bundleID: "com.example.new", teamID: Apple.team))
        let headers = [("authorization", "bearer " + apple.bearer)]
        let path = "/1/apps/com.example.new/all-channels"
        #expect(await apple.ask(.get, path, headers, over: connection).reason == "TopicDisallowed")
        #expect(await apple.ask(.get, path, headers).status == 200)
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
        #expect(answer.status == status)
        #expect(answer.reason == [405: "MethodNotAllowed", 404: "BadPath", 403: "MissingProviderToken"][status])
        #expect(answer.header("apns-request-id")?.count == 36)
    }

    @Test("the id of a request is a UUID, which is checked before the capability")
    func requestIDs() async throws {
        let apple = try Apple { apps, _, _ in apps[0].hasBroadcasts = false }
        let answer = await Self.ask(apple, .get, end: "all-channels", headers: [("apns-request-id", "1")])
        #expect(answer.reason == "BadMessageId")
        #expect(answer.header("apns-request-id")?.count == 36)
        let mismatch = await Self.ask(apple, .get, app: Apple.bank, headers: [("apns-request-id", "1")])
        #expect(mismatch.reason == "TopicMismatch")
    }
}
