import PushAdapter
import PushCrypto

/// A line of the other side. Bytes are base64url without padding.
struct Order: Sendable {
    private let fields: JSONValue

    init(_ fields: JSONValue) { self.fields = fields }

    func text(_ name: String) throws(PushError) -> String {
        guard let text = fields[name]?.stringValue else {
            throw PushError(.invalidArgument, "the order has no \(name)")
        }
        return text
    }

    private func bytes(_ name: String) throws(PushError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name)) else {
            throw PushError(.invalidArgument, "\(name) is not base64url")
        }
        return bytes
    }

    private func number(_ name: String) -> Int { fields[name]?.intValue ?? 0 }

    // MARK: Pushes (RFC 8291)

    func encrypted() throws(PushError) -> JSONValue {
        let encryption = try WebPushEncryption(p256dh: bytes("p256dh"), auth: Secret(bytes("auth")))
        return Self.answer(try encryption.encrypt(bytes("text"), padding: number("padding")))
    }

    func decrypted() throws(PushError) -> JSONValue {
        let key = try P256PrivateKey(number: Secret(bytes("key")), named: "the browser's key")
        return Self.answer(try WebPushDecryption(key, auth: Secret(bytes("auth"))).decrypt(bytes("body")))
    }

    // MARK: Bodies (RFC 8188)

    func encoded() throws(PushError) -> JSONValue {
        let header = try ContentEncoding.Header(
            salt: SecureRandom.bytes(16), recordSize: number("recordSize"), keyID: bytes("keyID"))
        return Self.answer(
            try ContentEncoding.encrypt(
                bytes("text"), header: header, by: Secret(bytes("material")), padding: number("padding")))
    }

    func decoded() throws(PushError) -> JSONValue {
        let material = Secret(try bytes("material"))
        return Self.answer(try ContentEncoding.decrypt(bytes("body")) { _ throws(PushError) in material })
    }

    private static func answer(_ bytes: [UInt8]) -> JSONValue { ["bytes": .string(Base64URL.encode(bytes))] }
}
