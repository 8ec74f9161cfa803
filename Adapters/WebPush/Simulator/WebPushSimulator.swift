public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// A push service for browsers, and the browsers behind it (RFC 8030, 8291 and 8292).
///
/// A ``WebPushProfile`` decides how the service checks and answers. The service sees only the encrypted message. Its
/// browsers decrypt it, show it on their phones, and report the result.
public actor WebPushSimulator: VendorSimulator {
    /// `webpush`, the same as the adapter's provider id.
    public nonisolated let vendor = "webpush"
    /// True: a path is most of a subscription's address.
    public nonisolated let hasSecretPaths = true
    nonisolated let profile: WebPushProfile
    /// The broadcasts that sessions announce, as versions by their ids.
    nonisolated let broadcasts: [String: String]
    /// The origin of new endpoints, and the audience of tokens. A request that came under another name may have that, and
    /// one to an endpoint that exists from the start may have that one's.
    public private(set) var origin: String
    public var devices: [String: SimulatedDevice] = [:]
    /// By path and query of the endpoint.
    var subscriptions: [String: Subscription] = [:]
    /// The endpoint of each device that has a subscription.
    var homes: [String: BrowserSubscription] = [:]
    /// Browsers that came over sessions, by `uaid`.
    var agents: [String: UserAgent] = [:]
    /// The open sessions, by number.
    var sessions: [Int: OpenSession] = [:]
    var lastSession = 0
    /// Where each stored message waits, by its id.
    var places: [String: String] = [:]
    /// No stored message expires before.
    var nextExpiry = Date.distantFuture
    /// Credentials with a verified signature, by digest.
    private var verified: [[UInt8]: VAPID] = [:]
    /// The newest token of each key.
    private var tokens: [P256PublicKey: (digest: [UInt8], since: Date)] = [:]
    /// Salts and keys of senders, each with the digest of its body.
    private var secrets: [[UInt8]: [UInt8]] = [:]
    /// The number of accepted pushes.
    public private(set) var sendCount = 0
    /// The browsers' reports on messages, oldest first.
    public internal(set) var reports: [BrowserReport] = []
    /// The ids of messages whose salt or key another message had before, which breaks the encryption of both.
    public private(set) var repeatedSecrets: [String] = []

    /// - Parameters:
    ///   - profile: how the service checks and answers.
    ///   - origin: the origin of endpoints. Set another with ``setOrigin(_:)`` when a server has its port.
    ///   - browsers: devices with the subscriptions that exist from the start.
    ///   - broadcasts: the broadcasts that sessions announce, as versions by their ids.
    public init(
        _ profile: WebPushProfile = .mozilla, at origin: String = InProcessTransport.origin,
        browsers: [(device: VirtualDevice, subscription: BrowserSubscription)] = [], broadcasts: [String: String] = [:]
    ) {
        (self.profile, self.origin, self.broadcasts) = (profile, origin, broadcasts)
        for (device, subscription) in browsers {
            devices[device.id] = SimulatedDevice(device)
            homes[device.id] = subscription
            let target = Self.target(of: subscription.endpoint)
            subscriptions[target] = Subscription(subscription, of: device.id, created: nil)
            subscriptions[target]?.origin = String(subscription.endpoint.dropLast(target.count))
        }
    }

    /// The origin of new endpoints and the audience of tokens from now on. Earlier endpoints keep their text.
    public func setOrigin(_ origin: String) { self.origin = origin }

    // MARK: VendorSimulator

    /// One address, which only endpoints use.
    public nonisolated func addresses(at origin: String) -> [String: String] { ["origin": origin, "push": origin] }

    /// Answers as the service does.
    public func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        settle(at: now)
        do throws(WebPushRefusal) {
            if let id = messageID(in: request) { return try delete(id) }
            return try push(request, at: now)
        } catch {
            return error.response(profile.form)
        }
    }

    /// The service's answer to too many pushes. `reset` becomes `Retry-After`; ntfy and Apple send none.
    public nonisolated func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse {
        var refusal = profile.refusal(.rate)
        if refusal.fields["Retry-After"] != nil { refusal.fields["Retry-After"] = reset.map { String($0) } }
        return refusal.response(profile.form)
    }

    /// The service's own failure. Mozilla's 503 says to wait for 120 seconds.
    public nonisolated func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse {
        (profile.failures[status] ?? WebPushRefusal(status)).response(profile.form)
    }

    // MARK: Steps

    private func push(_ request: SimulatedRequest, at now: Date) throws(WebPushRefusal) -> SimulatedResponse {
        let target = request.query.isEmpty ? request.path : "\(request.path)?\(request.query)"
        guard let subscription = subscriptions[target] else { throw profile.refusal(.unknownPath) }
        var push = Incoming(
            request: request, now: now, target: target, subscription: subscription, ttl: profile.usualTTL)
        for check in profile.checks { try run(check, on: &push) }
        return accept(push)
    }

    private func run(_ check: WebPushCheck, on push: inout Incoming) throws(WebPushRefusal) {
        switch check {
        case .frame: try push.checkFrame(profile)
        case .credentials: push.vapid = try credentials(of: push)
        case .serverKey:
            let isForeign = push.subscription.serverKey.map { $0 != push.vapid?.key.bytes } ?? false
            try profile.refuse(.foreignKey, if: isForeign)
        case .subscription: try checkSubscription(push)
        case .rate: try count(push)
        case .size: try push.checkSize(profile)
        case .ttl: if profile.readsTTL { try push.readTTL(profile) }
        case .encoding: try push.readEncoding(profile)
        case .topic: if profile.readsTopics { try push.readTopic(profile) }
        case .urgency: try push.checkUrgency(profile)
        }
    }

    /// The sender. Nil if there is none, and the subscription is for any.
    private func credentials(of push: Incoming) throws(WebPushRefusal) -> VAPID? {
        if push.subscription.serverKey == nil, push.request.headers[.authorization] == nil { return nil }
        let digest = VAPID.digest(of: push.request)
        let vapid: VAPID
        if let known = verified[digest] { vapid = known } else { vapid = try VAPID(push.request, profile) }
        if verified.count >= 1000 { verified = [:] }
        verified[digest] = vapid
        try vapid.check(profile, isOrigin: { isOrigin($0, of: push) }, at: push.now)
        try note(vapid, at: push.now)
        return vapid
    }

    /// Whether a text is the origin of the service, or of an endpoint that exists from the start, or the one under
    /// which a request reached it. A request does not say its port, so any fits except the usual one.
    private func isOrigin(_ text: String, of push: Incoming) -> Bool {
        if text == origin || text == push.subscription.origin { return true }
        let request = push.request
        guard !request.host.isEmpty, !origin.hasSuffix("://" + request.host), !origin.contains("://\(request.host):")
        else { return false }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let port = parts.count == 3 ? parts[2] : "0"
        return parts.count > 1 && parts[1] == "//" + request.host && Int(port) != nil && port != "443"
    }

    /// Notes the token of a key. Refuses a new one if the last is too young.
    private func note(_ vapid: VAPID, at now: Date) throws(WebPushRefusal) {
        if let last = tokens[vapid.key] {
            guard last.digest != vapid.digest else { return }
            let age = now.timeIntervalSince(last.since)
            try profile.refuse(.renewedTooSoon, if: age < profile.tokenInterval ?? 0)
        }
        tokens[vapid.key] = (vapid.digest, now)
    }

    private func checkSubscription(_ push: Incoming) throws(WebPushRefusal) {
        try profile.refuse(.gone, if: push.subscription.isGone)
        let age = push.subscription.created.map { push.now.timeIntervalSince($0) } ?? .infinity
        try profile.refuse(.fresh, if: age < profile.freshSeconds)
        let absence = push.now.timeIntervalSince(lastSeen(push.subscription, at: push.now))
        try profile.refuse(.stale, if: absence > profile.absence ?? .infinity)
    }

    private func count(_ push: Incoming) throws(WebPushRefusal) {
        guard let limit = profile.pushes else { return }
        subscriptions[push.target]?.rate.seconds = profile.rateSeconds
        let fits = subscriptions[push.target]?.rate.take(limit, push.now) ?? true
        try profile.refuse(.rate, if: !fits)
    }

    private func accept(_ push: Incoming) -> SimulatedResponse {
        sendCount += 1
        let message = StoredMessage(push, profile)
        note(message)
        take(message, at: push.target, now: push.now)
        return profile.answer(message, push, origin)
    }

    /// Notes salt and key of the sender. The same body again is a retry.
    private func note(_ message: StoredMessage) {
        guard message.encoding == "aes128gcm", let header = try? ContentEncoding.Header(of: message.body) else {
            return
        }
        let digest = Digests.sha256(message.body)
        let isRepeated = [header.salt, header.keyID].contains { secrets[$0] != nil && secrets[$0] != digest }
        if isRepeated { repeatedSecrets.append(message.id) }
        for secret in [header.salt, header.keyID] where secrets[secret] == nil { secrets[secret] = digest }
    }
}
