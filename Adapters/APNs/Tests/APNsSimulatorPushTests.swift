import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

/// The checks of one push: address, header fields, topic and type, payload, device token.
@Suite("APNs simulator: pushes")
struct APNsSimulatorPushTests {
    private static func letters(_ letter: String, _ count: Int) -> String { String(repeating: letter, count: count) }

    private static let addresses: [PushChange] = [
        PushChange("PUT", "405 MethodNotAllowed") { ($0.method, $0.path, $0.address) = (.put, "/", "") },
        PushChange("/", "404 BadPath") { ($0.path, $0.address) = ("/", "") },
        PushChange("no slash", "404 BadPath") { ($0.path, $0.address) = ("/3/device", "") },
        PushChange("version 2", "404 BadPath") { $0.path = "/2/device/" },
        // Apple's documents do not mention other fields.
        PushChange("x-a twice", "200") { $0.doubled = "x-a" },
    ]

    private static let doubled: [PushChange] = [
        "authorization", "apns-topic", "apns-push-type", "apns-id", "apns-expiration", "apns-priority",
        "apns-collapse-id",
    ].map { (name: String) in PushChange("\(name) twice", "400 DuplicateHeaders") { $0.doubled = name } }

    private static let badIDs = [
        "1", "4f6f0c1e8f0a4c9b9b1c2f6a1d0c7e55", "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e550",
        "{4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55}", "gf6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55",
        "4f6f0c1e-8f0a4-c9b-9b1c-2f6a1d0c7e55",
    ]
    private static let strict: PushChange.Settings = { $0.refusesUrgentBackground = true }
    private static let background: PushChange.Edit = {
        ($0.body, $0.headers["apns-push-type"]) = (#"{"aps":{"content-available":1}}"#, "background")
    }

    private static let badDates = ["-1", "1.5", "tomorrow", "99999999999999999999"]

    private static let fields: [PushChange] =
        PushChange.header("apns-id", ["400 BadMessageId": badIDs])
        + PushChange.header("apns-priority", ["200": ["10", "5", "1"], "400 BadPriority": ["0", "x"]])
        + PushChange.header("apns-priority", ["200": ["10", nil, "5", "1"]], in: background)
        + PushChange.header(
            "apns-priority", ["200": ["5", "1"], "400 BadPriority": ["10", nil]], settings: strict, in: background)
        + PushChange.header("apns-priority", ["200": ["10", nil, "5", "1"]], settings: strict)
        + PushChange.header("apns-expiration", ["200": ["0", "300", "1795168800"], "400 BadExpirationDate": badDates])
        + PushChange.header("apns-collapse-id", ["200": [letters("c", 64), letters("é", 32)]])
        + PushChange.header("apns-collapse-id", ["400 BadCollapseId": [letters("c", 65), letters("é", 33)]])

    private static let management: PushChange.Edit = {
        ($0.address, $0.body, $0.headers) = (Apple.token(for: .mdm), #"{"mdm":"magic"}"#, Apple.managed)
    }

    private static let badTopics = ["com example", "com.example.ü", "com.example.none", "com.example.shop.other"]
    private static let badTypes = ["Alert", "LiveActivity", "safari", "push", "mdm"]

    private static let topics: [PushChange] =
        PushChange.header(
            "apns-topic", ["200": [Apple.shop], "400 MissingTopic": [nil, ""], "400 BadTopic": badTopics])
        + PushChange.header(
            "apns-topic", ["400 TopicDisallowed": ["com.example.none"]],
            settings: { $0.unknownTopicReason = .topicDisallowed })
        + PushChange.header(
            "apns-topic", ["403 InvalidProviderToken": [Apple.bank]],
            settings: { $0.foreignTopicReason = .invalidProviderToken })
        // A type is one of the list, in small letters. Device management has a topic of its own.
        + PushChange.header("apns-push-type", ["400 InvalidPushType": badTypes])
        + PushChange.header("apns-push-type", ["200": ["mdm"], "400 InvalidPushType": ["alert"]], in: management)

    /// A payload of a number of bytes, with a push type and without.
    private static func sized(_ bytes: Int, _ outcome: String, isCall: Bool = false) -> [PushChange] {
        let push: PushChange.Edit = { draft in
            draft.body = #"{"aps":{},"k":"\#(letters("x", bytes - #"{"aps":{},"k":""}"#.utf8.count))"}"#
            if isCall { (draft.address, draft.headers) = (Apple.token(for: .voip), Apple.call) }
        }
        return PushChange.header("apns-push-type", [outcome: [isCall ? "voip" : "alert", nil]], in: push)
    }

    private static let empty: PushChange.Settings = { $0.unreadablePayload = .payloadEmpty }
    private static let bad: PushChange.Settings = { $0.unreadablePayload = .badRequestPayload }

    private static func unreadable(_ body: String) -> [PushChange] {
        [("400 PayloadEmpty", empty), ("400 BadRequestPayload", bad)].map { outcome, settings in
            PushChange(body, outcome, settings: settings) { $0.body = body }
        }
    }

    private static let payloads: [PushChange] =
        sized(4096, "200") + sized(4097, "413 PayloadTooLarge") + sized(5120, "200", isCall: true)
        + sized(5121, "413 PayloadTooLarge", isCall: true)
        + [PushChange("no body", "400 PayloadEmpty") { $0.body = "" }, PushChange("{}", "200") { $0.body = "{}" }]
        + ["hello", "[1]", #"{"aps":"#].flatMap(unreadable)

    private static let capitals: PushChange.Edit = { $0.address = $0.address.uppercased() }

    /// A token that is malformed, unknown or of the other environment looks the same.
    private static let tokens: [PushChange] =
        [
            "x", "abc", Apple.ghost, Apple.sandboxed, "phone", Apple.token(for: .app) + "a0",
            Apple.token(for: .app) + "/a0", "%61" + Apple.token(for: .app),
        ].map { (token: String) in PushChange(token, "400 BadDeviceToken") { $0.address = token } }
        + PushChange.header(
            "apns-topic", ["200": [Apple.cafe], "400 DeviceTokenNotForTopic": [Apple.shop]],
            in: { $0.address = Apple.cafeDevice })
        + [
            PushChange("capitals", "200", capitals),
            PushChange("capitals", "400 BadDeviceToken", settings: { $0.acceptsUppercaseTokens = false }, capitals),
        ]

    @Test("every push has its outcome", arguments: addresses + doubled + fields + topics + payloads + tokens)
    func push(row: PushChange) async throws {
        let apple = try Apple(settings: row.settings)
        var draft = PushDraft()
        row.apply(&draft)
        let answer = try await draft.send(to: apple)
        #expect(answer.outcome == row.outcome)
        // An id that is no UUID does not come back.
        #expect(answer.id?.count == 36 && !Self.badIDs.contains(answer.id ?? ""))
    }

    @Test("the id comes back as it was given, in capitals or not", arguments: [true, false])
    func echo(isLarge: Bool) async throws {
        let apple = try Apple()
        let id = isLarge ? Apple.uuid.uppercased() : Apple.uuid
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

    @Test("a key for some topics pushes to no other")
    func keyTopics() async throws {
        let apple = try Apple(signers: { $0[0].topics = [Apple.shop, Apple.cafe + ".voip"] })
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

    @Test("a payload that is not a JSON object is accepted and lost", arguments: ["hello", "[1]", #"{"aps":"#])
    func unreadable(body: String) async throws {
        let apple = try Apple()
        #expect(await apple.send(body).outcome == "200")
        #expect(await apple.inbox() == [])
        #expect(await apple.push() == "200")
        #expect(await apple.inbox().count == 1)
    }

    @Test("a token has an even number of digits, up to 200", arguments: [(2, 200), (200, 200), (202, 400), (199, 400)])
    func lengths(digits: Int, status: Int) async throws {
        let token = String(repeating: "7", count: digits)
        let registration = APNsRegistration(VirtualDevice("other", .ios), token: token)
        let apple = try Apple(apps: { $0[0].registrations.append(registration) })
        #expect(await apple.send(to: token).status == status)
    }
}
