import PushAdapter

/// The meanings of the vendor's codes, which come with HTTP 200.
enum VivoErrors {
    /// Nothing was sent, because it is night in China.
    static let night: VendorCode = 10071
    /// The totals of the classes.
    static let (operational, system): (VendorCode, VendorCode) = (10070, 10073)
    /// The total of messages to everyone.
    static let everyone: VendorCode = 10254
    /// The address of receipts, and its parameter.
    static let callback: [VendorCode] = [10304, 10305, 10306]

    static let rows: [VendorErrorRow] = (refusals + throttles + [special]).sorted { $0.code < $1.code }

    private static let page = "vivo, server API 2.9.2, 2021 to 2023"
    private static let sdk = "vivo's server SDK, 2020"
    private static let getui = "Getui, table of vivo's codes, 2025"
    private static let umeng = "Umeng, API page, 2025"
    private static let clients = "public clients, 2018 to 2026"

    private static let groups: [(codes: [VendorCode], kind: PushError.Kind, advice: String, source: String)] = [
        ([10043, 10082], .blocked, "push is switched off for the app, or not yet on; see the console", getui),
        ([10045], .blocked, "the app is in review, and may send to test devices only; set isTest", getui),
        ([10050, 10150, 10151], .invalidArgument, "the request has no target", sdk),
        (
            [10051, 11000], .invalidArgument, "the app may not send this class; see the class of the message",
            "\(getui); \(sdk)"
        ),
        (
            [10054, 10055, 10057, 10059, 10060, 10061, 10063, 10065, 10066, 10068], .invalidArgument,
            "a field of the message is missing or wrong; the vendor's message names it", sdk
        ),
        ([10056, 10058, 10062, 10064, 10067, 10069], .tooLong, "a text of the message is too long", sdk),
        (
            [10085, 10104], .invalidArgument,
            "title or text look like a test: only digits, Latin letters or signs, braces, or the word 测试",
            "Aliyun, page 611820; \(getui)"
        ),
        ([10089], .misconfigured, "the app lacks the vendor's permission to show a number on its icon", umeng),
        ([10094], .misconfigured, "appId does not belong to appKey and appSecret", page),
        ([10095], .invalidArgument, "the option notifyId is not valid", getui),
        ([10096], .invalidArgument, "the vendor does not know the category; see categoryWords", getui),
        ([10097], .invalidArgument, "the category does not fit the class; see categoryWords", getui),
        ([10103], .invalidArgument, "the vendor found sensitive words", getui),
        ([10152], .invalidArgument, "the id of a message is not valid", getui),
        ([10153, 10154], .limitExceeded, "a list has 2 to 1,000 targets", sdk),
        ([10155], .invalidArgument, "the stored message is missing or expired", getui),
        (
            [10200, 10201, 10202, 10203, 10204], .unauthorized, "appId, appKey or the signature is missing or wrong",
            "\(page); \(getui)"
        ),
        ([10205], .unauthorized, "the vendor does not know appId", getui),
        ([10206], .unauthorized, "the signature is wrong; check appKey and appSecret", getui),
        ([10207], .unauthorized, "the time of the request is not valid; check this machine's clock", getui),
        ([10301], .tooLong, "the alias is too long", sdk),
        ([10302], .noTarget, "the vendor does not know the target, or has removed it", page),
        (callback, .invalidArgument, "the callback or its parameter is not valid", "\(sdk); \(getui)"),
        ([10311], .noTarget, "the device takes no messages now: notifications are off, or it is inactive", getui),
        ([10352, 10353], .invalidArgument, "the request id is empty or too long", sdk),
        ([10471, 10473], .invalidArgument, "the ids of messages are missing, or too many", sdk),
        (
            [10601, 10609, 10614, 10616], .invalidArgument,
            "the tag or its devices are missing or wrong; create a tag in the console first", sdk
        ),
        ([10800], .limitExceeded, "the request has more than 100 targets", getui),
        ([10801], .invalidArgument, "the request has no notification", getui),
    ]

    private static let refusals: [VendorErrorRow] = groups.flatMap { group in
        group.codes.map { .refused($0, group.kind, group.advice, group.source) }
    }

    private static let throttles: [VendorErrorRow] = [
        VendorErrorRow(
            code: 10000, kind: .unauthorized, retry: .afterRenewal, effect: .notApplied,
            advice: "the access token is wrong or old", source: "\(clients); \(getui)"),
        .throttled(10072, .rateLimited, "too many requests a second; see requestsPerSecond", getui),
        .throttled(10093, .rateLimited, "more than 10 access tokens a second", page),
        .usedUp(by: .china, operational, "the day's amount of operational messages is used up", page),
        .usedUp(by: .china, system, "the day's amount of system messages is used up", getui),
        .usedUp(by: .china, 10252, "the day's amount of stored messages is used up", page),
        .usedUp(by: .china, everyone, "the day's amount of messages to everyone is used up", page),
        .usedUp(by: .morning(of: .china), night, "operational messages go out from 7:00 to 23:00 only", getui),
    ]

    private static let special = VendorErrorRow(
        code: 10040, kind: .unknown, retry: .never, effect: .unknown,
        advice: "no source explains this code; one client repeats the request", source: clients)
}

extension CalendarDay {
    /// Days from seven in the morning to seven in the morning.
    static func morning(of day: CalendarDay) -> CalendarDay {
        CalendarDay(utcOffset: day.utcOffset - .seconds(7 * 3600))
    }
}
