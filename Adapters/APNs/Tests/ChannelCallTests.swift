import FoundationEssentials
import PushAPNs
import PushAdapter
import Testing

@Suite("APNs channels")
struct ChannelCallTests {
    private static let channel = "bXktY2hhbm5lbC1pZC0x+/=="
    private static let update = LiveActivityUpdate(.update, content: ["eta": 9])
    private static let app = "/1/apps/com.example.shop"
    private static let manager = "https://api-manage-broadcast.push.apple.com:2196" + app

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
        try (apns ?? Shop.apns()).broadcast(update, to: Self.channel, at: Shop.now, life: life, priority: priority)
    }

    /// Expects that a response is not taken for a success.
    private func expectUnreadable<Output: Sendable>(_ exchange: Exchange<Output>, _ responses: WireResponse...) {
        for response in responses {
            #expect(expectError(.malformedResponse) { try exchange.decode(response) }?.effect == .unknown)
        }
    }

    @Test("a channel is made with its storage, and the response names it", arguments: [0, 1])
    func create(policy: Int) throws {
        let apns = try Shop.apns()
        let storage = try #require(APNsChannelStorage(rawValue: policy))
        let exchange = apns.createChannel(storing: storage)
        #expect(exchange.request.method == .post && exchange.idempotency == .unkeyed)
        #expect(try address(exchange.request, of: apns) == Self.manager + "/channels")
        let body: JSONValue = [
            "message-storage-policy": JSONValue(integerLiteral: policy), "push-type": "LiveActivity",
        ]
        #expect(try Shop.body(of: exchange.request) == body && exchange.request.headers.isEmpty)
        for status in [201, 200] {
            #expect(try exchange.decode(answer(status, "", ["apns-channel-id": Self.channel])) == Self.channel)
        }
        expectUnreadable(exchange, answer(201), answer(201, "", ["apns-channel-id": ""]), answer(200, "<html>"))
        // The storage in the response to a reader.
        let text = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
        #expect(try apns.readChannel(Self.channel).decode(answer(200, text)) == storage)
    }

    @Test("a channel is read and deleted by its id, which stands in a header field, and all are listed")
    func requests() throws {
        let apns = try Shop.apns()
        let (read, list, delete) = (
            apns.readChannel(Self.channel), apns.listChannels(), apns.deleteChannel(Self.channel)
        )
        let id = ["apns-channel-id": Self.channel]
        let rows: [(WireRequest, Idempotency, HTTPRequest.Method, String, [String: String])] = [
            (read.request, read.idempotency, .get, "/channels", id),
            (list.request, list.idempotency, .get, "/all-channels", [:]),
            (delete.request, delete.idempotency, .delete, "/channels", id),
        ]
        for (request, idempotency, method, path, headers) in rows {
            #expect(request.method == method && request.body == .none && idempotency == .idempotent)
            #expect(try address(request, of: apns) == Self.manager + path)
            #expect(Shop.headers(of: request) == headers)
        }
        #expect(try list.decode(answer(200, #"{"channels":["YQ==","Yg=="]}"#)) == ["YQ==", "Yg=="])
        #expect(try list.decode(answer(200, #"{"channels":[]}"#)) == [])
        #expect(throws: Never.self) { try delete.decode(answer(204)) }
        expectUnreadable(delete, answer(200, "<html>"))
        for text in ["", "{}", #"{"message-storage-policy":2}"#, #"{"message-storage-policy":"1"}"#, "<html>"] {
            expectUnreadable(read, answer(200, text))
        }
        for text in ["", "{}", #"{"channels":["YQ==",7]}"#, #"{"channels":"YQ=="}"#, "[]"] {
            expectUnreadable(list, answer(200, text))
        }
    }

    @Test("calls go to the environment and the hosts of the adapter, and sends to the environment of their message")
    func hosts() throws {
        var apns = try Shop.apns()
        let path = "push.apple.com/4/broadcasts/apps/com.example.shop"
        #expect(try address(broadcast(of: apns).request, of: apns) == "https://api." + path)
        apns.broadcastHost = .dedicated
        #expect(try address(broadcast(of: apns).request, of: apns) == "https://api-broadcast." + path)
        apns.environment = .development
        #expect(try address(broadcast(of: apns).request, of: apns) == "https://api-broadcast.sandbox." + path)
        apns.broadcastHost = .ordinary
        #expect(try address(broadcast(of: apns).request, of: apns) == "https://api.sandbox." + path)
        let manager = "https://api-manage-broadcast.sandbox.push.apple.com:2195" + Self.app
        #expect(try address(apns.listChannels().request, of: apns) == manager + "/all-channels")
        let send = try Shop.request(of: Shop.shown(), from: apns)
        #expect(try address(send, of: apns).hasPrefix("https://api.push.apple.com/"))
    }

    @Test("an id that no channel can have is refused before anything is sent", arguments: ["", "a b", "a\nb"])
    func ids(channel: String) throws {
        let apns = try Shop.apns()
        for inputs in [
            apns.readChannel(channel).inputs, apns.deleteChannel(channel).inputs,
            try apns.broadcast(Self.update, to: channel, at: Shop.now).inputs,
        ] {
            expectError(.invalidArgument) { try apns.capabilities.check(inputs, of: APNs.id) }
        }
    }

    @Test("every call about channels is a feature of its own, signed by the app")
    func features() throws {
        let apns = try Shop.apns()
        let (create, read, list) = (apns.createChannel(storing: .newest), apns.readChannel("YQ=="), apns.listChannels())
        let (delete, broadcast) = (apns.deleteChannel("YQ=="), try broadcast())
        let operations = [
            create.operation, read.operation, list.operation, delete.operation, broadcast.operation,
        ]
        #expect(
            operations == [
                "apns.channels.create", "apns.channels.read", "apns.channels.list", "apns.channels.delete",
                "apns.broadcast",
            ])
        #expect(operations.allSatisfy { apns.capabilities[$0] == .native })
        let scopes = [create.credential, read.credential, list.credential, delete.credential, broadcast.credential]
        #expect(Set(scopes) == [.app])
    }

    @Test("a broadcast has every field that the vendor requires, and no topic; a 200 with an id accepts it")
    func fields() throws {
        var apns = try Shop.apns()
        let exchange = try broadcast(of: apns)
        #expect(exchange.request.method == .post && exchange.idempotency == .unkeyed)
        let aps: JSONValue = ["event": "update", "content-state": ["eta": 9], "timestamp": 1_795_165_200]
        #expect(try Shop.body(of: exchange.request) == ["aps": aps])
        #expect(
            Shop.headers(of: exchange.request) == [
                "apns-channel-id": Self.channel, "apns-push-type": "liveactivity", "apns-expiration": "0",
                "apns-priority": "10",
            ])
        let id = ["apns-request-id": "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"]
        #expect(throws: Never.self) { try exchange.decode(answer(200, "", id)) }
        expectUnreadable(exchange, answer(200), answer(200, "<html>", id), answer(202, "", id))
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
            expectError(.invalidArgument, naming: "life") { try broadcast(life: life) }
        }
    }

    @Test("a broadcast keeps to the vendor's priorities", arguments: [-1, 0, 1, 2, 5, 7, 10, 11])
    func priorities(priority: Int) throws {
        if [1, 5, 10].contains(priority) {
            #expect(try Shop.header("apns-priority", of: broadcast(priority: priority).request) == String(priority))
        } else {
            expectError(.invalidArgument, naming: "priority") { try broadcast(priority: priority) }
        }
    }

    @Test("a broadcast cannot start an activity, nor lack its content, nor come from the future, nor have odd numbers")
    func updates() throws {
        func changed(_ event: LiveActivityUpdate.Event = .update, _ edit: (inout LiveActivityUpdate) -> Void)
            -> LiveActivityUpdate
        {
            var update = LiveActivityUpdate(event, content: ["eta": 9])
            edit(&update)
            return update
        }
        let start = changed(.start) { ($0.attributesType, $0.attributes, $0.alert) = ("P", [:], ["title": "T"]) }
        let refused: [(update: LiveActivityUpdate, word: String)] = [
            (start, "start"), (changed { $0.input = .token }, "input-push"),
            (LiveActivityUpdate(.update), "content-state"),
            (changed { $0.timestamp = Shop.now.addingTimeInterval(28_801) }, "eight hours"),
            (changed { $0.relevanceScore = .infinity }, "relevance-score"),
            (changed { $0.staleDate = Date(timeIntervalSince1970: -1) }, "stale-date"),
            (changed { $0.staleDate = Date(timeIntervalSince1970: 1e30) }, "stale-date"),
        ]
        for (update, word) in refused {
            expectError(.invalidArgument, naming: word) { try broadcast(update) }
        }
        #expect(throws: Never.self) { try broadcast(LiveActivityUpdate(.end)) }
        let apns = try Shop.apns()
        let broken = try broadcast(LiveActivityUpdate(.update, content: ["eta": .number(.nan)]))
        expectError(.invalidArgument, naming: "NaN") { try apns.capabilities.check(broken.inputs, of: APNs.id) }
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
        expectError(.tooLong) { try check(5121) }
    }
}
