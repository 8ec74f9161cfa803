public import FoundationEssentials
public import PushCore
import PushCrypto

/// Reads EngageLab's callbacks: what became of a message on a device.
///
/// The vendor signs time, nonce and user name, and not the body, and states no window: so listen on TLS only, and this
/// type refuses a call whose time is off, and one that it has believed before. Calls come several times: up to five
/// more when yours is not answered with 200 or 204 within three seconds. What was stored before may come again, so
/// store by message, device and status.
///
/// Only the status `delivered` is documented; every other is the event kind `engagelab.` and the vendor's word.
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

    /// A receiver of calls that are signed with the user name and the secret of the console's callback settings; make
    /// one and keep it. Refuses an empty secret, which anybody can sign with, as `misconfigured`.
    /// - Parameters:
    ///   - username: as in the console; empty where it has a secret alone.
    ///   - secret: as in the console.
    ///   - nonces: remembers what was believed; share one among all machines that receive. The default is of this value
    ///     alone.
    ///   - freshness: how far the time of a call may be from now, before and after. The vendor names no window; whether it
    ///     signs anew what it calls again after up to an hour is not documented either.
    ///   - longestBody: bytes; a longer call is refused unread.
    ///   - answersUnsignedChecks: whether the check of the address, which the console makes when it is entered, is
    ///     answered without a signature too: no page says that it has one. It tells nothing.
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

    /// Checks signature and time, reads the events, or the check of the address, whose answer is its text, and claims
    /// the nonce last.
    ///
    /// Refuses what is no POST (405), a long body (413), a call that is not signed right or is stale (401), what cannot
    /// be read (400), and a call that was believed before (409); with 503 when the store of nonces cannot be reached.
    public func receive(_ call: WebhookCall, at now: Date) async throws(WebhookRefusal) -> WebhookAnswer {
        guard call.method == .post else { throw WebhookRefusal(status: 405, "callbacks are posted") }
        guard call.body.count <= longestBody else { throw WebhookRefusal(status: 413, "the call is too long") }
        guard let text = Self.header.flatMap({ call.headers[$0] }) else {
            guard answersUnsignedChecks, call.body.count <= Self.longestCheck,
                let check = Self.check(try? JSONValue(parsing: call.body))
            else { throw .unauthorized("the call has no X-CALLBACK-ID") }
            return check
        }
        let signature = try verified(text, now)
        var answer = try Self.read(call.body)
        answer.nonce = signature.nonceKey
        let isNew: Bool
        do {
            let expiry = signature.date.addingTimeInterval(freshness.seconds)
            isNew = try await nonces.claim(signature.nonceKey, until: expiry, at: now)
        } catch {
            throw WebhookRefusal(status: 503, "the store of nonces cannot be reached")
        }
        guard isNew else { throw .replayed }
        return answer
    }

    /// Lets a call be received once more: for one whose events could not be stored, before it is answered with a
    /// failure that makes the vendor call again.
    public func release(_ answer: WebhookAnswer) async throws {
        guard let nonce = answer.nonce else { return }
        try await nonces.release(nonce)
    }

    // MARK: Steps

    private static let header = HTTPField.Name("X-CALLBACK-ID")
    /// Bytes that the check of an address may have without a signature: the vendor's has eight random characters.
    private static let longestCheck = 256

    private static func read(_ body: [UInt8]) throws(WebhookRefusal) -> WebhookAnswer {
        guard let value = try? JSONValue(parsing: body) else { throw .malformed("the call is no JSON") }
        if let check = check(value) { return check }
        guard let rows = value["rows"]?.arrayValue else { throw .malformed("the call has no rows") }
        var events: [WebhookEvent] = []
        for row in rows {
            guard case .object(let fields) = row else { throw .malformed("a row is no JSON object") }
            events.append(event(fields))
        }
        return WebhookAnswer(events)
    }

    private func verified(_ text: String, _ now: Date) throws(WebhookRefusal) -> CallbackSignature {
        guard let signature = CallbackSignature(text) else {
            throw .unauthorized("X-CALLBACK-ID has no timestamp, nonce and signature")
        }
        // The parts are signed as one text: only the exact user name and a time near now fix where each of them ends.
        let signed = signature.timestamp + signature.nonce + signature.username
        let code = Digests.hex(Digests.hmacSHA256(Array(signed.utf8), key: secret))
        let isGenuine = Digests.areEqual(Array(code.utf8), Array(signature.signature.utf8))
        guard Secret(signature.username) == Secret(username), isGenuine else {
            throw .unauthorized("the call is not signed with this user name and secret")
        }
        guard abs(signature.date.timeIntervalSince(now)) <= freshness.seconds else {
            throw .unauthorized("the time of the call is too far from now; is this machine's clock right?")
        }
        return signature
    }

    /// The answer to the check of the address: its text, which is short and nothing that a browser would run.
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

/// What `X-CALLBACK-ID` says: `timestamp=<seconds>;nonce=<number>;username=<name>;signature=<hex>`.
private struct CallbackSignature {
    let timestamp: String
    let nonce: String
    let username: String
    let signature: String
    let date: Date

    /// Nil for a part that is missing or comes twice, and for a time that is no number.
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

    /// What is remembered: a number may come again in another second.
    var nonceKey: String { "\(timestamp)/\(nonce)" }
}
