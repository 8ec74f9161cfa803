public import FoundationEssentials
public import PushAdapter
import PushCrypto
public import PushWebhooks

/// Reads EngageLab's callbacks about the status of a message on a device.
///
/// The vendor signs time, nonce and user name but not the body, and documents no time window. So listen on TLS only.
/// This type refuses callbacks with a stale time, and replays. The vendor calls again up to five times unless you
/// answer 200 or 204 within three seconds. A callback that you have stored may come again, so store by message, device
/// and status.
///
/// Only the status `delivered` is documented. Any other becomes the event kind `engagelab.` plus the vendor's word. No
/// event has a verdict, because no documented status or error code says that a device is gone.
///
/// ```swift
/// let callbacks = try EngageLabCallbacks(username: "demo-user", secret: Secret(text))
/// let answer = try await callbacks.receive(call, at: Date())
/// ```
public struct EngageLabCallbacks: WebhookReceiver {
    private let username: String
    private let secret: Secret
    private let nonces: any NonceStore
    private let freshness: Duration
    private let longestBody: Int
    private let answersUnsignedChecks: Bool

    /// Creates a receiver for callbacks signed with the user name and secret of the console's callback settings. Create
    /// one and keep it. Refuses an empty secret, with which anyone could sign, with `misconfigured`.
    /// - Parameters:
    ///   - username: as in the console; empty if the console has only a secret.
    ///   - secret: as in the console.
    ///   - nonces: nonces of verified callbacks. All machines that receive must share one store. The default serves
    ///     only this value.
    ///   - freshness: how far the time of a callback may be from now, before and after. The vendor documents neither a
    ///     window nor whether it signs again when it retries after up to an hour.
    ///   - longestBody: in bytes. A longer body is refused unread.
    ///   - answersUnsignedChecks: whether to answer an unsigned address check. The console makes this check when you
    ///     enter the address, and no page says that it is signed. The answer reveals nothing.
    public init(
        username: String, secret: Secret, nonces: any NonceStore = MemoryNonceStore(),
        freshness: Duration = .seconds(300), longestBody: Int = 1 << 20, answersUnsignedChecks: Bool = true
    ) throws(PushError) {
        guard !secret.isEmpty else {
            throw PushError(
                .misconfigured, "the secret of EngageLab's callbacks is empty; set one in the console, and copy it here"
            )
        }
        self.username = username
        self.secret = secret
        self.nonces = nonces
        self.freshness = freshness
        self.longestBody = longestBody
        self.answersUnsignedChecks = answersUnsignedChecks
    }

    /// Verifies signature and time, reads the events or echoes the text of the address check, then claims the nonce.
    ///
    /// Refuses a method other than POST (405), a long body (413), a wrong signature or a stale time (401), an
    /// unreadable body (400) and a replay (409). Answers 503 if it cannot reach the nonce store.
    public func receive(_ call: WebhookCall, at now: Date) async throws(WebhookRefusal) -> WebhookAnswer {
        guard call.method == .post else { throw WebhookRefusal(status: 405, "callbacks must use POST") }
        guard call.body.count <= longestBody else { throw WebhookRefusal(status: 413, "the callback is too long") }
        guard let text = Self.header.flatMap({ call.headers[$0] }) else {
            guard answersUnsignedChecks, call.body.count <= Self.longestCheck,
                let check = Self.check(try? JSONValue(parsing: call.body))
            else { throw .unauthorized("the callback has no X-CALLBACK-ID") }
            return check
        }
        let signature = try verified(text, now)
        var answer = try Self.read(call.body)
        answer.nonce = signature.nonceKey
        let expiry = signature.date.addingTimeInterval(freshness.seconds)
        try await nonces.claimOnce(signature.nonceKey, until: expiry, at: now)
        return answer
    }

    /// Allows a callback to be received once more. If you could not store its events, call this before you answer with
    /// a failure that makes the vendor call again.
    public func release(_ answer: WebhookAnswer) async throws { try await nonces.release(answer) }

    // MARK: Steps

    private static let header = HTTPField.Name("X-CALLBACK-ID")
    /// The longest unsigned address check, in bytes. The vendor's has eight random characters.
    private static let longestCheck = 256

    private static func read(_ body: [UInt8]) throws(WebhookRefusal) -> WebhookAnswer {
        guard let value = try? JSONValue(parsing: body) else { throw .malformed("the callback is not JSON") }
        if let check = check(value) { return check }
        guard let rows = value["rows"]?.arrayValue else { throw .malformed("the callback has no rows") }
        var events: [WebhookEvent] = []
        for row in rows {
            guard case .object(let fields) = row else { throw .malformed("a row is not a JSON object") }
            events.append(event(fields))
        }
        return WebhookAnswer(events)
    }

    private func verified(_ text: String, _ now: Date) throws(WebhookRefusal) -> CallbackSignature {
        guard let signature = CallbackSignature(text) else {
            throw .unauthorized("X-CALLBACK-ID has no timestamp, nonce and signature")
        }
        // The parts are signed as one text. Only the exact user name and a time near now fix where each of them ends.
        let signed = signature.timestamp + signature.nonce + signature.username
        let code = Digests.hex(Digests.hmacSHA256(Array(signed.utf8), key: secret))
        let isGenuine = Digests.areEqual(Array(code.utf8), Array(signature.signature.utf8))
        guard Secret(signature.username) == Secret(username), isGenuine else {
            throw .unauthorized("the callback is not signed with this user name and secret")
        }
        guard abs(signature.date.timeIntervalSince(now)) <= freshness.seconds else {
            throw .unauthorized("the time of the callback is too far from now; is this machine's clock right?")
        }
        return signature
    }

    /// The response to the address check: its text. The text must be short and contain nothing that a browser would
    /// run.
    private static func check(_ value: JSONValue?) -> WebhookAnswer? {
        guard case .object(let fields) = value, fields.count == 1, let text = fields["echostr"]?.stringValue,
            (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"<>&\"'".utf8.contains($0) })
        else { return nil }
        return WebhookAnswer([], body: Array(text.utf8))
    }

    private static func event(_ fields: [String: JSONValue]) -> WebhookEvent {
        let status = fields["status"]?["message_status"]?.stringValue
        return WebhookEvent(
            status == "delivered" ? .delivered : WebhookEvent.Kind("engagelab.\(status ?? "unknown")"),
            device: fields["to"]?.stringValue.map { DeviceID($0) },
            message: fields["message_id"]?.identifier.map { MessageID($0) },
            date: fields["itime"]?.intValue.map { Date(timeIntervalSince1970: Double($0)) }, fields: fields)
    }
}

/// The contents of `X-CALLBACK-ID`: `timestamp=<seconds>;nonce=<number>;username=<name>;signature=<hex>`.
private struct CallbackSignature {
    let timestamp: String
    let nonce: String
    let username: String
    let signature: String
    let date: Date

    /// Nil if a part is missing or duplicate, or the time is not a number.
    init?(_ text: String) {
        guard text.utf8.count <= 1024 else { return nil }
        var parts: [String: String] = [:]
        for item in text.split(separator: ";") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair[0].filter { $0 != " " }
            guard pair.count == 2, parts.updateValue(String(pair[1]), forKey: name) == nil else { return nil }
        }
        guard let timestamp = parts["timestamp"], let nonce = parts["nonce"], let signature = parts["signature"],
            !nonce.isEmpty, (1...12).contains(timestamp.utf8.count),
            timestamp.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Double(timestamp)
        else { return nil }
        self.timestamp = timestamp
        self.nonce = nonce
        username = parts["username"] ?? ""
        self.signature = signature
        date = Date(timeIntervalSince1970: seconds)
    }

    /// The entry for the nonce store. The same number may come again in another second.
    var nonceKey: String { "\(timestamp)/\(nonce)" }
}
