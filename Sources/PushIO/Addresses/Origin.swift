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
        let beginning = try PlainOrigin(of: url)
        isEncrypted = beginning.isEncrypted
        host = beginning.host
        port = beginning.port
        authority = beginning.authority
        text = beginning.text
        bytes = Array(text.utf8)
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
}
