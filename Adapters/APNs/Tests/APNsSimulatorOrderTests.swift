import APNsSimulator
import PushAdapter
import PushSimulation
import Testing

/// Which of two flaws Apple reports.
@Suite("APNs simulator: order of checks")
struct APNsSimulatorOrderTests {
    /// The flaws that a push can have on their own, in the order of the checks.
    private static let flaws: [PushChange] =
        [
            PushChange("method", "405 MethodNotAllowed", of: "method") { $0.method = .get },
            PushChange("path", "404 BadPath", of: "path") { $0.path = "/3/devices/" },
            PushChange("no token", "400 MissingDeviceToken", of: "address") { $0.address = "" },
            PushChange("doubled", "400 DuplicateHeaders", of: "doubled") { $0.doubled = "apns-collapse-id" },
            PushChange("no jwt", "403 MissingProviderToken", of: "jwt") { $0.jwt = { _ in nil } },
            PushChange("invalid jwt", "403 InvalidProviderToken", of: "jwt") { $0.jwt = { _ in "a.b.c" } },
            PushChange("expired jwt", "403 ExpiredProviderToken", of: "jwt") { $0.jwt = { try $0.jwt(age: 3601) } },
            PushChange("key", "403 BadEnvironmentKeyInToken", of: "jwt") {
                $0.jwt = { try $0.jwt(key: Apple.secondKey) }
            },
        ] + PushChange.header("apns-id", ["400 BadMessageId": ["1"]])
        + PushChange.header(
            "apns-topic",
            ["400 MissingTopic": [nil], "400 BadTopic": ["com.example.none"], "400 TopicDisallowed": [Apple.bank]])
        + PushChange.header("apns-push-type", ["400 InvalidPushType": ["loud"]])
        + PushChange.header("apns-priority", ["400 BadPriority": ["7"]])
        + PushChange.header("apns-expiration", ["400 BadExpirationDate": ["soon"]])
        + PushChange.header("apns-collapse-id", ["400 BadCollapseId": [String(repeating: "c", count: 65)]]) + [
            PushChange("no body", "400 PayloadEmpty", of: "body") { $0.body = "" },
            PushChange("4,097 bytes", "413 PayloadTooLarge", of: "body") {
                $0.body = String(repeating: "x", count: 4097)
            },
            PushChange("ghost", "400 BadDeviceToken", of: "address") { $0.address = Apple.ghost },
            PushChange("cafe", "400 DeviceTokenNotForTopic", of: "address") { $0.address = Apple.cafeDevice },
            PushChange("tablet", "410 Unregistered", of: "address") { $0.address = Apple.tablet },
        ]

    private static func apple(checksDeviceTokenFirst: Bool = false) async throws -> Apple {
        let apple = try Apple(
            signers: { $0[1].environment = .development },
            settings: { ($0.pushesUntilUnregistered, $0.checksDeviceTokenFirst) = (0, checksDeviceTokenFirst) })
        await apple.simulator.uninstall(Apple.tablet, at: apple.now)
        return apple
    }

    private static func outcome(_ changes: PushChange..., on apple: Apple) async throws -> String {
        var draft = PushDraft()
        for change in changes { change.apply(&draft) }
        return try await draft.send(to: apple).outcome
    }

    @Test("a push is refused for its flaw; of two flaws, the earlier check names its own", arguments: flaws.indices)
    func order(index: Int) async throws {
        let apple = try await Self.apple()
        let first = Self.flaws[index]
        #expect(try await Self.outcome(first, on: apple) == first.outcome, "\(first.name)")
        for second in Self.flaws[(index + 1)...] where second.part != first.part {
            let outcome = try await Self.outcome(second, first, on: apple)
            #expect(outcome == first.outcome, "\(first.name) before \(second.name)")
        }
        #expect(try await Self.outcome(on: apple) == "200")
        #expect(await apple.simulator.sendCount == 1)
    }

    @Test("the device token may be checked right after authentication")
    func deviceTokenFirst() async throws {
        let apple = try await Self.apple(checksDeviceTokenFirst: true)
        let ghost = PushChange("ghost", "") { $0.address = Apple.ghost }
        for flaw in Self.flaws where flaw.part.hasPrefix("apns-") || flaw.part == "body" {
            #expect(try await Self.outcome(ghost, flaw, on: apple) == "400 BadDeviceToken", "\(flaw.name)")
        }
        let expired = PushChange("expired", "") { $0.jwt = { try $0.jwt(age: 3601) } }
        #expect(try await Self.outcome(ghost, expired, on: apple) == "403 ExpiredProviderToken")
        #expect(try await Self.outcome(on: apple) == "200")
    }
}

/// A good push, for a test to break.
struct PushDraft: Sendable {
    var method = HTTPRequest.Method.post
    var path = "/3/device/"
    var address = Apple.token(for: .app)
    /// The provider token; nil for none.
    var jwt: @Sendable (Apple) throws -> String? = { $0.bearer }
    var headers: [String: String?] = ["apns-topic": Apple.shop, "apns-push-type": "alert"]
    var body = Apple.alert
    /// A header field that comes twice.
    var doubled: String?

    func send(to apple: Apple) async throws -> SimulatedResponse {
        var fields = headers
        if let jwt = try jwt(apple) { fields["authorization"] = "bearer " + jwt }
        return await apple.ask(method, path + address, fields, body, doubled: doubled)
    }
}

/// A change to a push, and Apple's answer to it.
struct PushChange: Sendable, CustomTestStringConvertible {
    typealias Edit = @Sendable (inout PushDraft) -> Void
    typealias Settings = @Sendable (inout APNsSimulatorSettings) -> Void

    let name: String
    let outcome: String
    /// Two changes of the same part exclude each other.
    var part = ""
    var settings: Settings = { _ in }
    let apply: Edit

    var testDescription: String { "\(name): \(outcome)" }

    init(
        _ name: String, _ outcome: String, of part: String = "", settings: @escaping Settings = { _ in },
        _ apply: @escaping Edit
    ) {
        (self.name, self.outcome, self.part, self.settings, self.apply) = (name, outcome, part, settings, apply)
    }

    /// The values of a header field by their outcome, in a push with other changes.
    static func header(
        _ name: String, _ outcomes: KeyValuePairs<String, [String?]>, settings: @escaping Settings = { _ in },
        in push: @escaping Edit = { _ in }
    ) -> [PushChange] {
        outcomes.flatMap { outcome, values in
            values.map { value in
                PushChange("\(name) \(value ?? "missing")", outcome, of: name, settings: settings) { draft in
                    push(&draft)
                    draft.headers.updateValue(value, forKey: name)
                }
            }
        }
    }
}
