import FoundationEssentials
import PushAPNs
import PushAdapter
import TestSupport
import Testing

@Suite("APNs channels")
struct ChannelCallTests {
    private static let channel = "bXktY2hhbm5lbC1pZC0x+/=="
    private static let named = [("apns-channel-id", channel)]
    private static let update = LiveActivityUpdate(.update, content: ["eta": 9])
    private static let manager = "https://api-manage-broadcast.push.apple.com:2196/1/apps/com.example.shop"

    private func address(_ request: WireRequest, of apns: APNs) throws -> String {
        try apns.dataCenter.address(of: request.service) + request.target()
    }

    private func broadcast(
        _ update: LiveActivityUpdate = ChannelCallTests.update, life: Duration = .zero, priority: Int = 10,
        of apns: APNs? = nil
    ) throws -> Exchange<Void> {
        try (apns ?? Shop.apns()).broadcast(update, to: Self.channel, at: Shop.now, life: life, priority: priority)
    }

    /// Expects a call to be a feature of its own, signed by the app.
    private func check<Output>(
        _ exchange: Exchange<Output>, _ operation: Feature, _ method: HTTPRequest.Method, _ path: String,
        _ headers: [String: String] = [:], idempotency: Idempotency = .idempotent, body: JSONValue = .null,
        at place: SourceLocation = #_sourceLocation
    ) throws {
        let (apns, request) = (try Shop.apns(), exchange.request)
        #expect(exchange.operation == operation && apns.capabilities[operation] == .native, sourceLocation: place)
        #expect(exchange.credential == .app && exchange.idempotency == idempotency, sourceLocation: place)
        #expect(try request.method == method && address(request, of: apns) == path, sourceLocation: place)
        #expect(Shop.headers(of: request) == headers, sourceLocation: place)
        #expect(try request.json() == body, sourceLocation: place)
    }

    @Test("a channel is made with its storage, and the response names it", arguments: [0, 1])
    func create(policy: Int) throws {
        let apns = try Shop.apns()
        let storage = try #require(APNsChannelStorage(rawValue: policy))
        let text = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
        let exchange = apns.createChannel(storing: storage)
        try check(
            exchange, "apns.channels.create", .post, Self.manager + "/channels", idempotency: .unkeyed,
            body: JSONValue(parsing: Array(text.utf8)))
        for status in [201, 200] { #expect(try exchange.decode(WireResponse(status, "", Self.named)) == Self.channel) }
        exchange.expectUnreadable(
            WireResponse(201, ""), WireResponse(201, "", [("apns-channel-id", "")]), WireResponse(200, "<html>"))
        // The storage in the response to a reader.
        #expect(try apns.readChannel(Self.channel).decode(WireResponse(200, text)) == storage)
    }

    @Test("a channel is read and deleted by its id, which stands in a header field, and all are listed")
    func requests() throws {
        let apns = try Shop.apns()
        let (read, list, delete) = (
            apns.readChannel(Self.channel), apns.listChannels(), apns.deleteChannel(Self.channel)
        )
        let id = ["apns-channel-id": Self.channel]
        try check(read, "apns.channels.read", .get, Self.manager + "/channels", id)
        try check(list, "apns.channels.list", .get, Self.manager + "/all-channels")
        try check(delete, "apns.channels.delete", .delete, Self.manager + "/channels", id)
        #expect(try list.decode(WireResponse(200, #"{"channels":["YQ==","Yg=="]}"#)) == ["YQ==", "Yg=="])
        #expect(try list.decode(WireResponse(200, #"{"channels":[]}"#)) == [])
        #expect(throws: Never.self) { try delete.decode(WireResponse(204, "")) }
        delete.expectUnreadable(WireResponse(200, "<html>"))
        for text in ["", "{}", #"{"message-storage-policy":2}"#, #"{"message-storage-policy":"1"}"#, "<html>"] {
            read.expectUnreadable(WireResponse(200, text))
        }
        for text in ["", "{}", #"{"channels":["YQ==",7]}"#, #"{"channels":"YQ=="}"#, "[]"] {
            list.expectUnreadable(WireResponse(200, text))
        }
    }

    private static let places: [(host: APNs.BroadcastHost, environment: AppEnvironment, broadcasts: String)] = [
        (.ordinary, .production, "api"), (.dedicated, .production, "api-broadcast"),
        (.dedicated, .development, "api-broadcast.sandbox"), (.ordinary, .development, "api.sandbox"),
    ]

    @Test("calls go to the environment and the hosts of the adapter", arguments: places)
    func hosts(host: APNs.BroadcastHost, environment: AppEnvironment, broadcasts: String) throws {
        var apns = try Shop.apns()
        (apns.broadcastHost, apns.environment) = (host, environment)
        let path = "https://\(broadcasts).push.apple.com/4/broadcasts/apps/com.example.shop"
        #expect(try address(broadcast(of: apns).request, of: apns) == path)
        let manager = environment == .production ? "push.apple.com:2196/" : "sandbox.push.apple.com:2195/"
        #expect(try address(apns.listChannels().request, of: apns).hasPrefix("https://api-manage-broadcast." + manager))
        // A send goes where its message says, which changes nothing else.
        for (place, host) in [(AppEnvironment.production, "api"), (.development, "api.sandbox")] {
            let send = try Shop.request(of: Shop.shown().with(\.environment, place), from: apns)
            #expect(try address(send, of: apns).hasPrefix("https://\(host).push.apple.com/3/"))
            #expect(try send.body == Shop.request(of: Shop.shown()).body)
        }
    }

    @Test("an id that no channel can have is refused before anything is sent", arguments: ["", "a b", "a\nb"])
    func ids(channel: String) throws {
        let apns = try Shop.apns()
        for inputs in [
            apns.readChannel(channel).inputs, apns.deleteChannel(channel).inputs,
            try apns.broadcast(Self.update, to: channel, at: Shop.now).inputs,
        ] {
            expectThrows(.error(.invalidArgument)) { try apns.capabilities.check(inputs, of: APNs.id) }
        }
    }

    @Test("a broadcast has every field that the vendor requires, and no topic; a 200 with an id accepts it")
    func fields() throws {
        var apns = try Shop.apns()
        let exchange = try broadcast(of: apns)
        let headers = [
            "apns-channel-id": Self.channel, "apns-push-type": "liveactivity", "apns-expiration": "0",
            "apns-priority": "10",
        ]
        try check(
            exchange, "apns.broadcast", .post, "https://api.push.apple.com/4/broadcasts/apps/com.example.shop", headers,
            idempotency: .unkeyed,
            body: ["aps": ["event": "update", "content-state": ["eta": 9], "timestamp": 1_795_165_200]])
        let id = [("apns-request-id", "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55")]
        #expect(throws: Never.self) { try exchange.decode(WireResponse(200, "", id)) }
        exchange.expectUnreadable(WireResponse(200, ""), WireResponse(200, "<html>", id), WireResponse(202, "", id))
        // It may be repeated if the caller accepts duplicates.
        apns.acceptsDuplicates = true
        #expect(try broadcast(of: apns).idempotency == .idempotent)
        #expect(apns.createChannel(storing: .newest).idempotency == .unkeyed)
    }

    private static let lives: [(life: Duration, moment: String?)] = [
        (.zero, "0"), (.seconds(1), "1795165201"), (.seconds(28_800), "1795194000"), (.seconds(28_801), nil),
        (.milliseconds(1), nil), (.seconds(-1), nil),
    ]

    @Test("a life of a broadcast is whole seconds, eight hours at most, and becomes a moment", arguments: lives)
    func life(life: Duration, moment: String?) throws {
        if let moment {
            #expect(try Shop.header("apns-expiration", of: broadcast(life: life).request) == moment)
        } else {
            expectThrows(.error(.invalidArgument, naming: "life")) { try broadcast(life: life) }
        }
    }

    @Test("a broadcast keeps to the vendor's priorities", arguments: [-1, 0, 1, 2, 5, 7, 10, 11])
    func priorities(priority: Int) throws {
        if [1, 5, 10].contains(priority) {
            #expect(try Shop.header("apns-priority", of: broadcast(priority: priority).request) == String(priority))
        } else {
            expectThrows(.error(.invalidArgument, naming: "priority")) { try broadcast(priority: priority) }
        }
    }

    private static func changed(_ edit: (inout LiveActivityUpdate) -> Void) -> LiveActivityUpdate {
        var update = update
        edit(&update)
        return update
    }

    private static let refused: [(update: LiveActivityUpdate, word: String)] = [
        (changed { ($0.event, $0.attributesType, $0.attributes, $0.alert) = (.start, "P", [:], "T") }, "start"),
        (changed { $0.input = .token }, "input-push"), (LiveActivityUpdate(.update), "content-state"),
        (changed { $0.timestamp = Shop.now.addingTimeInterval(28_801) }, "eight hours"),
        (changed { $0.relevanceScore = .infinity }, "relevance-score"),
        (changed { $0.staleDate = Date(timeIntervalSince1970: -1) }, "stale-date"),
        (changed { $0.staleDate = Date(timeIntervalSince1970: 1e30) }, "stale-date"),
    ]

    @Test("a broadcast cannot start an activity, lack its content, come from the future, or have odd numbers")
    func updates() throws {
        for (update, word) in Self.refused {
            expectThrows(.error(.invalidArgument, naming: word)) { try broadcast(update) }
        }
        #expect(throws: Never.self) { try broadcast(LiveActivityUpdate(.end)) }
        let broken = try broadcast(LiveActivityUpdate(.update, content: ["eta": .number(.nan)]))
        expectThrows(.error(.invalidArgument, naming: "NaN")) {
            try Shop.apns().capabilities.check(broken.inputs, of: APNs.id)
        }
    }

    @Test("a broadcast has 5,120 bytes at most")
    func size() throws {
        func check(_ count: Int) throws {
            let frame = #"{"aps":{"content-state":{"a":""},"event":"end","timestamp":1795165200}}"#
            let text = String(repeating: "b", count: count - frame.utf8.count)
            let exchange = try broadcast(LiveActivityUpdate(.end, content: ["a": .string(text)]))
            #expect(exchange.request.body.text.utf8.count == count)
            try Shop.apns().capabilities.check(exchange.inputs, of: APNs.id)
        }
        try check(5120)
        expectThrows(.error(.tooLong)) { try check(5121) }
    }
}
