import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing
import WebPushSimulator

/// What browsers get, and what the service keeps for them.
@Suite("Web Push simulator: browsers and storage")
struct WebPushSimulatorBrowserTests {
    typealias World = SimulatedWebPush

    private func inbox(_ text: String) async throws -> DeliveredMessage? {
        let world = try await World(.mozilla)
        #expect(try await world.send(world.push(Array(text.utf8))).status == 201)
        #expect(await world.codes() == [100])
        return await world.simulator.inbox(of: World.phone.id).first
    }

    @Test("a declarative message is shown with its parts")
    func declarative() async throws {
        let message = try #require(
            try await inbox(
                #"{"web_push":8030,"notification":{"title":"Ferry","navigate":"https://port.example/7","#
                    + #""body":"Gate 3","tag":"f7","#
                    + #""image":"https://port.example/7.png","data":{"n":7}},"mutable":true,"app_badge":4}"#
            )
        )
        #expect(message.title == "Ferry" && message.alert == "Gate 3" && message.tap == .link("https://port.example/7"))
        #expect(message.collapseID == "f7" && message.badge == 4 && message.isMutable && message.extras == ["n": 7])
        #expect(message.image == "https://port.example/7.png" && message.custom == nil && !message.wakesApp)
    }

    @Test("the page's worker shows a notification that is not declarative, and gives the page what is custom")
    func worker() async throws {
        let message = try #require(
            try await inbox(
                #"{"notification":{"body":"B"},"#
                    + #""custom":{"content":"c","title":"t","contentType":"x","extras":{"n":1}}}"#))
        #expect(message.title == nil && message.alert == "B" && message.tap == nil && message.collapseID == nil)
        #expect(
            message.custom == CustomMessage(content: "c", title: "t", contentType: "x", extras: ["n": 1]))
    }

    @Test(
        "any other text goes to the page whole",
        arguments: [
            "plain", "[]", #"{"notification":{"tag":"t"}}"#, #"{"notification":"T","custom":{"title":"t"}}"#,
        ])
    func other(text: String) async throws {
        let message = try #require(try await inbox(text))
        #expect(!message.isVisible && message.custom == CustomMessage(content: text))
    }

    @Test("an empty text only wakes the worker")
    func empty() async throws {
        let message = try #require(try await inbox(""))
        #expect(!message.isVisible && message.custom == nil && message.wakesApp)
    }

    @Test("S21: the service accepts what the browser cannot decrypt, and the browser reports 101")
    func undecryptable() async throws {
        let world = try await World(.rfc)
        let stranger = try BrowserSubscription.generate(at: InProcessTransport.origin, applicationServerKey: nil)
        let own = world.subscription
        #expect(try await world.send { $0.body = try World.encrypted(World.text, to: stranger) }.status == 201)
        #expect(try await world.send { $0.body[$0.body.count - 1] ^= 1 }.status == 201)
        #expect(try await world.send().status == 201)
        #expect(await world.codes() == [101, 101, 100])
        #expect(await world.shown().count == 1)
        #expect(await world.simulator.reports.map(\.endpoint) == [own.endpoint, own.endpoint, own.endpoint])
        let ntfy = try await World(.ntfy)
        let cut = try await ntfy.send { $0.body += [UInt8](repeating: 0, count: 4097 - $0.body.count) }
        #expect(cut.status == 200)
        #expect(await ntfy.codes() == [101])
    }

    @Test("S22: a salt or a sender's key that comes again is noted, and the same body again is not")
    func repeatedSecrets() async throws {
        let world = try await World(.mozilla)
        let push = try world.push()
        _ = try await world.send(push)
        _ = try await world.send(push)
        #expect(await world.simulator.repeatedSecrets.isEmpty)
        let other = try world.push()
        for range in [0..<16, 21..<86] {
            var body = other.body
            body.replaceSubrange(range, with: push.body[range])
            _ = try await world.send { $0.body = body }
        }
        let ids = await world.simulator.reports.map(\.messageID)
        #expect(await world.simulator.repeatedSecrets == Array(ids.suffix(2)))
    }

    @Test("the subscription is the browser's JSON, with keys as base64url without padding")
    func json() async throws {
        let world = try await World(.mozilla)
        let json = try JSONValue(parsing: Array(world.subscription.json.utf8))
        #expect(json["endpoint"]?.stringValue == world.subscription.endpoint && json["expirationTime"] == .null)
        #expect(Base64URL.decode(json["keys"]?["p256dh"]?.stringValue ?? "")?.count == 65)
        #expect(Base64URL.decode(json["keys"]?["auth"]?.stringValue ?? "")?.count == 16)
        let again = try await world.simulator.subscribe(
            World.phone, applicationServerKey: world.subscription.applicationServerKey, at: world.now)
        #expect(again == world.subscription)
        await #expect(throws: PushError.self) {
            try await world.simulator.subscribe(World.phone, applicationServerKey: nil, at: world.now)
        }
        await #expect(throws: PushError.self) {
            try await world.simulator.subscribe(VirtualDevice("t", "web"), applicationServerKey: [4, 5], at: world.now)
        }
    }

    @Test("endpoints have the paths of their service, and are compared byte for byte")
    func endpoints() async throws {
        let paths = ["/push/", "/wpush/v2/", "/fcm/send/", "/Q", "/w/?token=", "/up"]
        for (profile, path) in zip(WebPushProfile.all, paths) {
            let world = try await World(profile)
            #expect(world.subscription.endpoint.hasPrefix(InProcessTransport.origin + path))
        }
        let windows = try await World(.windows)
        let push = try windows.push()
        #expect(push.target.hasSuffix("%2fA%3d%3d"))
        for (old, new) in [("%2f", "%2F"), ("%2f", "/"), ("%3d", "=")] {
            #expect(try await windows.send { $0.target = push.target.replacing(old, with: new) }.status == 404)
        }
        #expect(try await windows.send(push).status == 201)
    }

    @Test("new keys under the same endpoint: what was encrypted for the old ones is lost")
    func renewedKeys() async throws {
        let world = try await World(.apple)
        let old = try world.push()
        let renewed = try #require(try await world.simulator.renewKeys(of: World.phone.id))
        #expect(renewed.endpoint == world.subscription.endpoint && renewed.p256dh != world.subscription.p256dh)
        #expect(try await world.send(old).status == 201)
        #expect(try await world.send(world.push(to: renewed)).status == 201)
        #expect(await world.codes() == [101, 100])
    }

    @Test("a refresh ends the old endpoint, and not the new one")
    func refresh() async throws {
        let world = try await World(.google)
        let renewed = try #require(try await world.simulator.refresh(World.phone.id, at: world.now))
        #expect(renewed.endpoint != world.subscription.endpoint)
        #expect(await world.simulator.subscription(of: World.phone.id) == renewed)
        #expect(try await world.send().status == 410)
        #expect(try await world.send(world.push(to: renewed)).status == 201)
    }

    // MARK: Storage

    @Test("messages wait for an offline browser until their life ends, and one with a life of 0 never waits")
    func lives() async throws {
        let world = try await World(.rfc)
        await world.setOnline(false)
        for ttl in ["0", "59", "60", "61"] { #expect(try await world.send { $0["ttl"] = ttl }.status == 201) }
        #expect(await world.simulator.storedMessages(of: World.phone.id).count == 3)
        world.pass(60)
        await world.setOnline(true)
        #expect(await world.shown().count == 1)
        #expect(await world.simulator.storedMessages(of: World.phone.id).isEmpty)
    }

    @Test("a topic replaces the stored message of its subscription, and nothing that was delivered")
    func topics() async throws {
        let world = try await World(.mozilla)
        _ = try await world.send { $0["topic"] = "a" }
        await world.setOnline(false)
        for topic in ["a", "b", "a"] { _ = try await world.send { $0["topic"] = topic } }
        _ = try await world.send()
        let stored = await world.simulator.storedMessages(of: World.phone.id)
        #expect(stored.count == 3)
        await world.setOnline(true)
        #expect(await world.shown().count == 4)
        #expect(await world.shown().suffix(3) == stored[...])
    }

    @Test("DELETE on the Location removes a stored message once, where the service has that")
    func deletion() async throws {
        let world = try await World(.mozilla)
        let delivered = try #require(try await world.send().message)
        #expect(await world.delete(delivered) == 404)
        await world.setOnline(false)
        let stored = try #require(try await world.send().message)
        #expect(await world.delete(stored) == 204)
        #expect(await world.delete(stored) == 404)
        await world.setOnline(true)
        #expect(await world.shown().count == 1)
        let google = try await World(.google)
        await google.setOnline(false)
        let kept = try #require(try await google.send().message)
        #expect(await google.delete(kept) == 404)
        await google.setOnline(true)
        #expect(await google.shown().count == 1)
    }

    @Test("more than 150 stored messages end Mozilla's subscription, and 150 do not")
    func backlog() async throws {
        for (count, shown, status) in [(150, 150, 201), (151, 0, 410)] {
            let world = try await World(.mozilla)
            await world.setOnline(false)
            for _ in 0..<count { #expect(try await world.send().status == 201) }
            await world.setOnline(true)
            #expect(await world.shown().count == shown)
            #expect(try await world.send().status == status)
        }
    }

    @Test("a browser that stays away too long loses its subscription")
    func absence() async throws {
        let cases: [(WebPushProfile, days: Double, status: Int)] = [
            (.mozilla, 60, 410), (.google, 270, 404), (.apple, 1000, 201),
        ]
        for (profile, days, status) in cases {
            let world = try await World(profile)
            world.pass(days * 86_400)
            #expect(try await world.send().status == 201)
            await world.setOnline(false)
            world.pass(days * 86_400)
            #expect(try await world.send().status == 201)
            world.pass(1)
            #expect(try await world.send().status == status)
        }
    }

    @Test("the origin is that of the server, for endpoints and audiences")
    func origin() async throws {
        let world = try await World(.mozilla)
        await world.simulator.setOrigin("https://localhost:8443")
        let tablet = VirtualDevice("tablet", "web")
        let subscription = try await world.simulator.subscribe(
            tablet, applicationServerKey: world.subscription.applicationServerKey, at: world.now)
        #expect(subscription.endpoint.hasPrefix("https://localhost:8443/wpush/v2/"))
        #expect(try await world.send().status == 401)
        #expect(try await world.send { $0.claims = ["aud": "https://localhost:8443"] }.status == 201)
    }

    @Test("an endpoint that exists from the start may be at an origin of its own, which is then the audience")
    func ownOrigins() async throws {
        let world = try await World(.mozilla)
        let key = world.subscription.applicationServerKey
        let browsers = try ["a", "b"].map { name in
            (
                device: VirtualDevice(name, "web"),
                subscription: try BrowserSubscription.generate(
                    at: "https://\(name).push.invalid", applicationServerKey: key)
            )
        }
        let simulator = WebPushSimulator(.mozilla, browsers: browsers)
        for (audience, statuses) in [("a", [201, 401]), ("b", [401, 201])] {
            for (browser, status) in zip(browsers, statuses) {
                let (_, subscription) = browser
                let target = String(subscription.endpoint.dropFirst("https://a.push.invalid".count))
                var headers: HTTPFields = [.contentEncoding: "aes128gcm"]
                headers[.authorization] = try world.authorization(["aud": .string("https://\(audience).push.invalid")])
                if let name = HTTPField.Name("TTL") { headers[name] = "60" }
                let body = try World.encrypted(World.text, to: subscription)
                let request = SimulatedRequest(
                    method: .post, path: target, query: "", headers: headers, body: body)
                #expect(await simulator.respond(to: request, at: world.now).status == status)
            }
        }
    }

    @Test("a request that came under another name has that as its audience")
    func otherName() async throws {
        let cases = [
            ("push.example", "https://push.example", 201), ("push.example", "https://push.example:8443", 201),
            ("push.example", "https://push.example:443", 401), ("push.example", "https://other.example", 401),
            ("push.example", "https://push.example:8443/", 401), ("push.example", InProcessTransport.origin, 201),
            ("simulator.invalid", "https://simulator.invalid:8443", 401),
            ("simulator.invalid", InProcessTransport.origin, 201),
        ]
        for (host, audience, status) in cases {
            let world = try await World(.mozilla)
            let answer = try await world.send { push in
                push.host = host
                push.claims = ["aud": .string(audience)]
            }
            #expect(answer.status == status, "\(audience) at \(host)")
        }
    }
}
