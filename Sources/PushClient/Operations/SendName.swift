import FoundationEssentials
import PushAdapter

/// A send that its caller named. The key of each request is the name plus a number derived from the recipients.
///
/// The same list sent again gets the same keys. Another list under the same name gets other keys. So if a backend sends
/// the rest of a list after a failure, the vendor does not mistake it for the part before it.
struct SendName: Sendable {
    /// A hyphen and 16 hex digits.
    static let suffixLength = 17

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
}
