import FoundationEssentials
import PushAPNs
import PushAdapter
import Testing

@Suite("APNs channels")
struct ChannelCallTests {
    private static let channel = "bXktY2hhbm5lbC1pZC0x+/=="
    private static let update = LiveActivityUpdate(.update, content: ["eta": 9])
    private static let app = "/1/apps/com.example.shop"

    private func address(_ request: WireRequest, of apns: APNs) throws -> String {
        try apns.dataCenter.address(of: request.service) + request.target()
    }

    private func answer(_ status: Int, _ text: String = "", _ headers: [String: String] = [:]) -> WireResponse {
        WireResponse(status: status, headers: Shop.headers(headers), body: Array(text.utf8))
    }

    private func broadcast(
        _ update: LiveActivityUpdate = ChannelCallTests.update, life: Duration = .zero, priority: Int = 10,
        of apns: APNs? = nil
    ) throws -> Exchange<Void> {
        let apns = try apns ?? Shop.apns()
        return try apns.broadcast(update, to: Self.channel, at: Shop.now, life: life, priority: priority)
    }

    private let manager = "https://api-manage-broadcast.push.apple.com:2196" + ChannelCallTests.app

    // MARK: Channels

    @Test("a channel is made with its storage, and the response names it", arguments: [0, 1])
    func create(policy: Int) throws {
        let apns = try Shop.apns()
        let storage = try #require(APNsChannelStorage(rawValue: policy))
        let exchange = apns.createChannel(storing: storage)
        #expect(exchange.request.method == .post && exchange.idempotency == .unkeyed)
        #expect(try address(exchange.request, of: apns) == manager + "/channels")
        #expect(
            try Shop.body(of: exchange.request) == [
                "message-storage-policy": JSONValue(integerLiteral: policy), "push-type": "LiveActivity",
            ])
        #expect(exchange.request.headers.isEmpty)
        for status in [201, 200] {
            #expect(try exchange.decode(answer(status, "", ["apns-channel-id": Self.channel])) == Self.channel)
        }
        for response in [answer(201), answer(201, "", ["apns-channel-id": ""]), answer(200, "<html>")] {
            let error = #expect(throws: PushError.self) { try exchange.decode(response) }
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
    }

    @Test("a channel is read by its id, which stands in a header field")
    func read() throws {
        let apns = try Shop.apns()
        let exchange = apns.readChannel(Self.channel)
        #expect(exchange.request.method == .get && exchange.idempotency == .idempotent)
        #expect(try address(exchange.request, of: apns) == manager + "/channels")
        #expect(Shop.headers(of: exchange.request) == ["apns-channel-id": Self.channel])
        #expect(exchange.request.body == .none)
        let stored = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
        #expect(try exchange.decode(answer(200, stored)) == .newest)
        let unstored = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#
        #expect(try exchange.decode(answer(200, unstored)) == .nothing)
        for text in ["", "{}", #"{"message-storage-policy":2}"#, #"{"message-storage-policy":"1"}"#, "<html>"] {
            let error = #expect(throws: PushError.self) { try exchange.decode(answer(200, text)) }
            #expect(error?.kind == .malformedResponse, "\(text)")
        }
    }

    @Test("the list has every id")
    func list() throws {
        let apns = try Shop.apns()
        let exchange = apns.listChannels()
        #expect(exchange.request.method == .get && exchange.idempotency == .idempotent)
        #expect(try address(exchange.request, of: apns) == manager + "/all-channels")
        #expect(exchange.request.headers.isEmpty && exchange.request.body == .none)
        #expect(try exchange.decode(answer(200, #"{"channels":["YQ==","Yg=="]}"#)) == ["YQ==", "Yg=="])
        #expect(try exchange.decode(answer(200, #"{"channels":[]}"#)) == [])
        for text in ["", "{}", #"{"channels":["YQ==",7]}"#, #"{"channels":"YQ=="}"#, "[]"] {
            let error = #expect(throws: PushError.self) { try exchange.decode(answer(200, text)) }
            #expect(error?.kind == .malformedResponse, "\(text)")
        }
    }

    @Test("a channel is deleted by its id")
    func delete() throws {
        let apns = try Shop.apns()
        let exchange = apns.deleteChannel(Self.channel)
        #expect(exchange.request.method == .delete && exchange.idempotency == .idempotent)
        #expect(try address(exchange.request, of: apns) == manager + "/channels")
        #expect(Shop.headers(of: exchange.request) == ["apns-channel-id": Self.channel])
        #expect(throws: Never.self) { try exchange.decode(answer(204)) }
        let error = #expect(throws: PushError.self) { try exchange.decode(answer(200, "<html>")) }
        #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
    }

    @Test("calls go to the environment of the adapter, and sends to that of their message")
    func environment() throws {
        var apns = try Shop.apns()
        apns.environment = .development
        let manager = "https://api-manage-broadcast.sandbox.push.apple.com:2195" + Self.app
        #expect(try address(apns.listChannels().request, of: apns) == manager + "/all-channels")
        #expect(
            try address(broadcast(of: apns).request, of: apns)
                == "https://api.sandbox.push.apple.com/4/broadcasts/apps/com.example.shop")
        #expect(
            try address(Shop.request(of: Shop.shown(), from: apns), of: apns).hasPrefix("https://api.push.apple.com/"))
    }

    @Test("an id that no channel can have is refused before anything is sent", arguments: ["", "a b", "a\nb"])
    func ids(channel: String) throws {
        let apns = try Shop.apns()
        let inputs = [
            apns.readChannel(channel).inputs, apns.deleteChannel(channel).inputs,
            try apns.broadcast(Self.update, to: channel, at: Shop.now).inputs,
        ]
        for inputs in inputs {
            let error = #expect(throws: PushError.self) { try apns.capabilities.check(inputs, of: APNs.id) }
            #expect(error?.kind == .invalidArgument)
        }
    }

    @Test("every call about channels is a feature of its own, signed by the app")
    func features() throws {
        let apns = try Shop.apns()
        let calls: [(Feature, CredentialScope)] = [
            (apns.createChannel(storing: .newest).operation, apns.createChannel(storing: .newest).credential),
            (apns.readChannel("YQ==").operation, apns.readChannel("YQ==").credential),
            (apns.listChannels().operation, apns.listChannels().credential),
            (apns.deleteChannel("YQ==").operation, apns.deleteChannel("YQ==").credential),
            (try broadcast().operation, try broadcast().credential),
        ]
        #expect(
            calls.map { $0.0 } == [
                "apns.channels.create", "apns.channels.read", "apns.channels.list", "apns.channels.delete",
                "apns.broadcast",
            ])
        for (operation, scope) in calls { #expect(apns.capabilities[operation] == .native && scope == .app) }
    }

    // MARK: Broadcasts

    @Test("a broadcast has every field that the vendor requires, and no topic")
    func fields() throws {
        let apns = try Shop.apns()
        let exchange = try broadcast(of: apns)
        #expect(exchange.request.method == .post && exchange.idempotency == .unkeyed)
        #expect(
            try address(exchange.request, of: apns)
                == "https://api.push.apple.com/4/broadcasts/apps/com.example.shop")
        let aps: JSONValue = ["event": "update", "content-state": ["eta": 9], "timestamp": 1_795_165_200]
        #expect(try Shop.body(of: exchange.request) == ["aps": aps])
        #expect(
            Shop.headers(of: exchange.request) == [
                "apns-channel-id": Self.channel, "apns-push-type": "liveactivity", "apns-expiration": "0",
                "apns-priority": "10",
            ])
    }

    @Test("a broadcast is accepted by a 200 with an id and nothing else")
    func accepted() throws {
        let exchange = try broadcast()
        let id = ["apns-request-id": "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"]
        #expect(throws: Never.self) { try exchange.decode(answer(200, "", id)) }
        for response in [answer(200), answer(200, "<html>", id), answer(202, "", id)] {
            let error = #expect(throws: PushError.self) { try exchange.decode(response) }
            #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        }
    }

    @Test("a life of a broadcast becomes a moment, eight hours ahead at most")
    func life() throws {
        for (seconds, text) in [(0, "0"), (1, "1795165201"), (28_800, "1795194000")] {
            let request = try broadcast(life: .seconds(seconds), priority: 5).request
            #expect(Shop.header("apns-expiration", of: request) == text)
            #expect(Shop.header("apns-priority", of: request) == "5")
        }
    }

    @Test("a broadcast may be repeated if the caller accepts duplicates")
    func duplicates() throws {
        var apns = try Shop.apns()
        apns.acceptsDuplicates = true
        #expect(try broadcast(of: apns).idempotency == .idempotent)
        #expect(apns.createChannel(storing: .newest).idempotency == .unkeyed)
    }

    @Test("the dedicated hosts take broadcasts if the adapter says so")
    func hosts() throws {
        var apns = try Shop.apns()
        apns.broadcastHost = .dedicated
        let path = "/4/broadcasts/apps/com.example.shop"
        let production = try broadcast(of: apns).request
        #expect(try address(production, of: apns) == "https://api-broadcast.push.apple.com" + path)
        apns.environment = .development
        let development = try broadcast(of: apns).request
        #expect(try address(development, of: apns) == "https://api-broadcast.sandbox.push.apple.com" + path)
    }

    @Test("a broadcast cannot start an activity, nor lack its content, nor come from the future")
    func updates() throws {
        var start = LiveActivityUpdate(.start, content: ["eta": 9])
        start.attributesType = "Parcel"
        start.attributes = [:]
        start.alert = ["title": "T", "body": "B"]
        var following = Self.update
        following.input = .token
        var future = Self.update
        future.timestamp = Shop.now.addingTimeInterval(28_801)
        for update in [start, following, future, LiveActivityUpdate(.update)] {
            let error = #expect(throws: PushError.self) { try broadcast(update) }
            #expect(error?.kind == .invalidArgument)
        }
        #expect(throws: Never.self) { try broadcast(LiveActivityUpdate(.end)) }
    }

    @Test("a broadcast refuses numbers that JSON cannot represent, and dates that no number of seconds can")
    func numbers() throws {
        let apns = try Shop.apns()
        let broken = LiveActivityUpdate(.update, content: ["eta": .number(.nan)])
        let exchange = try apns.broadcast(broken, to: "YQ==", at: Shop.now)
        #expect(throws: PushError.self) { try apns.capabilities.check(exchange.inputs, of: APNs.id) }
        var score = LiveActivityUpdate(.update, content: ["eta": 9])
        score.relevanceScore = .infinity
        #expect(throws: PushError.self) { try apns.broadcast(score, to: "YQ==", at: Shop.now) }
        for date in [Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: 1e30)] {
            var update = LiveActivityUpdate(.update, content: ["eta": 9])
            update.staleDate = date
            let error = #expect(throws: PushError.self) { try apns.broadcast(update, to: "YQ==", at: Shop.now) }
            #expect(error?.message.contains("stale-date") == true)
        }
    }

    @Test("a broadcast keeps to the vendor's priorities", arguments: [-1, 0, 1, 2, 5, 7, 10, 11])
    func priorities(priority: Int) throws {
        if [1, 5, 10].contains(priority) {
            let request = try broadcast(priority: priority).request
            #expect(Shop.header("apns-priority", of: request) == String(priority))
        } else {
            let error = #expect(throws: PushError.self) { try broadcast(priority: priority) }
            #expect(error?.kind == .invalidArgument && error?.message.contains("priority") == true)
        }
    }

    @Test("a life is whole seconds from 0 to eight hours")
    func lives() throws {
        for life: Duration in [.seconds(28_801), .milliseconds(1), .seconds(-1)] {
            let error = #expect(throws: PushError.self) { try broadcast(life: life) }
            #expect(error?.kind == .invalidArgument && error?.message.contains("life") == true)
        }
    }

    @Test("a broadcast has 5,120 bytes at most")
    func size() throws {
        let apns = try Shop.apns()
        func check(_ count: Int) throws {
            let frame = #"{"aps":{"content-state":{"a":""},"event":"end","timestamp":1795165200}}"#
            let text = String(repeating: "b", count: count - frame.utf8.count)
            let exchange = try broadcast(LiveActivityUpdate(.end, content: ["a": .string(text)]), of: apns)
            #expect(Shop.bytes(of: exchange.request).count == count)
            try apns.capabilities.check(exchange.inputs, of: APNs.id)
        }
        try check(5120)
        let error = #expect(throws: PushError.self) { try check(5121) }
        #expect(error?.kind == .tooLong)
    }
}
