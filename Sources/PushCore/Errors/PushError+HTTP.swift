extension PushError {
    /// The error for a response that is no success and holds no error of the vendor's own: a proxy's page, a gateway.
    ///
    /// 429 and the refusals 401, 403, 404, 405 and 410 mean nothing was done. Everything else leaves the effect
    /// unknown.
    public init(unexplained response: WireResponse) {
        let detail = VendorDetail(httpStatus: response.status, body: response.body)
        let row: (kind: Kind, retry: Retry, effect: Effect, advice: String) =
            switch response.status {
            case 429: (.rateLimited, .backoff, .notApplied, "too many requests")
            case 401, 403: (.unauthorized, .never, .notApplied, "refused; check the credentials and the data center")
            case 404, 405, 410: (.misconfigured, .never, .notApplied, "no such address; check the data center")
            case 300..<400:
                (.misconfigured, .never, .unknown, "a redirect, which is never followed; check the data center")
            case 408, 502, 503, 504: (.server, .backoff, .unknown, "the vendor is not available; try again later")
            case 500...: (.server, .backoff, .unknown, "the vendor failed; try again later")
            default: (.unknown, .never, .unknown, "no error this library knows")
            }
        self.init(
            row.kind, "HTTP \(response.status) without an explanation: \(row.advice)", retry: row.retry,
            effect: row.effect, vendor: detail)
    }
}
