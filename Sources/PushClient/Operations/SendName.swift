import FoundationEssentials
import PushCore

/// A send that its caller named, and the keys that its requests get: the name, and a number that follows from whom the
/// request is for.
///
/// So the same request of the same list has the same key when the send is made again, and another list under the same
/// name has other keys: what is left of a list after a failure is not taken for what went before.
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
            // Written again, because the writer has one order of keys.
            digest.add(JSONWriter.bytes(of: value))
        }
        return text + "-" + digest.hex
    }
}

/// The hash FNV-1a of 64 bits, which is the same in every process: the library's own hasher differs from run to run.
private struct StableDigest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    var hex: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
