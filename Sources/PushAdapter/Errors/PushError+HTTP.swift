extension PushError {
    /// The error for a failed response that holds no vendor error, for example a proxy's or a gateway's page.
    ///
    /// With 429 and the refusals 401, 403, 404, 405 and 410, nothing was done. With any other status, the effect is
    /// unknown.
    public init(unexplained response: WireResponse) {
        let detail = VendorDetail(httpStatus: response.status, body: response.body)
        let row: (kind: Kind, retry: Retry, effect: Effect, advice: String) =
            switch response.status {
            case 429: (.rateLimited, .backoff, .notApplied, "too many requests")
            case 401, 403: (.unauthorized, .never, .notApplied, "refused; check the credentials and the data center")
            case 404, 405, 410: (.misconfigured, .never, .notApplied, "unknown address; check the data center")
            case 300..<400:
                (.misconfigured, .never, .unknown, "a redirect, which the library never follows; check the data center")
            case 408, 502, 503, 504: (.server, .backoff, .unknown, "the vendor is not available; try again later")
            case 500...: (.server, .backoff, .unknown, "the vendor failed; try again later")
            default: (.unknown, .never, .unknown, "this library does not know the status")
            }
        self.init(
            row.kind, "HTTP \(response.status) without an explanation: \(row.advice)", retry: row.retry,
            effect: row.effect, vendor: detail)
    }
}

extension PushError {
    /// The error for a response that reports a success but does not have the vendor's form.
    package init(unreadable what: String) { self.init(.malformedResponse, what, retry: .backoff, effect: .unknown) }
}
