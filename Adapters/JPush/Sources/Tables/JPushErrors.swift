import PushAdapter

/// The meanings of the codes of JPush's server API, by family of the API.
///
/// A failure inside the vendor (HTTP 5xx) leaves the effect unknown; a refusal means that the vendor did nothing.
enum JPushErrors {
    typealias Row = VendorErrorRow

    /// A family of the API with its own codes.
    enum Surface: String {
        /// Pushes, keys, batches, groups, templates, plans, files and images: codes from 1000, and from 2001.
        case push = "rest-push"
        /// Devices, tags, aliases and test devices: codes from 7000, and some from 2002.
        case device = "rest-device"
        /// Deliveries, statistics and users: 10, codes from 3001, and some from 2002.
        case report = "rest-report"
        /// Schedules and their sent messages: codes from 8000.
        case schedule = "rest-schedule"
    }

    /// Finds a row. A schedule contains a push, so push codes apply to it too.
    static func row(_ code: VendorCode, on surface: Surface) -> Row? {
        JPush.errorRows.row(code, on: surface.rawValue)
            ?? (surface == .schedule ? JPush.errorRows.row(code, on: Surface.push.rawValue) : nil)
    }

    /// The error of one part of a response.
    static func error(_ code: VendorCode, on surface: Surface, _ detail: VendorDetail) -> PushError {
        PushError(row(code, on: surface), detail, of: "JPush")
    }

    static let rows = [(Surface.push, push), (.device, device), (.report, report), (.schedule, schedule)].flatMap {
        surface, rows in rows.sorted { $0.code < $1.code }.on(surface.rawValue)
    }

    private static let pushPage = "Push API v3, 2019-07"
    private static let devicePage = "Device API v3, 2019-07"
    private static let reportPage = "Report API v3, 2019-07"
    private static let schedulePage = "Schedule API v3, 2019-07"
    private static let overviewPage = "REST API overview, 2019-07; inferred for this family"

    private static let checkKey = "app key or master secret is wrong, or belongs to another data center"

    private static let push: [Row] = [
        .failed(1000, .server, "internal error of the vendor", pushPage),
        .refused(1001, .misconfigured, "the method is not POST; check the address of the data center", pushPage),
        .refused(1002, .invalidArgument, "a required part of the message is missing", pushPage),
        .refused(1003, .invalidArgument, "a value of the message or a target is not valid", pushPage),
        .refused(1004, .unauthorized, checkKey, pushPage),
        .refused(1005, .tooLong, "the message is too long; shorten it", pushPage),
        .refused(1008, .misconfigured, "the app key is not valid; copy it from the console", pushPage),
        .refused(1009, .invalidArgument, "the message has a key that the vendor does not support", pushPage),
        .refused(1011, .noTarget, "no active device matches the audience", "\(pushPage); Java client 179"),
        .throttled(
            1012, .quotaExhausted, "too many paced pushes, or a phone maker's quota is used up", "\(pushPage); \(goSDK)"
        ),
        .refused(1020, .misconfigured, "the vendor answers HTTPS only; check the address", pushPage),
        .failed(1030, .server, "timeout inside the vendor", pushPage),
        .refused(
            1035, .invalidArgument, "active_push cannot be combined with a custom message or a paced push",
            "Java SDK 5.3.0; \(goSDK)"),
        .throttled(2001, .rateLimited, "too many requests per minute", "superseded rate-limit page"),
        .throttled(2002, .rateLimited, "too many requests per minute", pushPage),
        .refused(2003, .blocked, "the app key is on the vendor's blocklist", pushPage),
        .refused(
            2004, .blocked, addressRefused, pushPage),
        .refused(2005, .limitExceeded, "more messages to these targets than the vendor finds reasonable", pushPage),
        .refused(2006, .blocked, vipOnly, pushPage),
        .refused(2007, .blocked, notOpened, pushPage),
        .refused(
            2008, .quotaExhausted, "today's broadcasts are used up; try again tomorrow",
            "notice 197, 2020-03; \(goSDK)"),
    ]

    private static let goSDK = "community Go SDK 1.0.8"

    private static let device: [Row] =
        [
            .failed(7000, .server, "internal error of the vendor", devicePage),
            .refused(7001, .unauthorized, "the credentials are missing", devicePage),
            .refused(
                7002, .invalidArgument, "a value is not valid, or the device does not belong to this app",
                "\(devicePage); public logs, 2016"),
            .refused(7004, .unauthorized, checkKey, devicePage),
            .refused(7008, .misconfigured, "the app key does not exist in this data center", devicePage),
            .refused(7010, .misconfigured, "the path does not exist; check the data center", "Java client 138"),
            .refused(7013, .invalidArgument, "some values are not valid", devicePage),
            .refused(
                7015, .limitExceeded, "the alias has as many devices as the vendor allows; remove one first",
                "notice 197, 2020-03; \(goSDK)"),
            .failed(7030, .busy, "the vendor is busy", devicePage),
            .throttled(2002, .rateLimited, "too many requests per minute", overviewPage),
            .refused(2003, .blocked, "the app key is on the vendor's blocklist", overviewPage),
        ] + sharedRefusals

    private static let report: [Row] =
        [
            .failed(10, .server, "internal error of the vendor", reportPage),
            .throttled(2002, .rateLimited, "too many requests per minute", overviewPage),
            .refused(2003, .blocked, "the app may not use this interface", reportPage),
            .refused(3001, .unauthorized, checkKey, reportPage),
            .refused(3004, .invalidArgument, "the time unit does not fit the start", reportPage),
            .refused(3005, .limitExceeded, "only the last 60 days can be requested", reportPage),
        ] + sharedRefusals

    /// Documented for pushes. The allow-list and the contract belong to the app, so they apply here too.
    private static let sharedRefusals: [Row] = [
        .refused(2004, .blocked, addressRefused, overviewPage),
        .refused(2006, .blocked, vipOnly, overviewPage),
        .refused(2007, .blocked, notOpened, overviewPage),
    ]

    private static let addressRefused =
        "this machine's IP address is not on the app's allow-list; add it in the console"
    private static let vipOnly = "only VIP apps may do this"
    private static let notOpened = "the app may not use this interface"

    private static let schedule: [Row] = [
        Row(code: 8000, kind: .unknown, retry: .never, effect: .applied, advice: "success", source: schedulePage),
        .refused(8100, .invalidArgument, "the schedule is not valid or has expired", schedulePage),
        .refused(8101, .unauthorized, checkKey, schedulePage),
        .refused(8104, .invalidState, "the schedule does not exist or has been sent", schedulePage),
        .failed(8200, .server, "internal error of the vendor", schedulePage),
        .failed(8203, .server, "timeout inside the vendor", schedulePage),
        .refused(8400, .invalidArgument, "the request is not valid", "\(schedulePage), an example"),
        .refused(8404, .invalidState, "the schedule does not exist", "\(schedulePage), an example"),
    ]
}
