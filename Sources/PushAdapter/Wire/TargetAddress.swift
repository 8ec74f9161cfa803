/// An address that a target brings with it, for a vendor whose targets live at many hosts, as those of Web Push do.
///
/// It is a secret: whoever knows it may send to the target. Texts about it show its origin only.
public struct TargetAddress: Sendable, Hashable {
    /// Scheme, host and, if the address names one, port: `https://push.example`.
    public let origin: String
    /// Whether a transport refuses to connect to an address of a private network, of this machine, or of a cloud's
    /// metadata. Strangers choose the addresses of their targets.
    public let mustBePublic: Bool
    /// The rest of the address, byte for byte.
    package let pathAndQuery: String

    /// Reads an absolute address, such as `https://push.example/send/1?x=2`.
    ///
    /// Refuses with `invalidArgument` any other scheme than `https` and `http`, a user name, a fragment, capital
    /// letters in scheme or host, and characters that must be percent-encoded.
    public init(_ url: String, mustBePublic: Bool = true) throws(PushError) {
        let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && ![0x22, 0x23, 0x3C, 0x3E, 0x5C].contains($0) }
        guard isPlain, let colon = url.firstRange(of: "://"), ["https", "http"].contains(url[..<colon.lowerBound])
        else { throw Self.refusal }
        let rest = url[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@"), authority.utf8.allSatisfy({ !(0x41...0x5A).contains($0) })
        else { throw Self.refusal }
        origin = String(url[..<authority.endIndex])
        let path = rest[authority.endIndex...]
        pathAndQuery = path.first == "/" ? String(path) : "/" + path
        self.mustBePublic = mustBePublic
    }

    private static var refusal: PushError {
        PushError(.invalidArgument, "a target's address is not an absolute URL of https without a user name")
    }
}

extension TargetAddress: CustomStringConvertible, CustomReflectable {
    public var description: String { origin + "/…" }
    public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
