import PushAdapter

/// The meanings of the vendor's codes, as an integrator's table has them. The vendor's page may have others.
enum HonorErrors {
    /// The API family of the token service.
    static let oauth = "oauth"

    static let rows: [VendorErrorRow] =
        (statuses + refusals + renewals).sorted { $0.code < $1.code }.on("rest") + tokens.on(oauth)

    private static let table = "Getui, operations table in a public repository, 2025"
    private static let gateway = "the list of one gateway"
    private static let inferred = "this library's inference"

    /// The table does not say whether its small numbers are statuses or codes, so a row counts in both places.
    private static let statuses: [VendorErrorRow] = [
        both(400) { .refused($0, .invalidArgument, "a parameter is wrong", table) },
        both(401) { renewing($0, "the access token is missing, wrong or has expired", inferred) },
        both(403) { renewing($0, "the vendor refuses the access token", table) },
        both(404) { .refused($0, .misconfigured, "unknown address; check appID and the data center", table) },
        both(500) { .failed($0, .server, "the vendor failed", table) },
        both(502) { .failed($0, .server, "the vendor cannot be reached behind its gateway", table) },
        // Nothing says that none of the tokens was served: the certainty is this library's inference.
        both(503) { .throttled($0, .rateLimited, "too many requests a second", table).certain(at: 503) },
    ].flatMap { $0 }

    private static func both(_ number: Int, _ row: (VendorCode) -> VendorErrorRow) -> [VendorErrorRow] {
        [row(VendorCode(number)), row(.status(number))]
    }

    private static let refusals: [VendorErrorRow] = [
        .refused(10001, .misconfigured, "the header field timestamp is missing", table),
        .refused(10205, .misconfigured, "the vendor does not know appID", table),
        .refused(
            10207, .misconfigured, "the header field timestamp is wrong; check this machine's clock, and timestampUnit",
            table),
        .refused(10300, .invalidArgument, "the request has no token", table),
        .refused(80_100_003, .invalidArgument, "the body is malformed", table),
        .refused(80_200_020, .misconfigured, "the receipt id does not fit", table),
        .refused(80_200_022, .misconfigured, "the app has no right to this kind of message; apply for it", table),
        .usedUp(by: .china, 80_200_047, "the app has sent the day's test messages", table),
        .refused(80_200_050, .invalidArgument, "a message of marketing may have no picture", table),
        .refused(80_200_056, .invalidArgument, "the text has sensitive words", table),
        .refused(80_300_006, .invalidArgument, "a token is in the list twice", table),
        .refused(80_300_007, .noTarget, "the vendor refuses all tokens", table),
        .refused(80_300_008, .tooLong, "the message has more than 4,096 bytes", table),
        .refused(80_300_010, .limitExceeded, "a send takes 1 to 1,000 tokens", table),
    ]

    private static let renewals = [renewing(80_200_003, "the access token has expired", gateway)]

    private static let tokens: [VendorErrorRow] = [
        .refused("invalid_client", .unauthorized, "clientID or clientSecret is wrong", clients),
        .refused("invalid_grant", .unauthorized, "the vendor refuses the grant type", clients),
        .refused(
            "unauthorized_client", .unauthorized, "clientID or clientSecret is wrong; the App ID is no client id",
            clients),
    ]
    private static let clients = "answers that public clients quote"

    /// A refusal that a new token may fix.
    private static func renewing(_ code: VendorCode, _ advice: String, _ source: String) -> VendorErrorRow {
        VendorErrorRow(
            code: code, kind: .unauthorized, retry: .afterRenewal, effect: .notApplied, advice: advice, source: source)
    }
}
