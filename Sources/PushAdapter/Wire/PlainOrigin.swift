/// Scheme, host and port of a plain address, `https://host:port/path`. The only reader of addresses, so that no two parts
/// of the library find different hosts in one.
package struct PlainOrigin: Sendable {
    package let isEncrypted: Bool
    /// Without the brackets of an IPv6 address.
    package let host: String
    /// The port of the scheme, if the address names none.
    package let port: UInt16
    /// `host:port`, as in the address.
    package let authority: String
    /// The beginning of the address, up to where its path or query begins: `https://host:port`.
    package let text: String

    /// Refuses with `invalidArgument` an address that readers might understand differently: with another scheme, a user
    /// name, or other characters in the host than letters, digits, `.`, `-` and `_`.
    package init(of url: String) throws(PushError) {
        let bytes = Array(url.utf8)
        let scheme = String(decoding: bytes.prefix { $0 != 0x3A }, as: UTF8.self)
        guard ["https", "http"].contains(scheme.lowercased()) else {
            throw Self.refusal("the address scheme \(Redaction.quoted(scheme)) is not https")
        }
        let rest = bytes.dropFirst(scheme.utf8.count)
        guard rest.starts(with: "://".utf8) else { throw Self.malformed }
        let authority = rest.dropFirst(3).prefix { $0 != 0x2F && $0 != 0x3F }
        let isBracketed = authority.first == 0x5B
        let name = isBracketed ? authority.prefix { $0 != 0x5D }.dropFirst() : authority.prefix { $0 != 0x3A }
        guard !name.isEmpty, name.allSatisfy({ Self.mayBeInHost($0, isBracketed) }),
            !isBracketed || authority[name.endIndex...].first == 0x5D
        else { throw Self.malformed }
        isEncrypted = scheme.utf8.count == 5
        host = String(decoding: name, as: UTF8.self)
        let named = try Self.port(in: authority[name.endIndex...].dropFirst(isBracketed ? 1 : 0))
        port = named ?? (isEncrypted ? 443 : 80)
        self.authority = String(decoding: authority, as: UTF8.self)
        text = String(decoding: bytes[..<authority.endIndex], as: UTF8.self)
    }

    /// The number after the colon; nil if there is no colon.
    private static func port(in rest: ArraySlice<UInt8>) throws(PushError) -> UInt16? {
        guard let colon = rest.first else { return nil }
        let digits = rest.dropFirst()
        guard colon == 0x3A, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0
        else { throw malformed }
        return number
    }

    private static func mayBeInHost(_ byte: UInt8, _ isBracketed: Bool) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E: true
        case 0x2D, 0x5F: !isBracketed
        case 0x3A: isBracketed
        default: false
        }
    }

    /// Whether the host is a name for some readers and an IPv4 address for others, such as `127.1`, `0x7f.0.0.1` or
    /// `2130706433` (WHATWG URL, "ends in a number checker").
    package var isDoubtful: Bool {
        guard !authority.hasPrefix("[") else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last(where: { !$0.isEmpty }) else { return true }
        guard last.allSatisfy(\.isWholeNumber) || last.hasPrefix("0x") else { return false }
        return labels.count != 4 || !labels.allSatisfy { label in UInt8(label).map { String($0) == label } ?? false }
    }

    private static var malformed: PushError { refusal("the address is not an absolute URL without a user name") }
    private static func refusal(_ message: String) -> PushError { PushError(.invalidArgument, message) }
}
