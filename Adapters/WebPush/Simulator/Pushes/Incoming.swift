import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// A push on its way through the checks.
struct Incoming {
    let request: SimulatedRequest
    let now: Date
    /// Path and query of the endpoint.
    let target: String
    let subscription: Subscription
    var vapid: VAPID?
    /// Seconds, after the service shortened it.
    var ttl: Int
    var topic: String?
    /// Nil without a body.
    var encoding: String?

    // MARK: Frame

    func checkFrame(_ profile: WebPushProfile) throws(WebPushRefusal) {
        // A service without an answer of its own for a method denies the path.
        if request.method != .post { throw profile.refusals[.method] ?? profile.refusal(.unknownPath) }
        try profile.refuse(.chunked, if: request.value("transfer-encoding")?.lowercased() == "chunked")
    }

    func checkSize(_ profile: WebPushProfile) throws(WebPushRefusal) {
        try profile.refuse(.tooLarge, if: request.body.count > profile.bodyBytes)
    }

    // MARK: Header fields

    mutating func readTTL(_ profile: WebPushProfile) throws(WebPushRefusal) {
        let text = request.value("ttl") ?? ""
        let digits = text.drop { $0 == "-" }
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        try profile.refuse(.noTTL, if: !isNumber || text.count - digits.count > 1)
        try profile.refuse(.negativeTTL, if: text.hasPrefix("-"))
        // A number that does not fit counts as 2^31 (RFC 8030, section 5.2).
        let seconds = isNumber ? Int(text) ?? 1 << 31 : profile.usualTTL
        try profile.refuse(.zeroTTL, if: seconds == 0 && request.value("x-wns-cache-policy") != "no-cache")
        ttl = min(max(0, seconds), profile.longestTTL)
    }

    mutating func readTopic(_ profile: WebPushProfile) throws(WebPushRefusal) {
        guard var text = request.value("topic") else { return }
        while profile.takesPaddedTopics, text.last == "=" { text.removeLast() }
        let isTopic = (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(Self.topicBytes.contains)
        try profile.refuse(.badTopic, if: !isTopic)
        topic = text
    }

    private static let topicBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    func checkUrgency(_ profile: WebPushProfile) throws(WebPushRefusal) {
        let values = request.values("urgency")
        try profile.refuse(.doubledUrgency, if: values.count > 1)
        try profile.refuse(
            .badUrgency, if: values.contains { !["very-low", "low", "normal", "high"].contains($0) })
    }

    // MARK: Body

    mutating func readEncoding(_ profile: WebPushProfile) throws(WebPushRefusal) {
        guard !request.body.isEmpty else { return }
        let values = request.values("content-encoding")
        try profile.refuse(.badEncoding, if: values.count != 1 || !profile.encodings.isSuperset(of: values))
        encoding = values.first
        guard encoding == "aes128gcm" else { return }
        let isMixed =
            request.value("encryption")?.contains("salt=") == true
            || request.value("crypto-key")?.contains("dh=") == true
        try profile.refuse(.mixedEncodings, if: isMixed)
        let sender = Self.sender(of: request.body)
        try profile.refuse(.badBody, if: sender == nil)
        try profile.refuse(.sharedKey, if: sender != nil && sender == vapid?.key)
    }

    /// The key in the header of an encrypted body; nil if the header is wrong, or does not fit the body.
    private static func sender(of body: [UInt8]) -> P256PublicKey? {
        guard body.count >= 103, let header = try? ContentEncoding.Header(of: body),
            header.recordSize >= body.count - header.count
        else { return nil }
        return try? P256PublicKey(header.keyID, named: "keyid")
    }
}
