import PushAdapter

/// The rules for an endpoint at a public service. An endpoint comes from a stranger, and this backend connects to it.
enum EndpointRules {
    static let longestEndpoint = 2048
    static let tooLong = refusal("has more than \(longestEndpoint) bytes")

    /// Refuses an origin that no public service has.
    static func checkPublic(_ origin: PlainOrigin) throws(PushError) {
        guard origin.isEncrypted else { throw refusal("is not an https address") }
        guard origin.port == 443 else { throw refusal("names another port than 443") }
        let name = DomainName(origin.host)
        if let fault = name.fault { throw refusal("has a host that \(fault)") }
        guard !name.isReserved() else { throw refusal("has a host of a private network") }
    }

    private static func refusal(_ fault: String) -> PushError {
        PushError(.invalidArgument, "the endpoint \(fault); only a push service's own address is accepted")
    }
}

/// A host by name, in lower case.
struct DomainName {
    private let text: String
    private let labels: [Substring]

    init(_ text: String) {
        self.text = text
        labels = text.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Why it is not the name of a public host, for a sentence; nil if it may be one. An address in numbers is none, in
    /// any notation: it ends with a number (WHATWG URL, "ends in a number").
    var fault: String? {
        if text.utf8.count > 253 || !labels.allSatisfy(Self.isLabel) { return "is no domain name in ASCII" }
        if labels.count < 2 { return "has one label" }
        let last = labels[labels.count - 1]
        let isNumber = last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
        return isNumber ? "is an address in numbers" : nil
    }

    /// Whether no public host can have the name (RFC 6761, 6762, 8375, and ICANN on `.internal`).
    func isReserved(beside others: [String] = []) -> Bool {
        (Self.reserved + others).contains { text == $0 || text.hasSuffix("." + $0) }
    }

    private static let reserved = ["localhost", "local", "localdomain", "internal", "home.arpa", "invalid"]

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
