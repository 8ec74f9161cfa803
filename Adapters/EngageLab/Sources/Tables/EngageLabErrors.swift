import PushAdapter

/// The meanings of the codes of EngageLab's REST API, on every surface.
///
/// The vendor sends its throttle as HTTP 400 and parameter errors as 401, so the code counts, not the status. A failure
/// inside the vendor leaves the effect unknown. A refusal means that the vendor did nothing.
enum EngageLabErrors {
    static let rows: [VendorErrorRow] = refusals.sorted { $0.code < $1.code }

    /// The error of one part of a response.
    static func error(_ code: VendorCode, _ detail: VendorDetail) -> PushError {
        PushError(rows.row(code), detail, of: "EngageLab")
    }

    private static let reference = "vendor's AppPush reference, 2026-03-11"
    private static let webPush = "vendor's Web Push reference, 2026-03-11; inferred for apps"

    static let centerAdvice =
        "a key works only in its own data center; the console shows that one as Service Endpoint"

    private static let refusals: [VendorErrorRow] = [
        .refused(
            1003, .invalidArgument,
            "a value of the report is not valid, or the message to replace is older than a day or unknown",
            "\(reference); \(webPush)"),
        .refused(1011, .noTarget, "no device matches the audience; the older number of 21011", "iOS API guide"),
        .refused(
            20_101, .invalidArgument, "a registration id is malformed, or belongs to another app or data center",
            reference),
        .refused(21_001, .misconfigured, "the method is not POST; check the address of the data center", reference),
        .refused(21_002, .invalidArgument, "a required field is missing", reference),
        .refused(
            21_003, .invalidArgument, "a value is not valid, or the message does not exist",
            "\(reference); Message Recall API page; Python SDK 0.1.1"),
        .refused(
            21_004, .unauthorized, "app key or master secret is wrong; \(centerAdvice)",
            "\(reference); that a foreign center answers so is inferred"),
        .refused(21_005, .tooLong, "notification or message is over 4000 bytes; shorten it", reference),
        .refused(
            21_008, .misconfigured, "the app key is not valid; look for stray blanks; \(centerAdvice)",
            "\(reference); that a foreign center answers so is inferred"),
        .failed(21_009, .server, "internal error of the vendor", reference),
        .refused(21_011, .noTarget, "no device matches the audience", reference),
        .refused(21_015, .invalidArgument, "the request has a field that the vendor does not know", reference),
        .refused(21_016, .invalidArgument, "a field has the wrong type or length", reference),
        .failed(21_030, .server, "timeout inside the vendor", reference),
        .refused(21_038, .blocked, "the app's paid plan has expired or was never activated", reference),
        .refused(21_050, .invalidArgument, "the event of a live activity must be start, update or end", reference),
        .refused(21_051, .invalidArgument, "a live activity can start only for everyone or for devices", reference),
        .refused(21_052, .invalidArgument, "the start of a live activity needs attributes-type", reference),
        .refused(21_053, .invalidArgument, "a live activity needs content-state", reference),
        .refused(21_054, .invalidArgument, "a live activity goes without any other content", reference),
        .refused(21_055, .misconfigured, "live activities need a P8 key of Apple's in the console", reference),
        .refused(21_056, .invalidArgument, "a live activity is for ios only", reference),
        .refused(21_057, .invalidArgument, "a VoIP push goes without any other content", reference),
        .refused(21_058, .invalidArgument, "a VoIP push is for ios only", reference),
        .refused(
            21_059, .invalidArgument, "this kind of message cannot be paced; leave out big_push_duration", reference),
        .refused(21_306, .invalidArgument, "a push takes a notification or a custom message, not both", reference),
        .refused(
            23_003, .invalidArgument, "the idempotency key has a wrong form; use at most 64 letters, digits, _ and -",
            "best practice: how to avoid duplicate push"),
        .refused(23_006, .invalidArgument, "a parameter is not valid; big_push_duration is at most 1440", reference),
        .throttled(23_008, .rateLimited, "the app exceeds its requests per second", "\(reference); Python SDK 0.1.1"),
        .refused(
            23_009, .blocked, "this machine's IP address is not on the console's allow-list; add it there", reference),
        .failed(27_000, .server, "internal error of the vendor", reference),
        .refused(27_001, .unauthorized, "the credentials are missing", reference),
        .failed(27_002, .server, "unknown error of the vendor while deleting a device", reference),
        .refused(27_008, .invalidArgument, "a distribution needs a notification with a text", reference),
        .refused(27_009, .invalidArgument, "the distribution is empty or not valid", reference),
        .refused(27_303, .invalidArgument, "the plan's id is empty", "\(reference); Push Plan API page, 2025-04-15"),
    ]
}
