import HuaweiDialect
import PushAdapter

extension QuotaBucket {
    /// Test messages of the app.
    static let huaweiTests: QuotaBucket = "huawei.tests"
    /// Access tokens of the app.
    static let huaweiTokens: QuotaBucket = "huawei.tokens"
}

/// The capabilities and limits of Huawei on Android, each with the page and its date.
enum HuaweiLimits {
    private static let page = "HMS Core, downlink messages, 2025-08"
    private static let topics = "HMS Core, subscription to topics, excerpts"
    private static let flow = "HUAWEI ID, flow control of tokens, excerpts"

    static let capabilities: Capabilities = {
        let native: [Feature] = [
            .audienceDevices, .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf, .contentNotification,
            .contentCustom, .contentBadgeArithmetic,
        ]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits,
            quotas: [
                // The day's zone is assumed.
                .huaweiTests: Quota(500, a: .china, source: page),
                .huaweiTokens: Quota(1000, per: .seconds(300), source: flow),
            ], fields: fields, absentFields: absentFields,
            optionRules: HuaweiOptions.rules, optionPlaces: HuaweiOptions.places, platforms: [.android]
        ).passingClasses(to: [.huawei], reaching: [.huawei])
        capabilities.ignoredFields[.template] = "Huawei approves no templates; devices show the notification's own text"
        // The pages state no wait; the rate counts devices a second.
        capabilities.leastWaits = [.rateLimited: .seconds(1)]
        return capabilities
    }()

    private static let fields: Set<MessageField> = {
        let own = [
            "title", "title.localized", "body", "body.localized", "channelID", "sound", "tap.link", "tap.intentURI",
            "tap.intentAction", "badge.set", "badge.add", "collapseID", "image", "extras",
        ]
        let common: [MessageField] = [
            .platforms, .timeToLive, .deliveryPriority, .messageClass, .title, .title.form("localized"), .body,
            .body.form("localized"), .image, .extras, .customTitle, .customContentType, .customExtras,
        ]
        return Set(common + own.map(MessageField.android))
    }()

    private static let absentFields: [MessageField: String] = [
        .android("priority"): "Huawei has no such levels; use the option android.notification.importance",
        .android("category"): "Huawei has no field for Android's categories; its own classes are the message's class",
        .android("tap.activity"): "Huawei opens a page by an intent or an action; give intentURI or intentAction",
    ]

    private static let unsupported = HuaweiTables.unsupported("Huawei").merging(
        .unsupported([
            ([.audienceEveryone], "Huawei cannot send to everyone; have every device add one tag, and send to it"),
            ([.mintKeys], "Huawei has no idempotency keys; it delivers a repeated message again"),
            ([.replaceTags, .clearTags], "Huawei changes one topic at a time; the client reads, compares and changes"),
            ([.contentLiveActivity], "Huawei shows live views on HarmonyOS 5 only; use the adapter harmony"),
            ([.contentVoIP], "Huawei takes calls on HarmonyOS 5 only; use the adapter harmony"),
        ])
    ) { $1 }

    private static let limits: Limits = {
        var bounds = HuaweiTables.limits(page)
        bounds[.tagsPerSend] = Limit(5, .count, .reject, source: page)
        bounds[.tagsPerAudience] = Limit(5, .count, .reject, source: page)
        // The page names no unit; bytes are the strictest.
        bounds[.tagLength] = Limit(900, .utf8Bytes, .reject, source: topics)
        bounds[.tagsPerCall] = Limit(1, .count, .split, source: topics)
        bounds[.devicesPerTagCall] = Limit(1000, .count, .split, source: topics)
        bounds[.tagsPerDevice] = Limit(2000, .count, .reject, source: topics)
        return Limits(
            bounds,
            characters: [
                .tagLength: AllowedCharacters(
                    "letters, digits, Chinese and _ . ~ %", ascii: AllowedCharacters.alphanumerics + "_.~%",
                    ranges: AllowedCharacters.han, source: topics)
            ])
    }()
}
