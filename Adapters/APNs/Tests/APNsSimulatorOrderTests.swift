import APNsSimulator
import Foundation
import PushAdapter
import PushSimulation
import Testing

private typealias Apple = SimulatedApple

/// A push for a test to break.
private struct Draft: Sendable {
    enum Token: Sendable { case good, none, invalid, expired, otherEnvironment }

    var method = HTTPRequest.Method.post
    var path = "/3/device/"
    var address = Apple.token(for: .app)
    var token = Token.good
    var headers = ["apns-topic": Apple.shop, "apns-push-type": "alert"]
    var isDoubled = false
    var body = Apple.alert
}

/// One flaw of a push.
private struct Flaw: Sendable, CustomTestStringConvertible {
    let outcome: String
    /// The part that the flaw changes. A push can have only one of two flaws in the same part.
    let part: String
    let apply: @Sendable (inout Draft) -> Void

    var testDescription: String { outcome }

    init(_ outcome: String, _ part: String, _ apply: @escaping @Sendable (inout Draft) -> Void) {
        (self.outcome, self.part, self.apply) = (outcome, part, apply)
    }

    private static func header(_ outcome: String, _ name: String, _ value: String?) -> Flaw {
        Flaw(outcome, name) { $0.headers[name] = value }
    }

    /// The flaws that a push can have on their own, in the order of the checks.
    static let all: [Flaw] = [
        Flaw("405 MethodNotAllowed", "method") { $0.method = .get },
        Flaw("404 BadPath", "path") { $0.path = "/3/devices/" },
        Flaw("400 MissingDeviceToken", "address") { $0.address = "" },
        Flaw("400 DuplicateHeaders", "doubled") { $0.isDoubled = true },
        Flaw("403 MissingProviderToken", "token") { $0.token = .none },
        Flaw("403 InvalidProviderToken", "token") { $0.token = .invalid },
        Flaw("403 ExpiredProviderToken", "token") { $0.token = .expired },
        Flaw("403 BadEnvironmentKeyInToken", "token") { $0.token = .otherEnvironment },
        header("400 BadMessageId", "apns-id", "1"), header("400 MissingTopic", "apns-topic", nil),
        header("400 BadTopic", "apns-topic", "com.example.none"),
        header("400 TopicDisallowed", "apns-topic", Apple.bank),
        header("400 InvalidPushType", "apns-push-type", "loud"), header("400 BadPriority", "apns-priority", "7"),
        header("400 BadExpirationDate", "apns-expiration", "soon"),
        header("400 BadCollapseId", "apns-collapse-id", String(repeating: "c", count: 65)),
        Flaw("400 PayloadEmpty", "body") { $0.body = "" },
        Flaw("413 PayloadTooLarge", "body") { $0.body = String(repeating: "x", count: 4097) },
        Flaw("400 BadDeviceToken", "address") { $0.address = Apple.ghost },
        Flaw("400 DeviceTokenNotForTopic", "address") { $0.address = Apple.cafeDevice },
        Flaw("410 Unregistered", "address") { $0.address = Apple.tablet },
    ]
}

/// Which of two flaws Apple reports.
@Suite("APNs simulator: order of checks")
struct APNsSimulatorOrderTests {
    private static func apple(_ edit: (inout APNsSimulatorSettings) -> Void = { _ in }) async throws -> Apple {
        let apple = try Apple { _, signers, settings in
            signers[1].environment = .development
            settings.pushesUntilUnregistered = 0
            edit(&settings)
        }
        await apple.simulator.uninstall(Apple.tablet, at: apple.now)
        return apple
    }

    private static func send(_ draft: Draft, to apple: Apple) async throws -> String {
        var headers = draft.headers.map { ($0.key, $0.value) }
        let jwt: String? =
            switch draft.token {
            case .good: apple.bearer
            case .none: nil
            case .invalid: "a.b.c"
            case .expired: try apple.jwt(age: 3601)
            case .otherEnvironment: try apple.jwt(key: Apple.secondKey)
            }
        if let jwt { headers.append(("authorization", "bearer " + jwt)) }
        if draft.isDoubled { headers += [("apns-priority", "10"), ("apns-priority", "10")] }
        return await apple.ask(draft.method, draft.path + draft.address, headers, draft.body).outcome
    }

    @Test("a push is refused for its flaw; of two flaws, the earlier check names its own", arguments: Flaw.all.indices)
    func order(index: Int) async throws {
        let apple = try await Self.apple()
        let first = Flaw.all[index]
        var broken = Draft()
        first.apply(&broken)
        let alone = try await Self.send(broken, to: apple)
        #expect(alone == first.outcome)
        for second in Flaw.all[(index + 1)...] where second.part != first.part {
            var draft = Draft()
            second.apply(&draft)
            first.apply(&draft)
            let outcome = try await Self.send(draft, to: apple)
            #expect(outcome == first.outcome, "\(first.outcome) before \(second.outcome)")
        }
        let good = try await Self.send(Draft(), to: apple)
        #expect(good == "200")
        #expect(await apple.simulator.sendCount == 1)
    }

    @Test("the device token may be checked right after authentication")
    func deviceTokenFirst() async throws {
        let apple = try await Self.apple { $0.checksDeviceTokenFirst = true }
        var draft = Draft()
        draft.address = Apple.ghost
        for flaw in Flaw.all where flaw.part.hasPrefix("apns-") || flaw.part == "body" {
            var broken = draft
            flaw.apply(&broken)
            let outcome = try await Self.send(broken, to: apple)
            #expect(outcome == "400 BadDeviceToken", "\(flaw.outcome)")
        }
        draft.token = .expired
        let outcomes = [try await Self.send(draft, to: apple), try await Self.send(Draft(), to: apple)]
        #expect(outcomes == ["403 ExpiredProviderToken", "200"])
    }
}
