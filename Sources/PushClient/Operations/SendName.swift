import FoundationEssentials
import PushAdapter

/// A send that its caller named. The key of each request is the name plus a number derived from the recipients.
///
/// The same list sent again gets the same keys. Another list under the same name gets other keys. So if a backend sends
/// the rest of a list after a failure, the vendor does not mistake it for the part before it.
struct SendName: Sendable {
    /// A hyphen and 16 hex digits.
    static let suffixLength = 17
    /// The digits of a random key.
    static let randomLength = 32

    let text: String

    /// The key of the request for an audience.
    func key(for audience: Audience) -> String {
        var digest = StableDigest()
        if let targets = audience.targets {
            for target in targets {
                digest.add(target.text.utf8)
                if case .account(let account) = target { digest.add("/\(account.type.map(String.init) ?? "")".utf8) }
                digest.add([0])
            }
        } else if let data = try? JSONEncoder().encode(audience), let value = try? JSONValue(parsing: Array(data)) {
            // Written again, because this writer has a fixed order of keys.
            digest.add(JSONWriter.bytes(of: value))
        }
        return text + "-" + digest.hex
    }

    /// Letters and digits that stand for a text, for a vendor that takes only some. 128 bits of hash fill 21 of them.
    static func digest(of text: String, length: Int) -> String {
        var (one, other) = (StableDigest(), StableDigest())
        one.add(text)
        other.add([0])
        other.add(text)
        var (high, low) = (one.mixed, other.mixed)
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let base = UInt64(letters.count)
        let digits = (0..<min(max(length, 1), 21)).map { _ in
            let part = base.dividingFullWidth((high % base, low))
            (high, low) = (high / base, part.quotient)
            return letters[Int(part.remainder)]
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
