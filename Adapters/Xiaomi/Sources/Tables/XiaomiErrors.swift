import PushAdapter

/// The meanings of the vendor's codes, which come with HTTP 200.
enum XiaomiErrors {
    static let rows: [VendorErrorRow] = (failures + refusals + throttles + special).sorted { $0.code < $1.code }

    private static let page = "Xiaomi, error codes of the server, 2024-10-18"
    private static let limits = "Xiaomi, limits of messages, 2026-02-04"
    private static let getui = "Getui, table of Xiaomi's codes, 2024"
    private static let sdk = "Xiaomi's server SDK 2.2.19, 2018"

    /// Failures of the vendor: whether it acted is unknown.
    private static let failures: [VendorErrorRow] =
        [-1, 1, 10001, 20607, 26003, 65029, 65030].map { .failed($0, .server, "the vendor failed", page) } + [
            // That nothing is known of the effect is this library's caution.
            .failed(10002, .server, "the vendor is busy", page),
            .failed(10003, .server, "a service behind the vendor failed", page),
            .failed(20215, .server, "the device was not subscribed to the topic", page),
            .failed(20216, .server, "the device was not unsubscribed from the topic", page),
        ]

    private static let groups: [(codes: [VendorCode], kind: PushError.Kind, advice: String)] = [
        (
            [
                10008, 10012, 10016, 10017, 21305, 22102, 65011, 65012, 65013, 65014, 65015, 65016, 65017, 65035, 65036,
                65037, 65038, 65040, 65041,
            ], .invalidArgument, "a parameter is missing, wrong, or one of too many; the vendor's message names it"
        ),
        ([20209], .invalidArgument, "the topic is not allowed"),
        ([65008], .tooLong, "an alias is too long"), ([65009], .tooLong, "the message is too long"),
        ([65010], .tooLong, "a topic is too long"),
        ([10031, 10033, 10036, 21303, 22000], .blocked, "the vendor blocks the app, or forbids it the call"),
        ([65007], .blocked, "the vendor blocks the alias"),
        ([21301], .unauthorized, "appSecret is wrong"), ([21302], .unauthorized, "the vendor refuses the secret"),
        ([22007], .unauthorized, "the key of the app is wrong"),
        ([22006], .misconfigured, "the id of the app is wrong"),
        ([22022], .misconfigured, "packageName is not a package of this app"),
        ([10029, 65003], .noTarget, "the vendor does not know the device"),
        (
            [27001], .misconfigured,
            "the channel is missing, wrong or not approved; set it in categoryWords, and check the console"
        ),
        ([10035], .invalidState, "there are no more invalid aliases"),
        ([10038], .unsupported, "the app may not read statistics"),
        ([20315, 65028], .invalidState, "the vendor has no such message or schedule"),
    ]

    private static let refusals: [VendorErrorRow] =
        groups.flatMap { group in group.codes.map { .refused($0, group.kind, group.advice, page) } } + [
            .refused(10041, .invalidArgument, "the title or the text does not follow the vendor's rules", getui),
            .refused(66007, .noTarget, "the device id is not valid", getui),
            // Public answers show that all targets were invalid; that nothing was sent is this library's inference.
            .refused(20301, .noTarget, "the vendor knows none of the targets", page),
            .refused(.status(400), .invalidArgument, "the request is not valid", sdk),
        ]

    private static let throttles: [VendorErrorRow] = [
        .throttled(10027, .rateLimited, "too many requests", page),
        .throttled(200_002, .rateLimited, "too many requests a second; see requestsPerSecond", limits),
        .throttled(10030, .rateLimited, "invalid ids were asked for too often", page),
        .throttled(10032, .rateLimited, "statistics were asked for too often", page),
        .throttled(10039, .rateLimited, "statistics were asked for too often", page),
        .throttled(26004, .rateLimited, "too many messages to everyone; no source says how long to wait", page),
        .throttled(26005, .rateLimited, "accounts were set too often; no source says how long to wait", page),
        .throttled(65006, .rateLimited, "aliases were set too often; no source says how long to wait", page),
        // That nothing was done is this library's inference.
        .throttled(10037, .invalidState, "the request had expired when the vendor came to it", page),
        .usedUp(by: .china, 10034, "the app has sent the day's amount", page),
        .usedUp(by: .china, 200_001, "the day's amount of the class is used up, counted by deliveries", limits),
    ]

    private static let special: [VendorErrorRow] = [
        unclear(26006, "a person at the vendor reviews the message, and it may still go out", page),
        unclear(66006, "no source explains this code", getui),
    ]

    private static func unclear(_ code: VendorCode, _ advice: String, _ source: String) -> VendorErrorRow {
        VendorErrorRow(
            code: code, kind: .unknown, retry: .never, effect: .unknown, advice: advice, source: source)
    }
}
