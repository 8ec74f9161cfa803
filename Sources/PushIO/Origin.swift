package import PushAdapter

/// Scheme, host and port of an address.
package final class Origin: Sendable, Hashable {
    package let isEncrypted: Bool
    /// Without the brackets of an IPv6 address.
    package let host: String
    package let port: UInt16
    /// The beginning of the address, up to where its path begins: `https://host:port`.
    package let text: String
    /// `host:port`, as in the address.
    package let authority: String
    private let bytes: [UInt8]

    /// Reads only plain addresses, `https://host:port/path`, so that no other reader can find another host in them.
    /// Refuses all others with `invalidArgument`.
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
        let colon = authority[name.endIndex...].dropFirst(isBracketed ? 1 : 0)
        guard !name.isEmpty, name.allSatisfy({ Self.mayBeInHost($0, isBracketed) }),
            !isBracketed || authority[name.endIndex...].first == 0x5D
        else { throw Self.malformed }
        isEncrypted = scheme.utf8.count == 5
        if colon.isEmpty {
            port = isEncrypted ? 443 : 80
        } else {
            let digits = colon.dropFirst()
            guard colon.first == 0x3A, digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0
            else { throw Self.malformed }
            port = number
        }
        host = String(decoding: name, as: UTF8.self)
        self.authority = String(decoding: authority, as: UTF8.self)
        self.bytes = Array(bytes[..<authority.endIndex])
        text = String(decoding: self.bytes, as: UTF8.self)
    }

    /// Whether an address begins with this origin, and its path follows.
    func begins(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
        url.count > bytes.count && url[bytes.count] == 0x2F && url.starts(with: bytes)
    }

    /// Whether it is this machine.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    package static func == (one: Origin, other: Origin) -> Bool { one === other || one.text == other.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private static func mayBeInHost(_ byte: UInt8, _ isBracketed: Bool) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E: true
        case 0x2D, 0x5F: !isBracketed
        case 0x3A: isBracketed
        default: false
        }
    }

    private static var malformed: PushError {
        refusal("the address is not an absolute URL without a user name")
    }
    private static func refusal(_ message: String) -> PushError { PushError(.invalidArgument, message) }
}
