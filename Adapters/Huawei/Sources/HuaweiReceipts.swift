public import FoundationEssentials
public import PushAdapter
import PushCrypto
public import PushWebhooks

/// Reads Huawei's receipts, of HarmonyOS and of Android, in both versions: the outcome of a message on a device.
///
/// They are the only word of the vendor about removed apps: the results 2 and 5 carry the verdict `dead`. The vendor
/// signs time, nonce and user name but not the body, so listen on TLS only, and set user name and key in the console.
/// This type refuses unsigned receipts, stale times and replays. Receipts may arrive twice, in any order, and before
/// the response to the send.
///
/// ```swift
/// let receipts = try HuaweiReceipts(username: "ops", key: Secret(text))
/// let answer = try await receipts.receive(call, at: Date())
/// ```
public struct HuaweiReceipts: WebhookReceiver {
    private let username: String
    private let key: Secret
    private let nonces: any NonceStore
    private let freshness: Duration
    private let longestBody: Int

    /// Creates a receiver for receipts signed with the user name and the key of the console's receipt settings. Create
    /// one and keep it. Refuses an empty key, and a key that is not in the form it is said to have, with
    /// `misconfigured`.
    /// - Parameters:
    ///   - username: as in the console.
    ///   - key: as in the console.
    ///   - keyIsBase64: whether the console's key is Base64 of the real one. A comment in the vendor's samples says so
    ///     of newer keys.
    ///   - nonces: nonces of verified receipts. All machines that receive must share one store. The default serves only
    ///     this value.
    ///   - freshness: how far the time of a receipt may be from now, before and after. The vendor documents no window.
    ///   - longestBody: in bytes. A longer body is refused unread.
    public init(
        username: String, key: Secret, keyIsBase64: Bool = false, nonces: any NonceStore = MemoryNonceStore(),
        freshness: Duration = .seconds(300), longestBody: Int = 1 << 20
    ) throws(PushError) {
        let decoded: Secret? =
            keyIsBase64 ? key.withBytes { Data(base64Encoded: Data($0)).map { Secret($0) } } : key
        guard let decoded, !decoded.isEmpty else {
            throw PushError(
                .misconfigured,
                "the key of Huawei's receipts is empty or not Base64; copy it from the console, and see keyIsBase64")
        }
        (self.username, self.key, self.nonces) = (username, decoded, nonces)
        (self.freshness, self.longestBody) = (freshness, longestBody)
    }

    /// Verifies signature and time, reads the events, then claims the nonce.
    ///
    /// Refuses a method other than POST (405), a long body (413), a wrong signature or a stale time (401), an
    /// unreadable body (400) and a replay (409). Answers 503 if it cannot reach the nonce store. An unsigned call
    /// without receipts is the console's test of the address: it gets the vendor's answer.
    public func receive(_ call: WebhookCall, at now: Date) async throws(WebhookRefusal) -> WebhookAnswer {
        guard call.method == .post else { throw WebhookRefusal(status: 405, "receipts must use POST") }
        guard call.body.count <= longestBody else { throw WebhookRefusal(status: 413, "the receipt is too long") }
        let value = try? JSONValue(parsing: call.body)
        guard let text = Self.header.flatMap({ call.headers[$0] }) else {
            guard value?["statuses"]?.arrayValue?.isEmpty ?? true else {
                throw .unauthorized("the receipt has no X-HUAWEI-CALLBACK-ID; set user name and key in the console")
            }
            return WebhookAnswer([], body: Self.thanks)
        }
        let signature = try verified(text, now)
        guard let value, let statuses = value["statuses"]?.arrayValue else {
            throw .malformed("the receipt has no list of statuses")
        }
        var events: [WebhookEvent] = []
        for status in statuses {
            guard case .object(let fields) = status else { throw .malformed("a status is not a JSON object") }
            events.append(WebhookEvent(huawei: fields))
        }
        let expiry = signature.date.addingTimeInterval(freshness.seconds)
        try await nonces.claimOnce(signature.nonceKey, until: expiry, at: now)
        return WebhookAnswer(events, body: Self.thanks, nonce: signature.nonceKey)
    }

    /// Allows receipts to be received once more. If you could not store their events, call this before you answer with
    /// a failure.
    public func release(_ answer: WebhookAnswer) async throws { try await nonces.release(answer) }

    private static let header = HTTPField.Name("X-HUAWEI-CALLBACK-ID")
    /// The answer that the vendor expects.
    private static let thanks = Array(#"{"code":"0","message":"success"}"#.utf8)

    private func verified(_ text: String, _ now: Date) throws(WebhookRefusal) -> ReceiptSignature {
        guard let signature = ReceiptSignature(text) else {
            throw .unauthorized("X-HUAWEI-CALLBACK-ID has no timestamp, nonce and value")
        }
        let signed = signature.timestamp + signature.nonce + username
        let code = Digests.hmacSHA256(Array(signed.utf8), key: key)
        guard let given = Data(base64Encoded: signature.value), Digests.areEqual(code, Array(given)) else {
            throw .unauthorized("the receipt is not signed with this user name and key")
        }
        guard abs(signature.date.timeIntervalSince(now)) <= freshness.seconds else {
            throw .unauthorized("the time of the receipt is too far from now; is this machine's clock right?")
        }
        return signature
    }
}

/// The contents of the header field: `timestamp=<time>; nonce=<uuid>; value=<Base64>`.
private struct ReceiptSignature {
    let timestamp: String
    let nonce: String
    let value: String
    let date: Date

    /// Nil if a part is missing or duplicate, or the time is not a number.
    init?(_ text: String) {
        guard text.utf8.count <= 1024 else { return nil }
        var parts: [String: String] = [:]
        for item in text.split(separator: ";") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.filter { $0 != " " } }
            guard pair.count == 2, parts.updateValue(pair[1], forKey: pair[0]) == nil else { return nil }
        }
        guard let timestamp = parts["timestamp"], let nonce = parts["nonce"], let value = parts["value"],
            !nonce.isEmpty, (1...16).contains(timestamp.utf8.count),
            timestamp.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Double(timestamp)
        else { return nil }
        (self.timestamp, self.nonce, self.value) = (timestamp, nonce, value)
        date = Date(huawei: number)
    }

    /// The entry for the nonce store.
    var nonceKey: String { "\(timestamp)/\(nonce)" }
}

extension Date {
    /// A time of the vendor: milliseconds on today's pages, seconds in older clients. The size tells which.
    init(huawei number: Double) { self.init(timeIntervalSince1970: number >= 1e11 ? number / 1000 : number) }
}
