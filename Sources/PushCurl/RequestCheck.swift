import CLibcurl
import PushCore

/// Refuses requests that must not leave: bytes that would split a request, plain HTTP to another machine.
enum RequestCheck {
    /// Header values need no check: their type holds no line break.
    static func check(_ request: TransportRequest, hasProxy: Bool) throws(PushError) {
        guard request.url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refusal("the address has a character that must be percent-encoded")
        }
        for text in bodyTexts(request.body) where !HTTPField.isValidValue(text) {
            throw refusal("a content type, part name or file name has a line break or another control character")
        }
        guard request.timeout > .zero else {
            throw PushError(.timeout, "no time is left for the request", retry: .backoff)
        }
        let (scheme, host) = try parts(of: request.url)
        switch scheme {
        case "https": return
        case "http" where hasProxy: throw refusal("plain HTTP does not go through a proxy; use https")
        case "http" where isLoopback(host): return
        case "http": throw refusal("plain HTTP is for this machine only; use https for \(host)")
        default: throw refusal("the address scheme \(Redaction.quoted(scheme)) is not https")
        }
    }

    /// What ends up in header lines of a body.
    private static func bodyTexts(_ body: WireBody) -> [String] {
        switch body {
        case .none: []
        case .bytes(_, let contentType): [contentType]
        case .multipart(let parts): parts.flatMap { [$0.name, $0.fileName ?? "-", $0.contentType ?? "-"] }
        }
    }

    /// As libcurl itself reads the address, so that the check and the connection cannot disagree.
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
