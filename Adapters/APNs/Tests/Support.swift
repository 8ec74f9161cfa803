import FoundationEssentials
import PushAPNs
import PushAdapter
import PushCrypto
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

    /// A message in its JSON form.
    static func message(_ json: String) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(json.utf8))
    }

    static func exchange(
        of message: Message, from apns: APNs? = nil, to device: DeviceID = Shop.device(0), at moment: Date = Shop.now
    ) throws -> Exchange<SendReceipt> {
        let apns = try apns ?? self.apns()
        return try apns.send(message, to: .devices([device]), in: SendContext(at: moment))
    }

    static func request(
        of message: Message, from apns: APNs? = nil, to device: DeviceID = Shop.device(0), at moment: Date = Shop.now
    ) throws -> WireRequest {
        try exchange(of: message, from: apns, to: device, at: moment).request
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
        let refusal = try refusal(of: message)
        #expect(refusal?.kind == kind, sourceLocation: place)
        let text = refusal?.message ?? ""
        #expect(word.isEmpty || text.contains(word), "\(text)", sourceLocation: place)
    }

    static func bytes(of request: WireRequest) -> [UInt8] {
        if case .bytes(let bytes, _) = request.body { return bytes }
        return []
    }

    static func body(of request: WireRequest) throws -> JSONValue { try JSONValue(parsing: bytes(of: request)) }

    /// The encoded body of a message.
    static func body(of message: Message) throws -> JSONValue { try body(of: request(of: message)) }

    static func header(_ name: String, of request: WireRequest) -> String? { header(name, of: request.headers) }

    static func header(_ name: String, of fields: HTTPFields) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    /// All header fields by name, without the id of the push. A repeated field has all its values.
    static func headers(of request: WireRequest) -> [String: String] {
        let fields = request.headers.map { ($0.name.canonicalName, $0.value) }
        return Dictionary(fields, uniquingKeysWith: { "\($0), \($1)" }).filter { $0.key != "apns-id" }
    }

    static func headers(_ fields: [String: String]) -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }

    /// The body of a refusal in Apple's form.
    static func refusalBody(_ reason: String) -> [UInt8] { JSONWriter.bytes(of: ["reason": .string(reason)]) }
}

/// Expects a call to throw an error of a kind, with a word in its text.
@discardableResult
func expectError<Output>(
    _ kind: PushError.Kind, naming word: String = "", at place: SourceLocation = #_sourceLocation,
    _ call: () throws -> Output
) -> PushError? {
    let error = #expect(throws: PushError.self, sourceLocation: place) { _ = try call() }
    let text = error?.message ?? ""
    #expect(error?.kind == kind && (word.isEmpty || text.contains(word)), "\(text)", sourceLocation: place)
    return error
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

    func aps<Value>(_ path: WritableKeyPath<APSOptions, Value>, _ value: Value) throws -> Message {
        var aps = try options(APNsOptions.self)?.aps ?? APSOptions()
        aps[keyPath: path] = value
        return try option(\.aps, aps)
    }
}

/// A message, and the request that the adapter writes for it.
struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let message: @Sendable () throws -> Message
    let payload: JSONValue
    /// All but the id of the push.
    let headers: [String: String]

    /// - Parameter headers: the ones beside the topic, the type and the standard priority of the type.
    init(
        _ name: String, _ message: @autoclosure @escaping @Sendable () throws -> Message, _ payload: JSONValue,
        _ type: APNsPushType = .alert, headers: [String: String] = [:]
    ) {
        let row = PushTypeTests.rows.first { $0.type == type }
        (testDescription, self.message, self.payload) = (name, message, payload)
        var all = headers.merging(["apns-topic": row?.topic ?? "", "apns-push-type": type.rawValue]) { $1 }
        if let priority = row?.standard { all["apns-priority"] = priority }
        self.headers = all
    }

    func check() throws {
        let message = try message()
        let request = try Shop.request(of: message)
        #expect(try Shop.body(of: request) == payload)
        #expect(Shop.headers(of: request) == headers)
        #expect(try Shop.refusal(of: message) == nil)
    }
}

/// A message that the adapter refuses before anything is sent, and a word of its error.
struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: PushError.Kind
    let word: String
    let message: @Sendable () throws -> Message

    init(
        _ name: String, _ message: @autoclosure @escaping @Sendable () throws -> Message,
        _ kind: PushError.Kind = .invalidArgument, naming word: String = ""
    ) {
        (testDescription, self.kind, self.word, self.message) = (name, kind, word, message)
    }

    func check() throws { try Shop.expectRefusal(of: message(), kind, naming: word) }
}
