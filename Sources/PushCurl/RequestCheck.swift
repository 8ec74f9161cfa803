import CLibcurl
import PushCore

/// Refuses requests that must not leave: bytes that would split a request, plain HTTP to another machine.
final class RequestCheck: Sendable {
    private let hasProxy: Bool
    /// Origins that passed, each with the slash after it: a client calls the same few again and again, and parsing an
    /// address as libcurl does costs more than all other checks.
    private let passed = Locked<[String]>([])
    /// More origins than a vendor has.
    private static let mostPassed = 16

    private let plainHosts: Set<String>

    init(hasProxy: Bool, plainHosts: Set<String>) {
        self.hasProxy = hasProxy
        self.plainHosts = plainHosts
    }

    /// Header values need no check: their type allows no line break.
    func check(_ request: TransportRequest) throws(PushError) {
        guard request.url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.refusal("the address has a character that must be percent-encoded")
        }
        for text in Self.bodyTexts(request.body) where !HTTPField.isValidValue(text) {
            throw Self.refusal("a content type, part name or file name has a line break or another control character")
        }
        guard request.timeout > .zero else {
            throw PushError(.timeout, "the deadline passed before the request was sent", retry: .backoff)
        }
        let url = request.url
        guard !passed.withLock({ $0.contains { url.utf8.starts(with: $0.utf8) } }) else { return }
        try checkOrigin(of: url)
        guard let origin = Self.origin(of: url) else { return }
        passed.withLock { if $0.count < Self.mostPassed { $0.append(origin) } }
    }

    private func checkOrigin(of url: String) throws(PushError) {
        let (scheme, host) = try Self.parts(of: url)
        switch scheme {
        case "https": return
        case "http" where hasProxy: throw Self.refusal("plain HTTP does not go through a proxy; use https")
        case "http" where Self.isLoopback(host) || plainHosts.contains(host): return
        case "http": throw Self.refusal("plain HTTP is for this machine only; use https for \(host)")
        default: throw Self.refusal("the address scheme \(Redaction.quoted(scheme)) is not https")
        }
    }

    /// `https://host:port/`: what follows the slash is path and query, and cannot change the host. Nil for an address
    /// without a host there, because libcurl then looks for it after further slashes.
    private static func origin(of url: String) -> String? {
        guard let scheme = url.utf8.firstIndex(of: 0x3A), url[scheme...].hasPrefix("://") else { return nil }
        let rest = url.utf8[scheme...].dropFirst(3)
        guard let slash = rest.firstIndex(where: { !isOfAuthority($0) }), slash > rest.startIndex,
            url.utf8[slash] == 0x2F
        else { return nil }
        return String(url[...slash])
    }

    /// Whether a byte may be part of a plain host with a port.
    private static func isOfAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D: true
        default: false
        }
    }

    /// The texts that end up in header lines of a body.
    private static func bodyTexts(_ body: WireBody) -> [String] {
        switch body {
        case .none: []
        case .bytes(_, let contentType): [contentType]
        case .multipart(let parts): parts.flatMap { [$0.name, $0.fileName ?? "-", $0.contentType ?? "-"] }
        }
    }

    /// Parses the address as libcurl itself does, so that the check and the connection cannot disagree.
    private static func parts(of url: String) throws(PushError) -> (scheme: String, host: String) {
        guard let handle = curl_url() else { throw refusal("no memory") }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)) == CURLUE_OK
        else {
            throw refusal("the address is not an absolute URL without a user name")
        }
        func part(_ part: CURLUPart) -> String {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return "" }
            defer { curl_free(text) }
            return String(cString: text)
        }
        return (part(CURLUPART_SCHEME), part(CURLUPART_HOST))
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    private static func refusal(_ message: String) -> PushError { PushError(.invalidArgument, message) }
}
