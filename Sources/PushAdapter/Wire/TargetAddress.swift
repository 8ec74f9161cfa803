/// An address that a target brings with it, for a vendor whose targets live at many hosts, as those of Web Push do.
///
/// It is a secret: whoever knows it may send to the target. Texts about it show its origin only.
public struct TargetAddress: Sendable, Hashable {
    /// Scheme, host and, if it is not the scheme's own, port: `https://push.example`.
    public let origin: String
    /// Whether a transport refuses to connect to an address of a private network, of this machine, or of a cloud's
    /// metadata. Strangers choose the addresses of their targets.
    public let mustBePublic: Bool
    /// The rest of the address, byte for byte.
    package let pathAndQuery: String

    /// The length of a request line that every server should accept (RFC 9112, section 3).
    private static let mostBytes = 8000

    /// Reads an absolute address, such as `https://push.example/send/1?x=2`.
    ///
    /// Refuses with `invalidArgument` any other scheme than `https` and `http`, a user name, a fragment, capital
    /// letters in scheme or host, a host that is neither a name nor the usual form of an IP address, characters that
    /// must be percent-encoded, a backslash, and more than 8,000 bytes.
    public init(_ url: String, mustBePublic: Bool = true) throws(PushError) {
        guard url.utf8.count <= Self.mostBytes, url.utf8.allSatisfy(Self.isPlain),
            let plain = try? PlainOrigin(of: url),
            plain.text == plain.text.lowercased(), !plain.isDoubtful
        else { throw Self.refusal }
        origin = plain.shortest
        let path = url.dropFirst(plain.text.count)
        pathAndQuery = path.first == "/" ? String(path) : "/" + path
        self.mustBePublic = mustBePublic
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        // " # < > and the backslash, which some readers take for a slash.
        case 0x22, 0x23, 0x3C, 0x3E, 0x5C: false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    private static var refusal: PushError {
        PushError(
            .invalidArgument,
            "a target's address is not a plain absolute URL, such as https://push.example/path, of at most "
                + "\(mostBytes) bytes")
    }
}

extension PlainOrigin {
    /// Without the port that the scheme has anyway, so that one origin has one text.
    fileprivate var shortest: String {
        let beginning = text.dropLast(authority.count)
        let name = text.contains("[") ? "[\(host)]" : host
        return beginning + name + (port == (isEncrypted ? 443 : 80) ? "" : ":\(port)")
    }
}

extension TargetAddress: CustomStringConvertible, CustomReflectable {
    public var description: String { origin + "/…" }
    public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
