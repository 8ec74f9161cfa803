import PushAdapter

/// The meanings of the vendor's codes, which come with HTTP 200, for a whole request or for a row of it.
enum OPPOErrors {
    static let rows: [VendorErrorRow] = (refusals + throttles + special).sorted { $0.code < $1.code }

    /// Duplicate data.
    static let duplicate: VendorCode = 32
    /// Data that is not there.
    static let absent: VendorCode = 31
    /// A registration id that is wrong, and one that is unsubscribed.
    static let (wrongID, unsubscribed): (VendorCode, VendorCode) = (10000, 10001)

    private static let page = "OPPO, return codes, 2024"
    private static let getui = "Getui, table of OPPO's codes, 2024"
    private static let clients = "public clients, 2018 to 2026"

    private static let groups: [(codes: [VendorCode], kind: PushError.Kind, advice: String)] = [
        ([12, 20, 21, 22, 23, 24, 25], .misconfigured, "the vendor does not accept the form of the call"),
        ([14, 15], .unauthorized, "appKey is wrong or missing"),
        ([16], .unauthorized, "the signature is wrong; check appKey and masterSecret"),
        ([17, 18], .unauthorized, "the signature or its time is missing"),
        ([19], .misconfigured, "the clock of this machine is more than 10 minutes off; set it"),
        ([26, 27, 28], .blocked, "the vendor blocks this address or the app"),
        ([30], .misconfigured, "the app has no right to the call"),
        ([31], .invalidArgument, "the vendor has no such data"),
        ([40], .invalidArgument, "an argument is missing; the vendor's message names it"),
        ([41], .invalidArgument, "an argument is not valid, or a text has words that the vendor refuses"),
        ([51], .invalidArgument, "the picture is not valid"),
        ([59], .misconfigured, "the app has no right to buttons"),
        ([67], .misconfigured, "the app has no right to the category or to notify_level; check the console"),
        ([10000], .noTarget, "the registration id is wrong"),
    ]

    private static let refusals: [VendorErrorRow] =
        groups.flatMap { group in group.codes.map { .refused($0, group.kind, group.advice, page) } } + [
            .refused(10001, .noTarget, "the device is unsubscribed", clients),
            .refused(10004, .invalidArgument, "the list has the device twice", clients),
        ]

    private static let throttles: [VendorErrorRow] = [
        // That nothing was done is this library's inference.
        .throttled(-2, .rateLimited, "the vendor limits the flow", page),
        .throttled(69, .rateLimited, "the vendor limits all of its calls", getui),
        .throttled(13, .rateLimited, "too many calls; no source says how long to wait", page),
        .throttled(55, .rateLimited, "too many calls in a short time; no source says how long to wait", page),
        .usedUp(by: .china, 33, "the app has sent the day's amount", page),
        .usedUp(by: .china, 34, "the app has uploaded the day's amount of pictures", page),
        .usedUp(by: .china, 42, "the app has stored the day's amount of messages", getui),
    ]

    private static let special: [VendorErrorRow] = [
        .failed(-1, .server, "the vendor's service is not available", page),
        renewed(11, "the vendor refuses the access token"),
        renewed(29, "the vendor finds no access token; this library sends it as a header field"),
        VendorErrorRow(
            code: duplicate, kind: .unknown, retry: .never, effect: .unknown,
            advice: "duplicate data: perhaps an earlier request sent the message; see trustsDuplicates", source: page),
    ]

    private static func renewed(_ code: VendorCode, _ advice: String) -> VendorErrorRow {
        VendorErrorRow(
            code: code, kind: .unauthorized, retry: .afterRenewal, effect: .notApplied, advice: advice, source: page)
    }
}
