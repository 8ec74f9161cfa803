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
        aliasSharing: .several, fields: fields, absentFields: absentFields)

    /// The message fields that the encoder writes.
    private static let fields: Set<MessageField> = Set(
        [
            .platforms, .timeToLive, .environment, .title, .body, .extras, .customTitle, .customContentType,
            .customExtras, .messageClass, .template,
        ]
            + [
                "title", "title.localized", "subtitle", "subtitle.localized", "body", "body.localized", "sound",
                "badge",
                "category", "threadID", "isMutable", "isContentAvailable", "interruptionLevel", "collapseID", "extras",
            ].map(MessageField.ios)
            + [
                "title", "body", "channelID", "priority", "category", "sound", "tap.intentURI", "tap.intentAction",
                "tap.activity", "badge.set", "badge.add", "image", "extras",
            ].map(MessageField.android)
            + [
                "title", "body", "category", "tap.intentURI", "tap.intentAction", "sound", "badge.set", "badge.add",
                "extras",
            ].map(MessageField.harmony))

    private static let absentFields: [MessageField: String] = [
        .title.form("localized"): translations, .body.form("localized"): translations,
        .android("title.localized"): translations, .android("body.localized"): translations,
        .harmony("title.localized"): translations, .harmony("body.localized"): translations,
        .image: "JPush shows pictures on Android only; set image of the Android notification",
        .deliveryPriority: "JPush has no field for it",
    ]

    private static let translations =
        "JPush passes keys of texts to Apple's devices only; give ios the key, and the others a plain text"

    /// Native features besides the roles' calls.
    private static let native: [Feature] = [
        .scheduleOnce, .scheduleRecurring, .audienceEveryone, .audienceDevices, .audienceAliases, .audienceTagsAnyOf,
        .audienceTagsAllOf,
        .audienceTagsNoneOf, .audienceSegment, .audienceLiveActivity, .audienceFile, .contentNotification,
        .contentCustom, .contentLiveActivity, .contentVoIP, .contentBadgeArithmetic,
    ]

    private static let support: [Feature: Support] = {
        var support = Dictionary(uniqueKeysWithValues: (native + Feature.jpushCalls).map { ($0, Support.native) })
        support[.replaceTags] = .unsupported("JPush can add and remove tags but cannot replace them")
        let accounts: [Feature] = [
            .audienceAccounts, .readAccounts, .readAccountDevices, .addAccounts, .removeAccounts, .replaceAccounts,
            .clearAccounts,
        ]
        let attributes: [Feature] = [
            .readAttributes, .addAttributes, .removeAttributes, .replaceAttributes, .clearAttributes,
        ]
        for feature in accounts { support[feature] = .unsupported("JPush has no accounts; use aliases") }
        for feature in attributes { support[feature] = .unsupported("JPush has no attributes; use tags") }
        return support
    }()

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
            .scheduleName: AllowedCharacters(
                "letters, digits, _ and Chinese", ascii: AllowedCharacters.alphanumerics + "_",
                ranges: AllowedCharacters.han,
                source: schedule),
        ])

    private static let characters = AllowedCharacters(
        "letters, digits, Chinese characters and _@!#$&*+=.|￥", ascii: AllowedCharacters.alphanumerics + "_@!#$&*+=.|",
        ranges: AllowedCharacters.han + [0xFFE5...0xFFE5], source: device)
}
