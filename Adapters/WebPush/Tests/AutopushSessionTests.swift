import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing
import WebPushSimulator

/// Frames of a browser in, frames of the service out. The tests hold the keys, as a browser does.
@Suite("Autopush sessions")
struct AutopushSessionTests {
    typealias World = SimulatedWebPush

    /// A browser of the tests' own.
    private final class Browser: Sendable {
        static let channel = "0f8fad5b-d9cb-469f-a165-70867728950e"
        let world: World
        let session: AutopushSession
        private let heard: Locked<[AutopushSession.Output]>

        init(_ world: World) async {
            let heard = Locked<[AutopushSession.Output]>([])
            (self.world, self.heard) = (world, heard)
            session = await world.simulator.openSession(at: world.now) { output in heard.withLock { $0.append(output) }
            }
        }

        /// Says a frame, and returns what came back since the last.
        @discardableResult
        func say(_ text: String) async -> [AutopushSession.Output] {
            await session.receive(text, at: world.now)
            return news()
        }

        func news() -> [AutopushSession.Output] {
            heard.withLock { heard in
                defer { heard = [] }
                return heard
            }
        }

        /// What came since the last, as JSON.
        func frames() -> [JSONValue] { Self.json(news()) }

        static func json(_ outputs: [AutopushSession.Output]) -> [JSONValue] {
            outputs.compactMap { output in
                if case .text(let text) = output { try? JSONValue(parsing: Array(text.utf8)) } else { nil }
            }
        }

        func hello(_ agent: String? = nil) async -> [JSONValue] {
            let known = agent.map { #","uaid":"\#($0)""# } ?? ""
            return Self.json(
                await say(#"{"messageType":"hello","broadcasts":{},"use_webpush":true\#(known)}"#))
        }

        func register(_ channel: String = channel, key: String?) async -> JSONValue? {
            let key = key.map { #","key":"\#($0)""# } ?? ""
            return Self.json(
                await say(#"{"messageType":"register","channelID":"\#(channel)"\#(key)}"#)
            ).first
        }

        @discardableResult
        func acknowledge(_ version: String, code: Int = 100) async -> [AutopushSession.Output] {
            await say(
                #"{"messageType":"ack","updates":[{"channelID":"\#(Self.channel)","#
                    + #""version":"\#(version)","code":\#(code)}]}"#
            )
        }
    }

    private func connected(
        _ profile: WebPushProfile = .mozilla
    ) async throws -> (world: World, browser: Browser, agent: String, endpoint: String) {
        let world = try await World(profile)
        let browser = await Browser(world)
        let agent = try #require(await browser.hello().first?["uaid"]?.stringValue)
        let endpoint = try #require(await browser.register(key: key(world))?["pushEndpoint"]?.stringValue)
        return (world, browser, agent, endpoint)
    }

    /// The server's key as Firefox sends it: base64url with padding.
    private func key(_ world: World) -> String {
        Data(world.subscription.applicationServerKey ?? []).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_")
    }

    /// A push to an endpoint of a browser, encrypted for keys that the service does not know.
    private func push(_ world: World, to endpoint: String, ttl: String = "60") async throws -> String {
        let answer = try await world.send { push in
            push.target = String(endpoint.dropFirst(InProcessTransport.origin.count))
            push["ttl"] = ttl
        }
        #expect(answer.status == 201)
        return try #require(answer.message.map { String($0.dropFirst(3)) })
    }

    @Test("hello gives a new browser an id, and keeps the id of a known one")
    func hello() async throws {
        let (world, browser, agent, _) = try await connected()
        #expect(agent.count == 32 && agent.allSatisfy(\.isHexDigit))
        #expect(await world.simulator.browsers == [agent])
        await browser.session.close(at: world.now)
        let second = await Browser(world)
        let frame = await second.hello(agent).first
        #expect(frame?["messageType"] == "hello" && frame?["uaid"]?.stringValue == agent && frame?["status"] == 200)
        #expect(frame?["use_webpush"] == true)
        let third = await Browser(world)
        let other = try #require(await third.hello("00000000000000000000000000000000").first?["uaid"]?.stringValue)
        #expect(other != agent && other != "00000000000000000000000000000000")
    }

    @Test("a channel is a subscription, and the same channel with the same key keeps its endpoint")
    func registration() async throws {
        let (world, browser, _, endpoint) = try await connected()
        #expect(endpoint.hasPrefix("\(InProcessTransport.origin)/wpush/v2/"))
        let again = await browser.register(key: key(world))
        #expect(again?["status"] == 200 && again?["channelID"]?.stringValue == Browser.channel)
        #expect(again?["pushEndpoint"]?.stringValue == endpoint)
        let open = await browser.register("1f8fad5b-d9cb-469f-a165-70867728950e", key: nil)
        #expect(open?["pushEndpoint"]?.stringValue?.contains("/wpush/v1/") == true)
        for (channel, key) in [
            (Browser.channel.uppercased(), key(world)), ("0f8fad5bd9cb469fa16570867728950e", key(world)),
            ("news", key(world)), ("2f8fad5b-d9cb-469f-a165-70867728950e", "AAAA"),
        ] {
            let refused = await browser.register(channel, key: key)
            #expect(refused?["status"] == 400 && refused?["pushEndpoint"] == nil)
        }
    }

    @Test("a push comes out as a notification with the body as it was sent")
    func notification() async throws {
        let (world, browser, _, endpoint) = try await connected()
        let id = try await push(world, to: endpoint)
        let frame = try #require(browser.frames().first)
        #expect(frame["messageType"] == "notification" && frame["channelID"]?.stringValue == Browser.channel)
        #expect(frame["version"]?.stringValue == id && frame["headers"]?["encoding"] == "aes128gcm")
        let data = try #require(frame["data"]?.stringValue).replacing("=", with: "")
        #expect(try #require(Base64URL.decode(data)).count == 103 + World.text.count)
        #expect(await world.simulator.reports.isEmpty)
        for code in [100, 101, 102] { await browser.acknowledge(id, code: code) }
        #expect(await world.codes() == [100, 101, 102])
        #expect(await world.simulator.reports.allSatisfy { $0.endpoint == endpoint && $0.messageID == id })
        await browser.say(#"{"messageType":"nack","version":"\#(id)","code":302}"#)
        #expect(await world.codes().last == 302)
        #expect(await world.simulator.reports.last?.endpoint == endpoint)
    }

    @Test("a push without a body has no data, and the older encoding keeps its fields")
    func bodies() async throws {
        let (world, browser, _, endpoint) = try await connected()
        let target = String(endpoint.dropFirst(InProcessTransport.origin.count))
        _ = try await world.send { push in
            (push.target, push.body) = (target, [])
            push["content-encoding"] = nil
        }
        let empty = try #require(browser.frames().first)
        #expect(empty["data"] == nil && empty["headers"] == nil)
        _ = try await world.send { push in
            push.target = target
            push["content-encoding"] = "aesgcm"
            push["encryption"] = "salt=abc"
            push["crypto-key"] = "dh=def"
        }
        let old = try #require(browser.frames().first?["headers"])
        #expect(old == ["encoding": "aesgcm", "encryption": "salt=abc", "crypto_key": "dh=def"])
    }

    @Test("messages wait while the browser is away, and come again until they are acknowledged")
    func storage() async throws {
        let (world, browser, agent, endpoint) = try await connected()
        let seen = try await push(world, to: endpoint)
        await browser.session.close(at: world.now)
        _ = try await push(world, to: endpoint, ttl: "0")
        let missed = try await push(world, to: endpoint)
        let second = await Browser(world)
        #expect(await second.hello(agent).compactMap { $0["version"]?.stringValue } == [seen, missed])
        await second.acknowledge(seen)
        await second.session.close(at: world.now)
        let third = await Browser(world)
        #expect(await third.hello(agent).compactMap { $0["version"]?.stringValue } == [missed])
        await third.acknowledge(missed)
        await third.session.close(at: world.now)
        let fourth = await Browser(world)
        #expect(await fourth.hello(agent).count == 1)
    }

    @Test("stored messages come by tens, the next ones after the acknowledgments")
    func batches() async throws {
        let (world, browser, agent, endpoint) = try await connected()
        await browser.session.close(at: world.now)
        var ids: [String] = []
        for _ in 0..<12 { ids.append(try await push(world, to: endpoint)) }
        let second = await Browser(world)
        #expect(await second.hello(agent).dropFirst().map { $0["version"]?.stringValue } == ids.prefix(10).map { $0 })
        for id in ids.prefix(9) { #expect(await second.acknowledge(id).isEmpty) }
        let rest = Browser.json(await second.acknowledge(ids[9]))
        #expect(rest.map { $0["version"]?.stringValue } == ids.suffix(2).map { $0 })
    }

    @Test("unregister ends the subscription")
    func unregistration() async throws {
        let (world, browser, _, endpoint) = try await connected()
        let frame = Browser.json(
            await browser.say(#"{"messageType":"unregister","channelID":"\#(Browser.channel)","code":201}"#)
        ).first
        #expect(frame?["messageType"] == "unregister" && frame?["status"] == 200)
        #expect(frame?["channelID"]?.stringValue == Browser.channel)
        let target = String(endpoint.dropFirst(InProcessTransport.origin.count))
        #expect(try await world.send { $0.target = target }.status == 410)
    }

    @Test("more than 150 stored messages, and 60 days away, cost the browser its id and its subscriptions")
    func resets() async throws {
        for (count, days) in [(151, 0.0), (1, 61)] {
            let (world, browser, agent, endpoint) = try await connected()
            await browser.session.close(at: world.now)
            for _ in 0..<count { _ = try await push(world, to: endpoint, ttl: "2592000") }
            world.pass(days * 86_400)
            let second = await Browser(world)
            let frames = await second.hello(agent)
            #expect(frames.count == 1 && frames.first?["uaid"]?.stringValue?.isEmpty == false)
            #expect(frames.first?["uaid"]?.stringValue != agent)
            let target = String(endpoint.dropFirst(InProcessTransport.origin.count))
            #expect(try await world.send { $0.target = target }.status == 410)
        }
    }

    @Test("a ping is answered, and a second one within 45 seconds ends the session")
    func pings() async throws {
        let (world, browser, _, _) = try await connected()
        #expect(await browser.say("{}") == [.text("{}")])
        world.pass(45)
        #expect(await browser.say("{}") == [.text("{}")])
        world.pass(44)
        #expect(await browser.say("{}") == [.close(code: 4774)])
        #expect(await browser.say("{}").isEmpty)
    }

    @Test("a broadcast is told to a browser that has another version of it")
    func broadcasts() async throws {
        let simulator = WebPushSimulator(broadcasts: ["remote/1": "v2"])
        let heard = Locked<[AutopushSession.Output]>([])
        let now = Date(timeIntervalSince1970: 1_795_132_800)
        let session = await simulator.openSession(at: now) { output in heard.withLock { $0.append(output) } }
        func say(_ text: String) async -> [JSONValue] {
            heard.withLock { $0 = [] }
            await session.receive(text, at: now)
            return Browser.json(heard.withLock { $0 })
        }
        let hello = await say(#"{"messageType":"hello","broadcasts":{"remote/1":"v1"},"use_webpush":true}"#).first
        #expect(hello?["broadcasts"] == ["remote/1": "v2"])
        let news = await say(#"{"messageType":"broadcast_subscribe","broadcasts":{"remote/1":"v1","other":"v1"}}"#)
            .first
        #expect(news == ["messageType": "broadcast", "broadcasts": ["remote/1": "v2"]])
        #expect(await say(#"{"messageType":"broadcast_subscribe","broadcasts":{"remote/1":"v2"}}"#).isEmpty)
    }

    @Test(
        "anything out of order ends the session",
        arguments: [#"{"messageType":"register","channelID":"x"}"#, "{}", "[]", "text", #"{"messageType":"dance"}"#])
    func disorder(text: String) async throws {
        let world = try await World(.mozilla)
        let browser = await Browser(world)
        #expect(await browser.say(text) == [.close(code: 1002)])
        #expect(await browser.say(#"{"messageType":"hello"}"#).isEmpty)
        let twice = await Browser(world)
        _ = await twice.hello()
        #expect(await twice.say(#"{"messageType":"hello"}"#) == [.close(code: 1002)])
    }

    @Test("a session without hello ends after five seconds, and a newer session replaces an older one")
    func sessions() async throws {
        let (world, browser, agent, _) = try await connected()
        let silent = await Browser(world)
        world.pass(4)
        await world.simulator.settle(at: world.now)
        #expect(silent.news().isEmpty)
        world.pass(1)
        await world.simulator.settle(at: world.now)
        #expect(silent.news() == [.close(code: 1002)])
        let second = await Browser(world)
        _ = await second.hello(agent)
        #expect(browser.news() == [.close(code: 1000)])
        await browser.session.close(at: world.now)
        await world.simulator.endSessions(code: 4774, at: world.now)
        #expect(second.news() == [.close(code: 4774)])
    }
}
