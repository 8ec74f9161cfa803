import PushAdapter
import PushCrypto
import Testing

/// A row of the tables: an input at the edge of what a standard allows, and what must become of it.
struct EdgeCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let input: Input
    let outcome: Outcome

    init(_ name: String, _ input: Input, _ outcome: Outcome) {
        (testDescription, self.input, self.outcome) = ("\(input.subject): \(name)", input, outcome)
    }

    /// Bytes are base64url without padding. A number stands for that many bytes: 1, 8, 15 and so on.
    enum Input: Sendable {
        /// A public key, with which the sender of RFC 8291 agrees on a secret.
        case point(String)
        case number(String)
        /// A ciphertext under the key 0 to 15 and the nonce 0 to 11.
        case sealed(String)
        case extraction(salt: Int, material: Int)
        case expansion(key: Int, purpose: Int, count: Int)
        /// A body under the key material 16 to 31.
        case body(String)
        /// The digest of a body with one byte of text in each record, which must be readable.
        case records(count: Int)
        /// A body for the subscription of RFC 8291.
        case push(String)
    }

    enum Outcome: Sendable {
        case gives(String)
        case refused(PushError.Kind, String)
        /// The tag does not fit.
        case unauthentic
    }

    static let all = points + ciphers + bodies + pushes
}

@Suite("Edge cases of cryptography")
struct EdgeCaseTests {
    @Test("give what the standard says, or words that name the fault", arguments: EdgeCase.all)
    func outcome(edge: EdgeCase) {
        switch (Result { () throws(PushError) in try edge.input.output() }, edge.outcome) {
        case (.success(let bytes?), .gives(let expected)): #expect(Base64URL.encode(bytes) == expected)
        case (.success(nil), .unauthentic): break
        case (.failure(let error), .refused(let kind, let words)):
            #expect(error.kind == kind && error.message.contains(words), "\(error)")
        case (let result, let expected): Issue.record("it must be \(expected), but it is \(result)")
        }
    }

    @Test("no two rows have the same input")
    func rows() {
        #expect(Set(EdgeCase.all.map { "\($0.input)" }).count == EdgeCase.all.count)
    }
}

extension EdgeCase.Input {
    /// What the code under test makes of it.
    func output() throws(PushError) -> [UInt8]? {
        switch self {
        case .point(let text):
            let peer = try P256PublicKey(Bytes.base64(text), named: "p256dh")
            return try Self.sender().sharedSecret(with: peer).bytes
        case .number(let text):
            return try P256PrivateKey(number: Secret(Bytes.base64(text)), named: "the key").publicKey
        case .sealed(let text):
            return try AES128GCM(key: Secret(0..<16)).open(Bytes.base64(text)[...], nonce: Secret(0..<12))
        case .extraction(let salt, let material):
            return try HKDF().extract(salt: Secret(Self.bytes(salt)), from: Secret(Self.bytes(material))).bytes
        case .expansion(let key, let purpose, let count):
            return try HKDF().expand(Secret(Self.bytes(key)), for: Self.bytes(purpose), count: count).bytes
        case .body(let text): return try Self.opened(Bytes.base64(text))
        case .records(let count): return try Self.digest(ofRecords: count)
        case .push(let text): return try Self.browser().decrypt(Bytes.base64(text))
        }
    }

    /// For the names of tests.
    var subject: String {
        switch self {
        case .point: "a point"
        case .number: "a private number"
        case .sealed: "AES-128-GCM"
        case .extraction, .expansion: "HKDF"
        case .body, .records: "RFC 8188"
        case .push: "RFC 8291"
        }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 1) }
    }

    private static func opened(_ body: [UInt8]) throws(PushError) -> [UInt8] {
        try ContentEncoding.decrypt(body) { _ throws(PushError) in Secret(16..<32) }
    }

    private static func digest(ofRecords count: Int) throws(PushError) -> [UInt8]? {
        let header = try ContentEncoding.Header(salt: Array(0..<16), recordSize: 18, keyID: [])
        let body = try ContentEncoding.encrypt(bytes(count), header: header, by: Secret(16..<32))
        return try opened(body) == bytes(count) ? Digests.sha256(body) : nil
    }

    private static func sender() throws(PushError) -> P256PrivateKey {
        let number = Bytes.base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        return try P256PrivateKey(number: Secret(number), named: "the sender's key")
    }

    private static func browser() throws(PushError) -> WebPushDecryption {
        let number = Bytes.base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
        return try WebPushDecryption(
            P256PrivateKey(number: Secret(number), named: "the browser's key"),
            auth: Secret(Bytes.base64("BTBZMqHH6r4Tts7J_aSIgg")))
    }
}

extension Secret {
    fileprivate var bytes: [UInt8] { withBytes { Array($0) } }
}
