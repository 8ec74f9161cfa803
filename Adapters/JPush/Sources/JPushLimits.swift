import PushCore

extension Limit {
    static let jpushAndroidBytes: Limit = "message.android.bytes"
    static let jpushIOSBytes: Limit = "message.ios.bytes"
    static let jpushCollapseID: Limit = "message.ios.collapseID"
    static let jpushChannelID: Limit = "message.android.channelID"
    static let jpushBadge: Limit = "message.ios.badge"
    static let jpushLiveActivityBytes: Limit = "message.liveActivity.bytes"
    static let jpushDevicesPerCall: Limit = "devices.call"
    static let jpushBatch: Limit = "send.batch"
    static let jpushReportMessages: Limit = "report.statistics"
    static let jpushGroupMessages: Limit = "report.group"
}

extension QuotaBucket {
    static let jpushPush: QuotaBucket = "push"
    static let jpushDevice: QuotaBucket = "device"
    static let jpushReport: QuotaBucket = "report"
    static let jpushSchedule: QuotaBucket = "schedule"
    static let jpushFiles: QuotaBucket = "files"
}

/// What JPush does and where its limits are, each with the page and its date.
enum JPushLimits {
    private static let push = "Push API v3, 2019-07"
    private static let device = "Device API v3, 2019-07"
    private static let report = "Report API, 2025-08"
    private static let schedule = "Schedule API v3, 2019-07"
    private static let clientRule = "iOS SDK guide; the server's rule is not documented"
    private static let overview = "REST API overview, 2019-07"
    private static let goSDK = "community Go SDK 1.0.8, 2026-07"

    static let capabilities = Capabilities(
        support: support, limits: limits,
        quotas: [
            .jpushPush: Quota(600, per: .seconds(60), source: overview),
            .jpushDevice: Quota(600, per: .seconds(60), source: overview),
            .jpushReport: Quota(2400, per: .seconds(60), source: overview),
            .jpushSchedule: Quota(100, per: .seconds(60), source: overview),
            .jpushFiles: Quota(20, per: .seconds(60), source: goSDK),
        ],
        aliasSharing: .several, fields: fields)

    /// The fields of a message that the encoder writes.
    private static let fields: Set<MessageField> = Set(
        [
            .platforms, .timeToLive, .environment, .title, .extras, .customTitle, .customContentType, .customExtras,
        ]
            + [
                "title", "subtitle", "body", "sound", "badge", "category", "threadID", "isMutable",
                "isContentAvailable", "interruptionLevel", "collapseID",
            ].map(MessageField.ios)
            + [
                "title", "body", "channelID", "priority", "category", "sound", "intentURL", "badgeIncrement",
            ].map(MessageField.android))

    /// Beside the calls of the roles.
    private static let native: [Feature] = [
        .scheduleOnce, .scheduleRecurring, .audienceEveryone, .audienceDevices, .audienceAliases, .audienceTagsAnyOf,
        .audienceTagsAllOf,
        .audienceTagsNoneOf, .audienceSegment, .audienceLiveActivity, .audienceFile, .contentNotification,
        .contentCustom, .contentLiveActivity, .contentVoIP, .contentBadgeArithmetic,
    ]

    private static let support: [Feature: Support] = {
        var support = Dictionary(uniqueKeysWithValues: (native + Feature.jpushCalls).map { ($0, Support.native) })
        support[.replaceTags] = .unsupported("JPush adds and removes, and has no call that replaces")
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
            .devicesPerSend: Bound(1000, .count, .split, source: push),
            .aliasesPerSend: Bound(1000, .count, .split, source: push),
            .tagsPerSend: Bound(20, .count, .reject, source: push),
            .tagLength: Bound(40, .utf8Bytes, .reject, source: device),
            .aliasLength: Bound(40, .utf8Bytes, .reject, source: device),
            .tagsPerCall: Bound(100, .count, .split, source: device),
            .tagBytesPerCall: Bound(1000, .utf8Bytes, .split, source: device),
            .tagsPerDevice: Bound(1000, .count, .reject, source: device),
            .devicesPerAlias: Bound(10, .count, .leaveToVendor, source: "Jiguang notice 197, 2020-03"),
            .messagesPerReport: Bound(100, .count, .split, source: report),
            .phoneLength: Bound(20, .characters, .reject, source: clientRule),
            .scheduleName: Bound(255, .utf8Bytes, .reject, source: schedule),
            .scheduleHorizon: Bound(366 * 86_400, .seconds, .reject, source: schedule),
            .schedules: Bound(100, .count, .leaveToVendor, source: schedule),
            .jpushDevicesPerCall: Bound(1000, .count, .reject, source: device),
            .jpushBatch: Bound(1000, .count, .reject, source: "Java SDK 5.3.0, 2026-01"),
            .jpushReportMessages: Bound(100, .count, .reject, source: report),
            .jpushGroupMessages: Bound(10, .count, .reject, source: report),
            .jpushLiveActivityBytes: Bound(3584, .utf8Bytes, .reject, source: goSDK),
            .keysPerMint: Bound(1000, .count, .split, source: push),
            // Ten days is the contract's most; a free app has three since 2026, which only the vendor can tell.
            .timeToLive: Bound(864_000, .seconds, .reject, source: push),
            .jpushAndroidBytes: Bound(4000, .utf8Bytes, .reject, source: push),
            .jpushIOSBytes: Bound(2000, .utf8Bytes, .reject, source: "\(push); Java SDK 3.7.8, 2024"),
            .jpushChannelID: Bound(1000, .utf8Bytes, .reject, source: push),
            .jpushCollapseID: Bound(64, .utf8Bytes, .reject, source: push),
            .jpushBadge: Bound(99, .count, .reject, source: goSDK),
        ],
        alphabets: [
            .tagLength: alphabet, .aliasLength: alphabet,
            .phoneLength: Alphabet("digits, - and + in front", ascii: "+-0123456789", ranges: [], source: clientRule),
            .scheduleName: Alphabet(
                "letters, digits, _ and Chinese", ascii: Alphabet.alphanumerics + "_", ranges: Alphabet.han,
                source: schedule),
        ])

    private static let alphabet = Alphabet(
        "letters, digits, Chinese characters and _@!#$&*+=.|￥", ascii: Alphabet.alphanumerics + "_@!#$&*+=.|",
        ranges: Alphabet.han + [0xFFE5...0xFFE5], source: device)
}
