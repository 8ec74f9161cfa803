import PushAdapter

extension QuotaBucket {
    /// Requests of the app.
    static let vivoRequests: QuotaBucket = "vivo.requests"
    /// Messages of the class that the vendor calls operational.
    static let vivoOperational: QuotaBucket = "vivo.operational"
    /// Messages of the class that the vendor calls system.
    static let vivoSystem: QuotaBucket = "vivo.system"
    /// Operational messages to test devices, which have an amount of their own.
    static let vivoOperationalTests: QuotaBucket = "vivo.operational.tests"
    /// System messages to test devices, likewise.
    static let vivoSystemTests: QuotaBucket = "vivo.system.tests"
    /// Messages to everyone.
    static let vivoEveryone: QuotaBucket = "vivo.everyone"

    /// The quota of the day of a class.
    static func vivoDay(isService: Bool, isTest: Bool) -> QuotaBucket {
        if isTest { return isService ? .vivoSystemTests : .vivoOperationalTests }
        return isService ? .vivoSystem : .vivoOperational
    }
}

extension LimitKey {
    /// A title, as `textMeasure` counts it.
    static let vivoTitle: LimitKey = "vivo.title"
    /// A text, likewise.
    static let vivoContent: LimitKey = "vivo.content"
    /// The characters of the address that a tap opens.
    static let vivoSkipContent: LimitKey = "vivo.skipContent"
    /// The number of extras.
    static let vivoExtras: LimitKey = "vivo.extras"
    /// The characters of the extras, with those of their names.
    static let vivoExtraCharacters: LimitKey = "vivo.extras.characters"
}

/// The capabilities and limits of vivo, each with the page and its date.
enum VivoLimits {
    private static let page = "vivo, server API 2.9.2, 2021 to 2023"
    private static let today = "vivo's server API, quoted in 2025"
    private static let sdk = "vivo's server SDK 3.3, 2024-04-25"
    private static let getui = "Getui, rates of phone makers, 2025"

    static let capabilities: Capabilities = {
        let native: [Feature] = [
            .audienceEveryone, .audienceDevices, .audienceAliases, .audienceTagsAnyOf, .audienceTagsAllOf,
            .contentNotification,
        ]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits,
            quotas: quotas(requestsPerSecond, .china), callerKeys: keys, aliasSharing: .one,
            fields: fields, absentFields: absentFields, optionRules: VivoOptions.rules,
            optionPlaces: VivoOptions.places, platforms: [.android]
        ).passingClasses(to: [.vivo], reaching: [.vivo])
        capabilities.ignoredFields[.template] = "vivo approves no templates; phones show the notification's own text"
        // No page states a wait.
        capabilities.leastWaits = [.rateLimited: .seconds(1)]
        return capabilities
    }()

    /// The shortest time to live of a message to a device, in seconds, and of one to everyone or to tags.
    static let shortestLife = (single: 60, many: 900)

    /// The smallest band.
    static let requestsPerSecond = 3000

    /// The rate of requests, and the days of each class.
    ///
    /// The vendor counts deliveries of a class, which the client cannot. It allows one message to everyone a day, or
    /// more by contract, and a refused one may not count. So the number of a day is the most that the rate allows in
    /// it, and the client stops a class, or messages to everyone, when the vendor says that the amount is used up.
    static func quotas(_ perSecond: Int, _ day: CalendarDay) -> [QuotaBucket: Quota] {
        let classes: [QuotaBucket] = [
            .vivoOperational, .vivoSystem, .vivoOperationalTests, .vivoSystemTests, .vivoEveryone,
        ]
        let uncounted = Quota(perSecond * 86_400, a: day, source: "this library: the vendor counts, by deliveries")
        return Dictionary(uniqueKeysWithValues: classes.map { ($0, uncounted) }).merging(
            [.vivoRequests: Quota(perSecond, per: .seconds(1), source: getui)]) { $1 }
    }

    private static let keys: [KeyedRequest: KeyMemory] = [
        // One sentence of the vendor says that the id is against repetitions. The time is this library's guess.
        .push: KeyMemory(.seconds(3600), grade: .unproven, source: "vivo, questions and answers, 2021")
    ]

    private static let fields: Set<MessageField> = {
        let own = ["title", "body", "tap.link", "tap.intentURI", "badge.add", "extras"]
        let common: [MessageField] = [.platforms, .timeToLive, .messageClass, .title, .body, .extras]
        return Set(common + own.map(MessageField.android))
    }()

    private static let pictures = "vivo shows no pictures; leave it out"
    private static let taps = "vivo opens a page by an intent; give intentURI"
    private static let plain = "vivo translates no texts of a notification; send a plain text"

    private static let absentFields: [MessageField: String] = [
        .title.form("localized"): plain, .body.form("localized"): plain,
        .android("title").form("localized"): plain, .android("body").form("localized"): plain,
        .image: pictures, .android("image"): pictures,
        .android("tap.activity"): taps, .android("tap.intentAction"): taps,
        .android("channelID"): "vivo has no channels; use the class of the message",
        .android("sound"): "vivo plays the system's sound; use the option notifyType",
        .android("badge.set"): "vivo adds 1 to the number on the icon; give +1",
        .android("collapseID"): "vivo replaces by a number; use the option notifyId",
        .android("priority"): "vivo has no such levels; use the class of the message",
        .android("category"): "vivo has categories of its own; use the class of the message",
        .deliveryPriority: "vivo decides itself how soon a message arrives; leave it out",
    ]

    private static let unsupported: [Feature: Support] = .unsupported([
        ([.audienceTagsNoneOf], "vivo leaves out tags of other tags only; send to those, with the option except"),
        (
            [.audienceAccounts, .audienceSegment, .audienceFile, .audienceLiveActivity],
            "vivo takes devices, aliases and tags"
        ),
        (.deviceAliases, "the app sets its alias with the vendor's SDK"),
        (.deviceAccounts, "vivo has no accounts; use aliases"),
        (.attributes, "vivo has no attributes of devices"),
        (.phones, "vivo sends no text messages"),
        ([.readTags, .testTag, .replaceTags, .clearTags], "vivo does not list tags; keep them in your backend"),
        (.schedules, "vivo sends at once; keep the time in your backend"),
        ([.readDeliveries], "no source shows the form of vivo's statistics; receive deliveries with VivoReceipts"),
        ([.validate], "vivo has no dry run; a message to test devices is delivered"),
        ([.mintKeys], "the caller makes the keys"),
        ([.contentCustom, .contentLiveActivity, .contentVoIP], "vivo takes notifications only"),
    ])

    private static let limits = Limits([
        .devicesPerSend: Limit(1, .count, .split, source: sdk),
        .aliasesPerSend: Limit(1, .count, .split, source: sdk),
        .aliasLength: Limit(40, .characters, .reject, source: page),
        .tagsPerCall: Limit(1, .count, .split, source: sdk),
        .devicesPerTagCall: Limit(1000, .count, .split, source: sdk),
        // Pages until 2023 have 7 days.
        .timeToLive: Limit(86_400, .seconds, .reject, source: today),
        .idempotencyKey: Limit(64, .characters, .reject, source: page),
        .vivoTitle: Limit(40, .characters, .reject, source: page),
        .vivoContent: Limit(100, .characters, .reject, source: page),
        .vivoSkipContent: Limit(1024, .characters, .reject, source: page),
        .vivoExtras: Limit(10, .count, .reject, source: page),
        .vivoExtraCharacters: Limit(1024, .characters, .reject, source: page),
    ])
}
