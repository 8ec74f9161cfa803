import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

private typealias Apple = SimulatedApple

/// A push that differs from a good one, and Apple's answer.
private struct ChangedPush: Sendable, CustomTestStringConvertible {
    typealias Edit = @Sendable (inout APNsSimulatorSettings) -> Void

    var outcome: String
    var token = Apple.token(for: .app)
    var body = Apple.alert
    var headers: [String: String?] = [:]
    var settings: Edit = { _ in }

    var testDescription: String {
        let changes = headers.map { "\($0.key): \($0.value ?? "none")" }.sorted().joined(separator: ", ")
        return "\(changes) \(body.prefix(24)) (\(body.utf8.count) bytes) to \(token.prefix(8)): \(outcome)"
    }

    /// Pushes with the values of a header field, all with one outcome.
    static func header(
        _ name: String, _ values: [String?], _ outcome: String = "200", in push: ChangedPush = .good,
        settings: @escaping Edit = { _ in }
    ) -> [ChangedPush] {
        values.map { value in
            var push = push
            (push.outcome, push.settings) = (outcome, settings)
            push.headers.updateValue(value, forKey: name)
            return push
        }
    }

    static let good = ChangedPush(outcome: "200")
    static let background = ChangedPush(
        outcome: "200", body: #"{"aps":{"content-available":1}}"#, headers: ["apns-push-type": "background"])
    static let management = ChangedPush(
        outcome: "200", token: Apple.token(for: .mdm), body: #"{"mdm":"magic"}"#, headers: Apple.managed)

    /// A payload of a number of bytes.
    static func sized(_ bytes: Int, _ outcome: String, _ headers: [String: String?] = [:]) -> [ChangedPush] {
        let body = #"{"aps":{},"k":"\#(String(repeating: "x", count: bytes - #"{"aps":{},"k":""}"#.utf8.count))"}"#
        let token = Apple.token(for: headers.isEmpty ? .app : .voip)
        let push = ChangedPush(outcome: outcome, token: token, body: body, headers: headers)
        return [push] + header("apns-push-type", [nil], outcome, in: push)
    }
}

/// The checks of one push: header fields, topic and type, payload, device token.
@Suite("APNs simulator: pushes")
struct APNsSimulatorPushTests {
    private static let badIDs = [
        "1", "4f6f0c1e8f0a4c9b9b1c2f6a1d0c7e55", "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e550",
        "{4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55}", "gf6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55",
        "4f6f0c1e-8f0a4-c9b-9b1c-2f6a1d0c7e55",
    ]

    private static func letters(_ letter: String, _ count: Int) -> String { String(repeating: letter, count: count) }

    private static let fields: [ChangedPush] =
        ChangedPush.header("apns-id", badIDs, "400 BadMessageId")
        + ChangedPush.header("apns-priority", ["10", "5", "1"])
        + ChangedPush.header("apns-priority", ["0", "x"], "400 BadPriority")
        + ChangedPush.header("apns-expiration", ["0", "300", "1795168800"])
        + ChangedPush.header(
            "apns-expiration", ["-1", "1.5", "tomorrow", "99999999999999999999"], "400 BadExpirationDate")
        + ChangedPush.header("apns-collapse-id", [letters("c", 64), letters("é", 32)])
        + ChangedPush.header("apns-collapse-id", [letters("c", 65), letters("é", 33)], "400 BadCollapseId")
        + ChangedPush.header("apns-priority", ["10", nil, "5", "1"], in: .background)
        + ChangedPush.header("apns-priority", ["10", nil], "400 BadPriority", in: .background) {
            $0.refusesUrgentBackground = true
        }
        + ChangedPush.header("apns-priority", ["5", "1"], in: .background) { $0.refusesUrgentBackground = true }
        + ChangedPush.header("apns-priority", ["10", nil, "5", "1"]) { $0.refusesUrgentBackground = true }

    private static let topics: [ChangedPush] =
        ChangedPush.header("apns-topic", [nil, ""], "400 MissingTopic")
        + ChangedPush.header(
            "apns-topic", ["com example", "com.example.ü", "com.example.none", "com.example.shop.other"],
            "400 BadTopic")
        + ChangedPush.header("apns-topic", [Apple.bank], "400 TopicDisallowed")
        + ChangedPush.header("apns-topic", [Apple.shop])
        + ChangedPush.header("apns-topic", ["com.example.none"], "400 TopicDisallowed") {
            $0.unknownTopicReason = .topicDisallowed
        }
        + ChangedPush.header("apns-topic", [Apple.bank], "403 InvalidProviderToken") {
            $0.foreignTopicReason = .invalidProviderToken
        }
        // A type is one of the list, in small letters. Device management has a topic of its own.
        + ChangedPush.header(
            "apns-push-type", ["Alert", "LiveActivity", "safari", "push", "mdm"], "400 InvalidPushType")
        + ChangedPush.header("apns-push-type", ["alert"], "400 InvalidPushType", in: .management) + [.management]

    private static let payloads: [ChangedPush] =
        ChangedPush.sized(4096, "200") + ChangedPush.sized(4097, "413 PayloadTooLarge")
        + ChangedPush.sized(5120, "200", Apple.call) + ChangedPush.sized(5121, "413 PayloadTooLarge", Apple.call)
        + [ChangedPush(outcome: "400 PayloadEmpty", body: ""), ChangedPush(outcome: "200", body: "{}")]
        + ["hello", "[1]", #"{"aps":"#].flatMap { body in
            [
                ChangedPush(outcome: "400 PayloadEmpty", body: body) { $0.unreadablePayload = .payloadEmpty },
                ChangedPush(outcome: "400 BadRequestPayload", body: body) { $0.unreadablePayload = .badRequestPayload },
            ]
        }

    /// A token that is malformed, unknown or of the other environment looks the same.
    private static let tokens: [ChangedPush] =
        [
            "x", "abc", Apple.ghost, Apple.sandboxed, "phone", Apple.token(for: .app) + "a0",
            Apple.token(for: .app) + "/a0", "%61" + Apple.token(for: .app),
        ].map { ChangedPush(outcome: "400 BadDeviceToken", token: $0) } + [
            ChangedPush(outcome: "400 DeviceTokenNotForTopic", token: Apple.cafeDevice),
            ChangedPush(outcome: "200", token: Apple.cafeDevice, headers: ["apns-topic": Apple.cafe]),
        ]

    @Test(
        "a push has the outcome of its header fields, payload and token", arguments: fields + topics + payloads + tokens
    )
    fileprivate func push(row: ChangedPush) async throws {
        let apple = try Apple(settings: row.settings)
        let answer = await apple.send(to: row.token, row.body, row.headers)
        #expect(answer.outcome == row.outcome)
        if let reason = answer.reason { #expect(answer.json == ["reason": .string(reason)]) }
        // An id that is no UUID does not come back.
        #expect(answer.id?.count == 36 && answer.id != row.headers["apns-id"] ?? "")
    }

    // MARK: Address

    @Test(
        "a push is a POST to the device token",
        arguments: [
            (HTTPRequest.Method.get, "/3/device/aa", "405 MethodNotAllowed"), (.put, "/", "405 MethodNotAllowed"),
            (.post, "/", "404 BadPath"), (.post, "/3/device", "404 BadPath"), (.post, "/3/devices/aa", "404 BadPath"),
            (.post, "/2/device/aa", "404 BadPath"), (.post, "/3/device/", "400 MissingDeviceToken"),
            (.post, "/3/device/aa", "403 MissingProviderToken"),
        ])
    func paths(method: HTTPRequest.Method, path: String, outcome: String) async throws {
        #expect(try await Apple().ask(method, path).outcome == outcome)
    }

    @Test(
        "no header of a push may come twice; Apple's documents do not mention other fields",
        arguments: [
            "authorization", "apns-topic", "apns-push-type", "apns-id", "apns-expiration", "apns-priority",
            "apns-collapse-id", "x-a",
        ])
    func doubled(name: String) async throws {
        let apple = try Apple()
        let headers = [("authorization", "bearer " + apple.bearer), ("apns-topic", Apple.shop)].filter { $0.0 != name }
        let path = "/3/device/" + Apple.token(for: .app)
        let twice = await apple.ask(.post, path, headers + [(name, "1"), (name, "1")], Apple.alert)
        #expect(twice.outcome == (name == "x-a" ? "200" : "400 DuplicateHeaders"))
    }

    // MARK: Ids

    @Test("the id comes back as it was given, in capitals or not", arguments: [Apple.uuid, Apple.uuid.uppercased()])
    func echo(id: String) async throws {
        let apple = try Apple()
        let answer = await apple.send(Apple.alert, ["apns-id": id])
        #expect(answer.status == 200 && answer.id == id && answer.body.isEmpty)
        #expect(await apple.inbox().map(\.messageID) == [id])
        #expect(await apple.send(to: Apple.ghost, Apple.alert, ["apns-id": id]).id == id)
    }

    @Test("Apple's own ids are in capitals, differ, and are of no version of UUIDs")
    func ownIDs() async throws {
        let apple = try Apple()
        var ids: Set<String> = []
        for _ in 0..<50 {
            let id = try #require(await apple.send().id)
            #expect(id == id.uppercased() && UUID(uuidString: id) != nil)
            // In RFC 4122, the variant begins with 8, 9, A or B.
            let variant = try #require(id.split(separator: "-")[3].first)
            #expect(!"89AB".contains(variant))
            ids.insert(id)
        }
        #expect(ids.count == 50)
    }

    @Test("the development environment adds an id for its log", arguments: [AppEnvironment.production, .development])
    func uniqueIDs(environment: AppEnvironment) async throws {
        let apple = try Apple(environment: environment)
        let answer = await apple.send()
        let id = answer.header("apns-unique-id")
        #expect(answer.status == 200 && (id != nil) == (environment == .development) && id != answer.id)
        #expect(await apple.send(to: Apple.ghost).header("apns-unique-id") == nil)
    }

    // MARK: Topics and types

    @Test("a key for some topics pushes to no other")
    func keyTopics() async throws {
        let apple = try Apple { _, signers, _ in signers[0].topics = [Apple.shop, Apple.cafe + ".voip"] }
        #expect(await apple.send().outcome == "200")
        for (suffix, outcome) in [("", "400 TopicDisallowed"), (".voip", "400 DeviceTokenNotForTopic")] {
            let headers: [String: String?] = ["apns-topic": Apple.cafe + suffix, "apns-push-type": nil]
            #expect(await apple.send(to: Apple.cafeDevice, Apple.alert, headers).outcome == outcome)
        }
    }

    /// The type, the end of the topic and the token of each push.
    private static let rows: [(type: String, suffix: String, purpose: Apple.Purpose)] = [
        ("alert", "", .app), ("background", "", .app), ("voip", ".voip", .voip),
        ("complication", ".complication", .complication), ("fileprovider", ".pushkit.fileprovider", .fileProvider),
        ("liveactivity", ".push-type.liveactivity", .liveActivity),
        ("liveactivity", ".push-type.liveactivity", .pushToStart), ("pushtotalk", ".voip-ptt", .pushToTalk),
        ("location", ".location-query", .location), ("widgets", ".push-type.widgets", .widgets),
        ("controls", ".push-type.controls", .controls),
    ]

    @Test("each push type has its topic, and each topic its tokens", arguments: rows.indices)
    func matrix(index: Int) async throws {
        let apple = try Apple()
        let own = Self.rows[index]
        for (_, suffix, purpose) in Self.rows {
            func outcome(_ suffix: String, _ type: String?) async -> String {
                let headers: [String: String?] = ["apns-topic": Apple.shop + suffix, "apns-push-type": type]
                return await apple.send(to: Apple.token(for: purpose), Apple.alert, headers).outcome
            }
            let fits = Self.rows.contains { $0.type == own.type && $0.suffix == suffix }
            let typed = await outcome(suffix, own.type)
            #expect(typed == (fits ? "200" : "400 InvalidPushType"), "\(own.type) to \(suffix)")
            let untyped = await outcome(own.suffix, nil)
            #expect(untyped == (own.suffix == suffix ? "200" : "400 DeviceTokenNotForTopic"), "\(own.suffix)")
        }
    }

    // MARK: Payload and token

    @Test("a payload that is not a JSON object is accepted and lost", arguments: ["hello", "[1]", #"{"aps":"#])
    func unreadable(body: String) async throws {
        let apple = try Apple()
        #expect(await apple.send(body).outcome == "200")
        #expect(await apple.inbox() == [])
        #expect(await apple.outcomes(1) == ["200"])
        #expect(await apple.inbox().count == 1)
    }

    @Test("a token has an even number of digits, up to 200", arguments: [(2, 200), (200, 200), (202, 400), (199, 400)])
    func lengths(digits: Int, status: Int) async throws {
        let token = String(repeating: "7", count: digits)
        let apple = try Apple { apps, _, _ in
            apps[0].registrations.append(APNsRegistration(VirtualDevice("other", .ios), token: token))
        }
        #expect(await apple.send(to: token).status == status)
    }

    @Test("capitals in a token are accepted, unless the settings say otherwise", arguments: [true, false])
    func capitals(isAccepted: Bool) async throws {
        let apple = try Apple(settings: { $0.acceptsUppercaseTokens = isAccepted })
        let answer = await apple.send(to: Apple.token(for: .app).uppercased())
        #expect(answer.outcome == (isAccepted ? "200" : "400 BadDeviceToken"))
        #expect(await apple.send().status == 200)
        #expect(await apple.inbox().count == (isAccepted ? 2 : 1))
    }
}
