import HuaweiDialect
import PushAdapter

/// The meanings of the vendor's codes, and of those of its token service.
enum HuaweiRows {
    /// The API family of the token service.
    static let oauth = "oauth"

    static let all: [VendorErrorRow] =
        (HuaweiErrors.rows + own).sorted { $0.code < $1.code }.on("rest")
        + tokens.sorted { $0.code < $1.code }.on(oauth)

    private static let page = "HMS Core, downlink messages, 2025-08"
    private static let quoted = "issue 16 of the vendor's sample for Java, quoting its table"

    private static let own: [VendorErrorRow] = [
        .refused("80100013", .invalidArgument, "collapse_key is not -1 to 100", page),
        .refused("80100016", .invalidArgument, "the text has sensitive words", page),
        .throttled("80100017", .rateLimited, "more than 100 changes of topics at once; wait minutes", page),
        .refused("80100018", .invalidArgument, "the signature of the outside review is missing or wrong", quoted),
        HuaweiErrors.renewing("80200003", "the access token has expired or is garbled", page),
        .refused("80300011", .misconfigured, "the app has no right to high urgency; apply for it", page),
        .refused("80300013", .misconfigured, "the address for receipts, or its certificate, does not work", page),
        VendorErrorRow(
            code: "80300028", kind: .unknown, retry: .never, effect: .unknown,
            advice: "no page of the vendor has this code; one client takes it for a dead token of a card",
            source: "one public client"),
        // That nothing was sent is this library's inference.
        VendorErrorRow(
            code: "80600003", kind: .server, retry: .backoff, effect: .notApplied,
            advice: "the vendor's own token service failed", source: quoted
        ).certain(at: 500),
    ]

    private static let accounts = "HUAWEI ID, error codes of the server, 2025"

    private static let tokens: [VendorErrorRow] = [
        .refused("1101/12304", .unauthorized, "clientSecret is wrong", accounts),
        .refused("1101/20002", .unauthorized, "clientID has a wrong form", accounts),
        .refused("1101/20003", .unauthorized, "the vendor does not know clientID", accounts),
        .refused("1101/20171", .unauthorized, "the request has no secret", accounts),
        .refused("1101/20172", .unauthorized, "clientSecret has a wrong form", accounts),
        .refused("1101/20182", .unauthorized, "the grant type is wrong", accounts),
        .refused(.status(403), .misconfigured, "a policy of this machine's network refuses the call", accounts),
        .refused(.status(404), .misconfigured, "unknown address; check the data center", accounts),
        .refused(.status(405), .misconfigured, "the address takes no such call; check the data center", accounts),
        .throttled(.status(503), .rateLimited, "more than 1,000 tokens in five minutes", accounts),
        .failed(.status(500), .server, "the token service failed", accounts),
        .failed(.status(502), .server, "the token service cannot be reached", accounts),
        .failed(.status(504), .server, "the token service did not answer in time", accounts),
        .failed(.status(590), .server, "the token service cannot be reached", accounts),
    ]
}
