package import PushAdapter

/// Refuses requests that must not leave: bytes that would split a request, plain HTTP to another machine, a proxy that may
/// connect to any address.
package final class RequestCheck: Sendable {
    /// Why plain HTTP to a host is refused; nil if it is not.
    private let plainRefusal: @Sendable (Origin) -> String?
    /// Origins that passed: a client calls the same few again and again.
    private let passed = Locked<[Origin]>([])
    /// More origins than a vendor has.
    private static let mostPassed = 16

    /// Whether a proxy looks up the names of hosts, and does not say that it refuses private addresses.
    private let isProxyOpen: Bool

    package init(
        _ configuration: any NetworkConfiguration, plainRefusal: @escaping @Sendable (Origin) -> String?
    ) {
        self.plainRefusal = plainRefusal
        isProxyOpen = configuration.proxy != nil && !configuration.proxyChecksAddresses
    }

    /// Returns the request's origin. Header values need no check: their type allows no line break.
    package func check(_ request: TransportRequest) throws(PushError) -> Origin {
        var url = request.url
        let isPrintable = url.withUTF8 { $0.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 } }
        guard isPrintable else {
            throw Self.refusal("the address has a fragment, or a character that must be percent-encoded")
        }
        guard Self.hasValidTexts(request.body) else {
            throw Self.refusal("a content type, part name or file name has a line break or another control character")
        }
        guard request.timeout > .zero else {
            throw PushError(.timeout, "the deadline passed before the request was sent", retry: .backoff)
        }
        guard !request.requiresPublicAddress || !isProxyOpen else { throw Self.openProxy }
        let known = url.withUTF8 { url in passed.withLock { $0.first { $0.begins(url) } } }
        if let known { return known }
        let origin = try Origin(of: url)
        if !origin.isEncrypted, let reason = plainRefusal(origin) { throw Self.refusal(reason) }
        passed.withLock { if $0.count < Self.mostPassed { $0.append(origin) } }
        return origin
    }

    /// Whether the texts for the header lines of a body are valid there.
    private static func hasValidTexts(_ body: WireBody) -> Bool {
        switch body {
        case .none: true
        case .bytes(_, let contentType): HTTPField.isValidValue(contentType)
        case .multipart(let parts):
            parts.allSatisfy { part in
                [part.name, part.fileName ?? "-", part.contentType ?? "-"].allSatisfy { HTTPField.isValidValue($0) }
            }
        }
    }

    private static var openProxy: PushError {
        PushError(
            .misconfigured,
            "the proxy may connect to private addresses, and this request must not reach them; nothing was sent. If the "
                + "proxy refuses such addresses, set proxyChecksAddresses")
    }

    private static func refusal(_ message: String) -> PushError { PushError(.invalidArgument, message) }
}
