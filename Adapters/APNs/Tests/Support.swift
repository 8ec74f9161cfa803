import FoundationEssentials
import PushAPNs
import PushAdapter
import PushCrypto
import TestSupport
import Testing

/// The adapter of a shop's app, its messages, and the requests that the adapter writes.
enum Shop {
    static let topic = "com.example.shop"
    static let keyID = "K7EXAMPLE9"
    static let teamID = "T3AMEXAMP1"
    /// The topic of a certificate for device management.
    static let management = "com.apple.mgmt.External.4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"
    static let now = Date(timeIntervalSince1970: 1_795_165_200)
    /// One key for all tests.
    private static let pair = Result { try SigningKey.generate(.es256) }

    static func signingKey() throws -> SigningKey { try pair.get() }

    static func key(keyID: String = Shop.keyID, teamID: String = Shop.teamID) throws -> APNsKey {
        try APNsKey(pem: signingKey().privateKey, keyID: keyID, teamID: teamID)
    }

    static func apns() throws -> APNs { try APNs(key(), topic: topic) }

    /// A device token of 32 bytes.
    static func device(_ number: Int) -> DeviceID {
        let digits = String(number, radix: 16)
        return DeviceID("7c1e" + String(repeating: "0", count: 60 - digits.count) + digits)
    }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map(device)) }

    static func shown(_ ios: IOSNotification? = nil, extras: [String: JSONValue] = [:]) -> Message {
        Message(notification: Notification(title: "T", body: "B", extras: extras, ios: ios))
    }

    /// A custom message of a type.
    static func custom(
        _ type: APNsPushType, content: String = "", extras: [String: JSONValue] = [:], topic: String? = nil
    ) throws -> Message {
        var options = APNsOptions(pushType: type)
        options.topic = topic
        var message = Message(custom: CustomMessage(content: content, extras: extras))
        try message.set(options)
        return message
    }

    /// The plainest message of a type.
    static func message(_ type: APNsPushType) throws -> Message {
        switch type {
        case .alert: return shown()
        case .background: return Message(custom: CustomMessage(content: "c"))
        case .voip: return Message(voip: ["caller": "Ann"])
        case .liveActivity: return Message(liveActivity: ["event": "update", "content-state": ["eta": 9]])
        case .mdm: return try custom(.mdm, content: "magic", topic: management)
        case .complication, .fileProvider, .pushToTalk, .location, .widgets, .controls: return try custom(type)
        }
    }

    static func request(
        of message: Message, from apns: APNs? = nil, to device: DeviceID = Shop.device(0), at moment: Date = Shop.now
    ) throws -> WireRequest {
        try (apns ?? self.apns()).send(message, to: .devices([device]), in: SendContext(at: moment)).request
    }

    /// The error that refuses a message before anything is sent; nil if there is none.
    static func refusal(of message: Message, from apns: APNs? = nil) throws -> PushError? {
        let apns = try apns ?? self.apns()
        do throws(PushError) {
            let exchange = try apns.send(message, to: .devices([device(0)]), in: SendContext(at: now))
            try apns.capabilities.check(exchange.inputs, of: APNs.id)
        } catch {
            return error
        }
        return nil
    }

    /// Expects a refusal before anything is sent, with a word in its text.
    static func expectRefusal(
        of message: Message, _ kind: PushError.Kind = .invalidArgument, naming word: String = "",
        at place: SourceLocation = #_sourceLocation
    ) throws {
        ErrorParts.error(kind, naming: word).check(try refusal(of: message), at: place)
    }

    static func header(_ name: String, of request: WireRequest) -> String? { header(name, of: request.headers) }

    static func header(_ name: String, of fields: HTTPFields) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    /// All header fields by name, without the id of the push. A repeated field has all its values.
    static func headers(of request: WireRequest) -> [String: String] {
        let fields = request.headers.map { ($0.name.canonicalName, $0.value) }
        return Dictionary(fields, uniquingKeysWith: { "\($0), \($1)" }).filter { $0.key != "apns-id" }
    }
}

/// Copies with one change.
extension Message {
    func with<Value>(_ path: WritableKeyPath<Message, Value>, _ value: Value) -> Message {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }

    func option<Value>(_ path: WritableKeyPath<APNsOptions, Value>, _ value: Value) throws -> Message {
        var copy = self
        var options = try options(APNsOptions.self) ?? APNsOptions()
        options[keyPath: path] = value
        try copy.set(options)
        return copy
    }
}

extension Secret {
    var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}

extension Exchange where Output: Sendable {
    /// Expects that responses are not taken for a success.
    func expectUnreadable(_ responses: WireResponse..., at place: SourceLocation = #_sourceLocation) {
        for response in responses {
            expectThrows(.error(.malformedResponse, effect: .unknown), at: place) { try decode(response) }
        }
    }
}

/// A message, and the request that the adapter writes for it: a row of `pushes.json`.
struct Form: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var message: Message
    var payload: JSONValue
    /// Nil for an alert.
    var type: APNsPushType?
    /// The ones beside the id of the push, its topic, its type and the standard priority of the type.
    var headers: [String: String]?

    var testDescription: String { name }

    func check() throws {
        let request = try Shop.request(of: message)
        #expect(try request.json() == payload)
        let row = try #require(PushTypeTests.rows.first { $0.type == type ?? .alert })
        var expected = ["apns-topic": row.topic, "apns-push-type": row.type.rawValue]
        expected["apns-priority"] = row.standard
        #expect(Shop.headers(of: request) == expected.merging(headers ?? [:]) { $1 })
        #expect(try Shop.refusal(of: message) == nil)
    }
}

/// A message that the adapter refuses before anything is sent: a row of `refusals.json`.
struct Refused: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var message: Message
    /// Nil for `invalidArgument`.
    var kind: PushError.Kind?
    /// A word of the error; nil for any.
    var word: String?

    var testDescription: String { name }
}
