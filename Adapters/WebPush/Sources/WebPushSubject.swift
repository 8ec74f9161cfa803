import PushAdapter

/// The subject of a token: whom a service may ask about the sender. Apple accepts real addresses only.
enum WebPushSubject {
    /// Refuses with `misconfigured` subjects that Apple was seen to refuse: any scheme but `mailto` and `https`, a
    /// domain that is reserved or has one label, blanks, and angle brackets.
    static func check(_ subject: String) throws(PushError) {
        guard let fault = fault(of: subject) else { return }
        throw PushError(
            .misconfigured,
            "the subject \(Redaction.quoted(subject)) \(fault); give an address of yours, such as "
                + "mailto:push@example.com or https://example.com/contact")
    }

    private static func fault(of subject: String) -> String? {
        let isPlain = subject.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x3E }
        guard isPlain, subject.utf8.count <= 255 else {
            return "has blanks, angle brackets or letters beyond ASCII, or more than 255 bytes"
        }
        guard let domain = domain(of: subject) else { return "is neither a mailto: nor an https: address" }
        let name = DomainName(domain.lowercased())
        if let fault = name.fault { return "has a domain that \(fault)" }
        return name.isReserved(beside: ["test", "example"]) ? "has a reserved domain, which Apple refuses" : nil
    }

    private static func domain(of subject: String) -> Substring? {
        if subject.hasPrefix("mailto:") {
            let parts = subject.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty ? parts[1] : nil
        }
        guard subject.hasPrefix("https://") else { return nil }
        return subject.dropFirst(8).prefix { !"/?#:".contains($0) }
    }
}
