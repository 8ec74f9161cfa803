import APNsSimulator
import PushAdapter
import PushSimulation
import Testing

/// A good push, for a test to break.
struct PushDraft: Sendable {
    enum Token: Sendable { case good, none, invalid, expired, otherEnvironment }

    var method = HTTPRequest.Method.post
    var path = "/3/device/"
    var address = SimulatedApple.token(for: .app)
    var token = Token.good
    var headers: [String: String?] = ["apns-topic": SimulatedApple.shop, "apns-push-type": "alert"]
    var body = SimulatedApple.alert
    /// A header field that comes twice.
    var doubled: String?

    func send(to apple: SimulatedApple) async throws -> SimulatedApple.Answer {
        let jwt: String? =
            switch token {
            case .good: apple.bearer
            case .none: nil
            case .invalid: "a.b.c"
            case .expired: try apple.jwt(age: 3601)
            case .otherEnvironment: try apple.jwt(key: SimulatedApple.secondKey)
            }
        var fields = headers
        if let jwt { fields["authorization"] = "bearer " + jwt }
        var given = fields.compactMap { name, value in value.map { (name, $0) } }
        if let doubled { given = given.filter { $0.0 != doubled } + [(doubled, "1"), (doubled, "1")] }
        return await apple.ask(method, path + address, given, body)
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

    /// The values of a header field that have one outcome, in a push with other changes.
    static func header(
        _ name: String, _ values: [String?], _ outcome: String = "200", settings: @escaping Settings = { _ in },
        in push: @escaping Edit = { _ in }
    ) -> [PushChange] {
        values.map { value in
            PushChange("\(name) \(value ?? "missing")", outcome, of: name, settings: settings) { draft in
                push(&draft)
                draft.headers.updateValue(value, forKey: name)
            }
        }
    }
}
