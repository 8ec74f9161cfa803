import JiguangDialect
import PushAdapter

extension LimitKey {
    static let jpushAndroidBytes: LimitKey = "jpush.message.android.bytes"
    static let jpushIOSBytes: LimitKey = "jpush.message.ios.bytes"
    static let jpushChannelID: LimitKey = "jpush.message.android.channelID"
    static let jpushBadge: LimitKey = "jpush.message.ios.badge"
    static let jpushLiveActivityBytes: LimitKey = "jpush.message.liveActivity.bytes"
    static let jpushDevicesPerCall: LimitKey = "jpush.devices.call"
    static let jpushBatch: LimitKey = "jpush.send.batch"
    static let jpushReportMessages: LimitKey = "jpush.report.statistics"
    static let jpushGroupMessages: LimitKey = "jpush.report.group"
}

extension QuotaBucket {
    static let jpushPush: QuotaBucket = "push"
    static let jpushDevice: QuotaBucket = "device"
    static let jpushReport: QuotaBucket = "report"
    static let jpushSchedule: QuotaBucket = "schedule"
    static let jpushFiles: QuotaBucket = "files"
}

/// JPush's features and limits, each with its page and date.
enum JPushLimits {
    private static let push = "Push API v3, 2019-07"
    private static let device = "Device API v3, 2019-07"
    private static let report = "Report API, 2025-08"
    private static let schedule = "Schedule API v3, 2019-07"
    private static let clientRule = "iOS SDK guide; the server's rule is not documented"
    private static let overview = "REST API overview, 2019-07"
    private static let goSDK = "community Go SDK 1.0.8, 2026-07"

    /// The quotas of services other than pushes.
    static let buckets: [ServiceName: QuotaBucket] = [
        .jpushDevices: .jpushDevice, .jpushTags: .jpushDevice, .jpushAliases: .jpushDevice, .jpushTest: .jpushDevice,
        .jpushReport: .jpushReport, .jpushSchedules: .jpushSchedule, .jpushFiles: .jpushFiles,
    ]

    static let capabilities = unclassed.passingClasses(to: JPushClasses.makers, reaching: JPushClasses.makers)

    private static let unclassed = Capabilities(
        support: support, limits: limits,
        quotas: [
            .jpushPush: Quota(600, per: .seconds(60), source: overview),
            .jpushDevice: Quota(600, per: .seconds(60), source: overview),
            .jpushReport: Quota(2400, per: .seconds(60), source: overview),
            .jpushSchedule: Quota(100, per: .seconds(60), source: overview),
            .jpushFiles: Quota(20, per: .seconds(60), source: goSDK),
        ],
        aliasSharing: .several, fields: fields, absentFields: absentFields,
        optionRules: JPushOptions.rules, optionPlaces: JPushOptions.places, platforms: JPushEncoder.platforms)

    /// The message fields that the encoder writes.
    static let fields = Dialect.fields.union([
        .android("tap.intentAction"), .android("tap.activity"), .harmony("sound"), .messageClass, .template,
    ])

    private static let absentFields = Dialect.absentFields(of: "JPush", translations: translations)

    private static let translations =
        "JPush passes keys of texts to Apple's devices only; give ios the key, and the others a plain text"

    private static let support = Dialect.support(of: "JPush", calls: [.audienceFile] + Feature.jpushCalls)

    private static let limits = Limits(
        [
            .devicesPerSend: Limit(1000, .count, .split, source: push),
            .aliasesPerSend: Limit(1000, .count, .split, source: push),
            .tagsPerSend: Limit(20, .count, .reject, source: push),
            .tagLength: Limit(40, .utf8Bytes, .reject, source: device),
            .aliasLength: Limit(40, .utf8Bytes, .reject, source: device),
            .tagsPerCall: Limit(100, .count, .split, source: device),
            .tagBytesPerCall: Limit(1000, .utf8Bytes, .split, source: device),
            .tagsPerDevice: Limit(1000, .count, .reject, source: device),
            .devicesPerAlias: Limit(10, .count, .leaveToVendor, source: "Jiguang notice 197, 2020-03"),
            .messagesPerReport: Limit(100, .count, .split, source: report),
            .phoneLength: Limit(20, .characters, .reject, source: clientRule),
            .scheduleName: Limit(255, .utf8Bytes, .reject, source: schedule),
            .scheduleHorizon: Limit(366 * 86_400, .seconds, .reject, source: schedule),
            .schedules: Limit(100, .count, .leaveToVendor, source: schedule),
            .jpushDevicesPerCall: Limit(1000, .count, .reject, source: device),
            .devicesPerTagCall: Limit(1000, .count, .split, source: device),
            .jpushBatch: Limit(1000, .count, .reject, source: "Java SDK 5.3.0, 2026-01"),
            .jpushReportMessages: Limit(100, .count, .reject, source: report),
            .jpushGroupMessages: Limit(10, .count, .reject, source: report),
            .jpushLiveActivityBytes: Limit(3584, .utf8Bytes, .reject, source: goSDK),
            .keysPerMint: Limit(1000, .count, .split, source: push),
            // Ten days is the contract's maximum. Since 2026, a free app has three; only the vendor can check that.
            .timeToLive: Limit(864_000, .seconds, .reject, source: push),
            .jpushAndroidBytes: Limit(4000, .utf8Bytes, .reject, source: push),
            .jpushIOSBytes: Limit(2000, .utf8Bytes, .reject, source: "\(push); Java SDK 3.7.8, 2024"),
            .jpushChannelID: Limit(1000, .utf8Bytes, .reject, source: push),
            .jpushBadge: Limit(99, .count, .reject, source: goSDK),
        ],
        characters: [
            .tagLength: characters, .aliasLength: characters,
            .phoneLength: AllowedCharacters(
                "digits, - and + in front", ascii: "+-0123456789", ranges: [], source: clientRule),
            .scheduleName: Dialect.wordCharacters(source: schedule),
        ])

    private static let characters = AllowedCharacters(
        "letters, digits, Chinese characters and _@!#$&*+=.|￥", ascii: AllowedCharacters.alphanumerics + "_@!#$&*+=.|",
        ranges: AllowedCharacters.han + [0xFFE5...0xFFE5], source: device)
}
