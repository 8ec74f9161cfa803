public import PushAdapter
import PushCrypto
import PushSimulation

/// A subscription as a browser gives it to a page.
public struct BrowserSubscription: Sendable, Hashable {
    /// The address that takes its pushes.
    public let endpoint: String
    /// The browser's public key: base64url without padding.
    public let p256dh: String
    /// The secret that authenticates senders: base64url without padding.
    public let auth: String
    /// The key of the server that may send: 65 bytes; nil for any.
    public let applicationServerKey: [UInt8]?
    let keys: BrowserKeys

    /// Its JSON, as `JSON.stringify` writes it in a browser.
    public var json: String {
        #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(p256dh)","auth":"\#(auth)"}}"#
    }

    /// A new subscription at a service, with keys of its own, for a simulator that starts with it. Refuses with
    /// `invalidArgument` a server's key that is no point on P-256.
    public static func generate(
        at origin: String, by profile: WebPushProfile = .mozilla, applicationServerKey: [UInt8]?
    ) throws(PushError) -> BrowserSubscription {
        if let key = applicationServerKey { _ = try P256PublicKey(key, named: "applicationServerKey") }
        return BrowserSubscription(
            endpoint: origin + profile.newTarget(isOpen: applicationServerKey == nil),
            applicationServerKey: applicationServerKey, keys: try BrowserKeys())
    }

    /// The text of a message, as the browser decrypts it.
    ///
    /// Refuses one that was not encrypted for this browser, with `invalidArgument`.
    public func text(of message: [UInt8]) throws(PushError) -> [UInt8] { try keys.decryption.decrypt(message) }

    init(endpoint: String, applicationServerKey: [UInt8]?, keys: BrowserKeys) {
        (self.endpoint, self.applicationServerKey, self.keys) = (endpoint, applicationServerKey, keys)
        p256dh = Base64URL.encode(keys.decryption.p256dh)
        auth = keys.decryption.auth.withBytes { Base64URL.encode(Array($0)) }
    }

    /// The same subscription with new keys.
    func renewed() throws(PushError) -> BrowserSubscription {
        BrowserSubscription(endpoint: endpoint, applicationServerKey: applicationServerKey, keys: try BrowserKeys())
    }
}

/// The private half of a subscription, which stays in the browser.
struct BrowserKeys: Sendable, Hashable {
    let decryption: WebPushDecryption

    /// New keys, as random as the simulation.
    init() throws(PushError) {
        let number = Secret(SimulatorRandom.bytes(32))
        decryption = try WebPushDecryption(
            P256PrivateKey(number: number, named: "the browser's key"), auth: Secret(SimulatorRandom.bytes(16)))
    }

    static func == (left: BrowserKeys, right: BrowserKeys) -> Bool {
        left.decryption.p256dh == right.decryption.p256dh
    }
    func hash(into hasher: inout Hasher) { hasher.combine(decryption.p256dh) }
}

extension WebPushProfile {
    /// Path and query of a new endpoint.
    func newTarget(isOpen: Bool) -> String {
        let random = Base64URL.encode(SimulatorRandom.bytes(idCount))
        return (isOpen ? openPath ?? path : path) + random.prefix(idCount) + query
    }
}
