import FoundationEssentials
public import Load
public import PushAPNs
public import PushAdapter
import PushCrypto

extension APNs {
    /// An adapter with a new key, for a server at this origin.
    public static func sample(at origin: String) throws(PushError) -> APNs {
        let key = try APNsKey(
            pem: SigningKey.generate(.es256).privateKey, keyID: "KEYONE0001", teamID: "TEAMONE001")
        return try APNs(key, topic: "com.example.shop", dataCenter: APNs.dataCenters.standard.moved(to: origin))
    }
}

extension Sample {
    /// The message of the fan-outs over APNs, filled up until its body has 600 bytes.
    public static func push(for apns: APNs) throws(PushError) -> Message {
        func filled(with count: Int) -> Message {
            var message = Sample.message
            message.platforms = nil
            message.notification?.extras["note"] = JSONValue.string(String(repeating: "x", count: count))
            return message
        }
        let (_, least) = try SamplePush.request(apns, filled(with: 0))
        return filled(with: max(0, 600 - least.count))
    }
}

/// A push as the adapter makes it, for programs that send the same.
public struct SamplePush: Sendable {
    /// The bytes of the body.
    public var body: [UInt8]
    /// The header fields in lower case, with those that the transport adds, except for the length of the body.
    public var headers: [(name: String, value: String)]

    /// The push of the fan-outs, signed now.
    public init(_ apns: APNs) throws(PushError) {
        let (exchange, bytes) = try Self.request(apns, try Sample.push(for: apns))
        let now = Date()
        guard case .made(let token)? = try apns.roles.tokens?.mint(exchange.credential, now),
            case .bytes(_, let contentType) = exchange.request.body
        else { throw PushError(.unsupported, "the adapter makes no token") }
        let signature = try apns.authorizer.authorize(
            exchange.request, as: exchange.credential, with: token, at: now)
        body = bytes
        headers = (Array(exchange.request.headers) + Array(signature)).map { ($0.name.canonicalName, $0.value) }
        headers.append(("user-agent", "PushBridge"))
        if !contentType.isEmpty { headers.append(("content-type", contentType)) }
    }

    /// The request of a message to one token, and its body.
    static func request(
        _ apns: APNs, _ message: Message
    ) throws(PushError) -> (exchange: Exchange<SendReceipt>, body: [UInt8]) {
        let audience = Audience.devices(Sample.tokens(1))
        let exchange = try apns.send(message, to: audience)
        guard case .bytes(let bytes, _) = exchange.request.body else {
            throw PushError(.unsupported, "the adapter makes no request with a body")
        }
        return (exchange, bytes)
    }
}
