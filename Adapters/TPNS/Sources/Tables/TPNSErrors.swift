import PushAdapter

/// The meanings of the codes of the TPNS server API.
///
/// It is inferred that codes come with HTTP 200; the adapter reads them with any status. A failure inside the vendor
/// leaves the effect unknown. A refusal means that nothing was applied.
enum TPNSErrors {
    typealias Row = VendorErrorRow

    static let rows: [Row] = (refusals + passing).sorted { $0.code < $1.code }

    static func row(_ code: VendorCode) -> Row? { rows.row(code) }

    static let accessPointAdvice =
        "the AccessId, its secret key and the access point do not match: copy all three from the same page of the "
        + "console"

    private static let page = "Server-Side Error Codes, 1024/33763, 2024-01-17"
    private static let clientPage = "iOS and Android Error Codes, server section, 2024-01-16"

    private static let refusals: [Row] = [
        refused(1_008_001, .invalidArgument, "the vendor cannot parse the request"),
        refused(1_008_002, .invalidArgument, "a required parameter is missing"),
        refused(
            1_008_003, .unauthorized,
            "the vendor refuses the signature or the credentials: check the secret key (not the access key of the "
                + "client SDK), this machine's clock (the signature includes the time) and the access point"),
        refused(1_008_006, .noTarget, "the token is not registered or not valid: do not use it again"),
        refused(1_008_007, .invalidArgument, "a parameter is not valid"),
        refused(1_008_012, .invalidArgument, "the uploaded file is empty"),
        refused(1_008_013, .misconfigured, "the certificate cannot be read"),
        refused(1_008_015, .invalidState, "the vendor does not know the push id"),
        refused(1_008_016, .invalidArgument, "a date has the wrong form"),
        refused(1_008_019, .blocked, "the vendor's review refused the content"),
        refused(1_008_020, .misconfigured, "the certificate is for another bundle id"),
        refused(1_008_021, .misconfigured, "the file is not a p12 certificate"),
        refused(1_008_022, .misconfigured, "the password of the p12 certificate is wrong"),
        refused(
            1_008_023, .misconfigured,
            "the APNs certificate of this environment has expired or is missing: upload one in the console"),
        refused(1_008_025, .invalidState, "the app already exists on this platform"),
        refused(1_008_027, .noTarget, "the vendor accepted no element of the call"),
        refused(1_008_029, .noTarget, "the token is not valid: do not use it again"),
        refused(1_008_030, .blocked, "the app is not paid for"),
        refused(1_008_031, .blocked, "the app has expired and its data was deleted"),
        refused(1_008_035, .misconfigured, accessPointAdvice),
        refused(1_010_001, .blocked, "no push resources were bought for the app", clientPage),
        refused(
            10_010_005, .noTarget,
            "the target does not exist (the vendor calls this an internal error); a binding takes a moment to apply"),
        refused(10_010_012, .invalidArgument, "send_time is too far in the past"),
        // This call did nothing, because the message was sent before. Do not send it again, here or through another
        // vendor.
        Row(
            code: 10_010_018, kind: .invalidState, retry: .never, effect: .applied,
            advice:
                "the same message was pushed to this audience within the last hour: an earlier send of it was applied",
            source: "\(page); Product Restrictions, 1024/35286, 2024-01-16"),
        refused(10_030_002, .misconfigured, "AccessId and access key of the client SDK do not match", clientPage),
        refused(10_030_009, .misconfigured, accessPointAdvice, "Android Error Codes, 1024/30722"),
        refused(10_110_008, .noTarget, "the vendor does not know the token or account"),
    ]

    private static let passing: [Row] = [
        .throttled(
            1_008_028, .rateLimited,
            "too many calls: the limits are one push a second to everyone, tags and packages, 200 statistics an hour",
            "\(page); Push API, China 548/39064, 2026-01-14"),
        failed(1_008_004, .server, "the vendor could not reach one of its own services"),
        failed(1_008_011, .server, "the upload failed at the vendor"),
        // Some elements were applied and others were not.
        failed(1_008_026, .server, "the vendor did not accept some of the elements"),
    ]

    private static func refused(
        _ code: VendorCode, _ kind: PushError.Kind, _ advice: String, _ source: String = page
    ) -> Row {
        .refused(code, kind, advice, source)
    }

    private static func failed(_ code: VendorCode, _ kind: PushError.Kind, _ advice: String) -> Row {
        .failed(code, kind, advice, page)
    }
}
