import PushAdapter

extension QuotaBucket {
    /// Requests of the app, or its devices.
    static let honorRequests: QuotaBucket = "honor.requests"
    /// Test messages of the app.
    static let honorTests: QuotaBucket = "honor.tests"
}

/// The capabilities and limits of Honor, each with its source, none of which is the vendor's page.
enum HonorLimits {
    private static let clients = "public clients that cite the vendor's page, 2024 to 2025"
    private static let table = "Getui, operations table in a public repository, 2025"
    private static let rate = "Aliyun, rates of phone makers, 2025 to 2026"

    static let capabilities: Capabilities = {
        let native: [Feature] = [
            .audienceDevices, .contentNotification, .contentCustom, .contentBadgeArithmetic,
        ]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits,
            quotas: quotas(requestsPerSecond, .china), fields: fields,
            absentFields: absentFields, optionRules: HonorOptions.rules, optionPlaces: HonorOptions.places,
            platforms: [.android]
        ).passingClasses(to: [.honor], reaching: [.honor])
        capabilities.isDraft = true
        capabilities.ignoredFields[.template] = "Honor approves no templates; devices show the notification's own text"
        // No source states a wait.
        capabilities.leastWaits = [.rateLimited: .seconds(1)]
        return capabilities
    }()

    /// The same for all apps.
    static let requestsPerSecond = 3000

    static func quotas(_ perSecond: Int, _ day: CalendarDay) -> [QuotaBucket: Quota] {
        [
            .honorRequests: Quota(perSecond, per: .seconds(1), source: rate),
            .honorTests: Quota(1000, a: day, source: clients),
        ]
    }

    private static let fields: Set<MessageField> = {
        let own = [
            "title", "body", "tap.link", "tap.intentURI", "tap.intentAction", "badge.set", "badge.add", "collapseID",
            "image", "extras",
        ]
        let common: [MessageField] = [.platforms, .timeToLive, .messageClass, .title, .body, .image, .extras]
        return Set(common + own.map(MessageField.android))
    }()

    private static let plain = "Honor translates no texts of a notification; send a plain text"
    private static let text = "a pass-through message of Honor is one text; write it into the content"

    private static let absentFields: [MessageField: String] = [
        .title.form("localized"): plain, .body.form("localized"): plain,
        .android("title").form("localized"): plain, .android("body").form("localized"): plain,
        .android("channelID"): "Honor has no field for channels; use the class of the message",
        .android("sound"): "Honor has no field for sounds",
        .android("priority"): "Honor has no such levels; use the class of the message",
        .android("category"): "Honor has no field for Android's categories; use the class of the message",
        .android("tap.activity"): "Honor opens a page by an intent or an action; give intentURI or intentAction",
        .deliveryPriority: "Honor decides itself how soon a message arrives; leave it out",
        .customTitle: text, .customContentType: text, .customExtras: text,
    ]

    private static let unsupported: [Feature: Support] = .unsupported([
        (.tags, "Honor has no tags; keep them beside the tokens of your devices"),
        (.aliases, "Honor has no aliases; keep them beside the tokens of your devices"),
        (.accounts, "Honor has no accounts; keep them beside the tokens of your devices"),
        (.attributes, "Honor has no attributes of devices"),
        (.phones, "Honor sends no text messages"),
        (.schedules, "Honor sends at once; schedule in your backend"),
        ([.readDeliveries], "no source shows the form of Honor's receipts"),
        ([.validate], "Honor has no dry run"),
        ([.probeCredentials], "Honor has no call that changes nothing"),
        ([.mintKeys], "Honor has no idempotency keys; it delivers a repeated message again"),
        ([.audienceEveryone], "Honor cannot send to everyone"),
        ([.audienceSegment, .audienceFile, .audienceLiveActivity], "Honor takes lists of tokens"),
        ([.contentLiveActivity, .contentVoIP], "Honor takes notifications and custom messages"),
    ])

    private static let limits = Limits([
        .devicesPerSend: Limit(1000, .count, .split, source: table),
        // The table does not say what counts.
        .payloadBytes: Limit(4096, .utf8Bytes, .reject, source: table),
        .timeToLive: Limit(1_296_000, .seconds, .reject, source: clients),
    ])
}
