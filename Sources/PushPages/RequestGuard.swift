import PushAdapter
import PushSimulation

/// Refuses requests that a page of another site may have caused. A server on this machine is in reach of every page that
/// the user opens.
struct RequestGuard: Sendable {
    /// The port of the server.
    let port: Int
    /// The names of this machine that the page may have in a browser.
    let hosts: [String]

    private var addresses: [String] { hosts.map { "\($0):\(port)" } }

    /// Why a request is refused; nil for one that may pass.
    /// - Parameters:
    ///   - method: the method of the request.
    ///   - path: its path, without the query.
    ///   - authority: its `Host` field; nil if it has none.
    ///   - headers: all other fields.
    func refusal(
        _ method: HTTPRequest.Method, _ path: String, authority: String?, _ headers: HTTPFields
    ) -> PageRefusal? {
        // A name that another site controls can resolve to this machine.
        guard let authority, addresses.contains(authority),
            !headers.contains(where: { $0.name.canonicalName == "host" })
        else {
            return PageRefusal(403, "this page is only at \(addresses.joined(separator: " and "))")
        }
        // A page of another site may not even cause work here; it may only link to the page. A frame is not a link.
        func fetched(_ name: String) -> String? { HTTPField.Name("Sec-Fetch-\(name)").flatMap { headers[$0] } }
        let isLink = method == .get && path == "/" && fetched("Mode") == "navigate" && fetched("Dest") == "document"
        if let site = fetched("Site"), !["same-origin", "none"].contains(site), !isLink {
            return PageRefusal(403, "only the page itself may ask for this")
        }
        switch method {
        case .get:
            // The page reads no body here, and the web server would keep the connection for it.
            let hasBody = headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
            return hasBody ? PageRefusal(400, "a GET request has no body here") : nil
        case .post, .delete: break
        default: return PageRefusal(405, "the page takes GET, POST and DELETE")
        }
        guard headers[values: .origin] == ["http://\(authority)"] else {
            return PageRefusal(403, "only the page itself may change something")
        }
        let type = (headers[.contentType] ?? "").split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        guard type.lowercased() == "application/json" else {
            return PageRefusal(403, "the content type is not application/json")
        }
        return nil
    }
}
