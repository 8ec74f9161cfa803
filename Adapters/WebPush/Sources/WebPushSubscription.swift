public import FoundationEssentials
public import PushAdapter
import PushCrypto

/// A browser's subscription: where to send, and the keys that encrypt messages for it.
///
/// The address is a secret: whoever knows it may send to the browser. Texts about a subscription show its origin only.
public struct WebPushSubscription: Sendable {
    /// The address at the push service, byte for byte.
    public let endpoint: String
    /// Scheme, host and port of the address: `https://push.example`.
    public let origin: String
    /// The id of the server key with which the browser subscribed: ``WebPushKey/id``.
    public let vapidKey: String
    /// When the subscription ends, if the browser says so; most do not. Not part of the device id.
    public let expirationTime: Date?
    /// The subscription as a target: its JSON, always written in the same way. A renewed subscription, with the same
    /// address and new keys, is another target.
    public let deviceID: DeviceID
    let encryption: WebPushEncryption

    /// A subscription from its parts.
    ///
    /// Refuses with `invalidArgument` an address that is no absolute URL or has more than 2,048 bytes, keys of another
    /// length, a point that is not on the curve, and an id that is not one of a key. Whether the host is allowed is a
    /// setting: see ``WebPush/subscription(from:vapidKey:)``.
    /// - Parameters:
    ///   - endpoint: the address at the push service.
    ///   - p256dh: the browser's public key: 65 bytes as base64, in either alphabet.
    ///   - auth: the secret that goes with it: 16 bytes as base64.
    ///   - vapidKey: the id of the server key with which the browser subscribed.
    ///   - expirationTime: when the subscription ends.
    public init(
        endpoint: String, p256dh: String, auth: String, vapidKey: String, expirationTime: Date? = nil
    ) throws(PushError) {
        guard endpoint.utf8.count <= EndpointRules.longestEndpoint else { throw EndpointRules.tooLong }
        guard let point = p256dh.base64Bytes, let secret = auth.base64Bytes else {
            throw Self.refusal("its keys are not base64; take them as the browser's JSON has them")
        }
        guard vapidKey.utf8.count == 16, vapidKey.utf8.allSatisfy("0123456789abcdef".utf8.contains) else {
            throw Self.refusal("the id of its server key has not 16 hex digits; take WebPushKey.id")
        }
        origin = try TargetAddress(endpoint).origin
        encryption = try WebPushEncryption(p256dh: point, auth: Secret(secret))
        (self.endpoint, self.vapidKey, self.expirationTime) = (endpoint, vapidKey, expirationTime)
        let json = try JSONWriter.bytes { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                json.field("endpoint", endpoint)
                try json.field("keys") { (json) throws(PushError) in
                    try json.object { json in
                        json.field("p256dh", Base64URL.encode(point))
                        json.field("auth", Base64URL.encode(secret))
                    }
                }
                json.field("vapid", vapidKey)
            }
        }
        deviceID = DeviceID(String(decoding: json, as: UTF8.self))
    }

    /// A subscription from the text of `JSON.stringify(subscription)` in a browser, or from that of a device id.
    /// Ignores further members. Refuses the same as ``init(endpoint:p256dh:auth:vapidKey:expirationTime:)``.
    /// - Parameters:
    ///   - json: the text.
    ///   - vapidKey: the id of the server key with which the browser subscribed; nil if the JSON has it.
    public init(json: String, vapidKey: String? = nil) throws(PushError) {
        try self.init(json: Array(json.utf8), vapidKey: vapidKey)
    }

    /// The same from UTF-8.
    public init(json: [UInt8], vapidKey: String? = nil) throws(PushError) {
        guard json.count <= Self.longestJSON, let value = try? JSONValue(parsing: json),
            let endpoint = value["endpoint"]?.stringValue, let p256dh = value["keys"]?["p256dh"]?.stringValue,
            let auth = value["keys"]?["auth"]?.stringValue
        else { throw Self.refusal("it is not JSON with endpoint, keys.p256dh and keys.auth") }
        let own = value["vapid"]?.stringValue
        guard let key = own ?? vapidKey, vapidKey == nil || key == vapidKey else {
            throw Self.refusal("it names no server key, or another one; give the id of the key it was made with")
        }
        let milliseconds: Double? =
            if case .number(let number) = value["expirationTime"] { Double(number.description) } else { nil }
        try self.init(
            endpoint: endpoint, p256dh: p256dh, auth: auth, vapidKey: key,
            expirationTime: milliseconds.map { Date(timeIntervalSince1970: $0 / 1000) })
    }

    /// The subscription of a target. Refuses with `invalidArgument` a device id that ``deviceID`` did not make.
    public init(_ id: DeviceID) throws(PushError) {
        try self.init(json: id.rawValue)
        guard deviceID == id else {
            throw Self.refusal("its JSON is not in the form of WebPushSubscription.deviceID; make the id with that")
        }
    }

    /// A short digest of the address, for logs: the first 8 bytes of its SHA-256, as 16 hex digits.
    public var endpointHash: String { Digests.hex(Digests.sha256(Array(endpoint.utf8)).prefix(8)) }

    private static let longestJSON = 16 << 10

    private static func refusal(_ fault: String) -> PushError {
        PushError(.invalidArgument, "the subscription cannot be used: \(fault)")
    }
}

extension WebPushSubscription: Hashable {
    /// Equal when the targets are.
    public static func == (left: WebPushSubscription, right: WebPushSubscription) -> Bool {
        left.deviceID == right.deviceID
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(deviceID) }
}

extension WebPushSubscription: CustomStringConvertible, CustomReflectable {
    public var description: String { "a subscription at \(origin)" }
    public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
