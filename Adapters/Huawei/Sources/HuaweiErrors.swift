package import PushAdapter

/// The codes that both APIs share. No page says which HTTP status comes with which code.
package enum HuaweiErrors {
    package static let response = "Push Kit, responses of scenario messages, 2026-02"
    private static let flow = "Push Kit, control of message frequency, 2026-02"

    package static let rows: [VendorErrorRow] = [
        .refused("80100001", .invalidArgument, "a part of the parameters is wrong", response),
        .refused("80100003", .invalidArgument, "the body is malformed; the vendor's message names the part", response),
        .refused("80100004", .invalidArgument, "the time to live does not fit", response),
        renewing(
            "80200001",
            "the credentials are refused: a key of another project, a wrong id in the address, or a wrong clock",
            response),
        renewing("80200005", "the token has expired", response),
        .refused(
            "80300002", .misconfigured,
            "the app may not send: Push Kit is off, the project differs, or the right to send abroad is missing; this "
                + "says nothing about the tokens", response),
        .refused("80300007", .noTarget, "the vendor refuses all tokens", response),
        .refused("80300008", .tooLong, "the message without its tokens has more than 4,096 bytes", response),
        .refused(
            "80300010", .limitExceeded, "a send takes 1 to 1,000 tokens", response),
        .refused(
            "80300036", .misconfigured, "the token lasts longer than a day; is this machine's clock right?", response),
        .refused("80300037", .blocked, "the vendor punishes the app for wrong classes or contents", response),
        .failed("81000001", .server, "the vendor failed", response),
        .refused(.status(400), .invalidArgument, "a parameter is wrong", response),
        renewing(.status(401), "the credentials are refused", response),
        .refused(
            .status(404), .misconfigured, "unknown address; check the project, the client id and the data center",
            response),
        .failed(.status(500), .server, "the vendor failed", response),
        .failed(.status(502), .server, "the vendor cannot be reached behind its gateway", response),
        // Nothing says that none of the tokens was served: the certainty is this library's inference.
        .throttled(
            .status(503), .rateLimited, "too many devices a second, of the app or of the whole system", flow
        ).certain(at: 503),
    ]

    /// A refusal that a new token may fix.
    package static func renewing(_ code: VendorCode, _ advice: String, _ source: String) -> VendorErrorRow {
        VendorErrorRow(
            code: code, kind: .unauthorized, retry: .afterRenewal, effect: .notApplied, advice: advice, source: source)
    }
}
