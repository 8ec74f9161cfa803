import PushAdapter

extension QuotaBucket {
    /// Devices and aliases of all sends.
    static let oppoTargets: QuotaBucket = "oppo.targets"
    /// Notifications with a category of service.
    static let oppoService: QuotaBucket = "oppo.service"
    /// Notifications with a category of marketing, or with none.
    static let oppoMarketing: QuotaBucket = "oppo.marketing"
    /// Notifications in a channel, without a category.
    static let oppoChannel: QuotaBucket = "oppo.channel"
}

extension LimitKey {
    /// The characters of a title.
    static let oppoTitle: LimitKey = "oppo.title"
    /// The characters of the option `sub_title`.
    static let oppoSubTitle: LimitKey = "oppo.subtitle"
    /// The characters of a text in the standard form.
    static let oppoContent: LimitKey = "oppo.content"
    /// The characters of a long text.
    static let oppoLongContent: LimitKey = "oppo.content.long"
    /// The characters of the extras, as JSON.
    static let oppoParameters: LimitKey = "oppo.parameters"
    /// The characters of an activity or an action.
    static let oppoActivity: LimitKey = "oppo.activity"
    /// The characters of an address or an intent.
    static let oppoAddress: LimitKey = "oppo.url"
    /// How long a phone shows marketing, in seconds.
    static let oppoMarketingShown: LimitKey = "oppo.marketing.show"
}

/// The capabilities and limits of OPPO, each with the page and its date.
enum OPPOLimits {
    private static let page = "OPPO, message fields, in comments of public clients, 2025"
    private static let unicast = "OPPO, unicast, 2023"
    private static let aliases = "OPPO, aliases, a web copy, 2021"
    private static let clients = "public clients, 2018 to 2026"
    private static let integrators = "integrators' pages, 2026"

    static let capabilities: Capabilities = {
        let native: [Feature] = [.audienceDevices, .audienceAliases, .contentNotification]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits,
            quotas: quotas(targetsPerSecond, .china), callerKeys: keys,
            aliasSharing: .one, fields: fields, absentFields: absentFields, optionRules: OPPOOptions.rules,
            platforms: [.android]
        ).passingClasses(to: [.oppo], reaching: [.oppo])
        // No page states a wait.
        capabilities.leastWaits = [.rateLimited: .seconds(1)]
        return capabilities
    }()

    /// The smallest band.
    static let targetsPerSecond = 5000
    /// The characters of a text in the standard form.
    static let shortContent = 50

    /// The rate of targets, and the days of each class.
    ///
    /// No source says whether the vendor counts sends or deliveries. So the number of a day is the most that the rate
    /// allows in it, and the client stops a class when the vendor says that it is used up.
    static func quotas(_ perSecond: Int, _ day: CalendarDay) -> [QuotaBucket: Quota] {
        let uncounted = Quota(perSecond * 86_400, a: day, source: "this library: the vendor counts")
        let classes: [QuotaBucket] = [.oppoService, .oppoMarketing, .oppoChannel]
        return Dictionary(uniqueKeysWithValues: classes.map { ($0, uncounted) }).merging(
            [.oppoTargets: Quota(perSecond, per: .seconds(1), source: integrators)]) { $1 }
    }

    private static let keys: [KeyedRequest: KeyMemory] = [
        // How long the vendor remembers an id is this library's guess.
        .push: KeyMemory(.seconds(3600), grade: .target, source: page)
    ]

    private static let fields: Set<MessageField> = {
        let own = [
            "title", "body", "channelID", "tap.link", "tap.intentURI", "tap.intentAction", "tap.activity", "extras",
        ]
        let common: [MessageField] = [
            .platforms, .timeToLive, .messageClass, .template, .title, .body, .extras,
        ]
        return Set(common + own.map(MessageField.android))
    }()

    private static let pictures =
        "OPPO shows pictures that were uploaded to it; give their addresses in the option fields"
    private static let plain = "OPPO translates no texts of a notification; send a plain text"
    private static let badges = "no source has OPPO's field for the number on the icon"
    private static let noCustom = "OPPO has no custom messages; send a notification"

    private static let absentFields: [MessageField: String] = [
        .title.form("localized"): plain, .body.form("localized"): plain,
        .android("title").form("localized"): plain, .android("body").form("localized"): plain,
        .image: pictures, .android("image"): pictures,
        .android("badge.set"): badges, .android("badge.add"): badges,
        .android("sound"): "the sound belongs to the channel; use the option notify_level",
        .android("collapseID"): "OPPO replaces by a number; use the option notify_id",
        .android("priority"): "OPPO has no such levels; use the option notify_level",
        .android("category"): "OPPO has categories of its own; use the class of the message",
        .deliveryPriority: "OPPO decides itself how soon a message arrives; leave it out",
        .customTitle: noCustom, .customContentType: noCustom, .customExtras: noCustom,
    ]

    private static let twoRequests =
        "OPPO stores the message and then sends it, in two requests, which the library has no call for; send to devices"

    private static let unsupported: [Feature: Support] = .unsupported([
        ([.audienceEveryone, .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf], twoRequests),
        (
            [.audienceAccounts, .audienceSegment, .audienceFile, .audienceLiveActivity],
            "OPPO takes devices and aliases"
        ),
        (
            [.readAlias, .readAliasDevices, .removeAlias],
            "OPPO does not return aliases; keep them in your backend, and delete one by its name"
        ),
        (
            [.readTags, .testTag, .replaceTags, .clearTags],
            "no source shows how OPPO returns tags; keep them in your backend, and add or remove single ones"
        ),
        ([.addMembers, .removeMembers], "OPPO changes the tags of one device in a request"),
        (.deviceAccounts, "OPPO has no accounts; use aliases"),
        (.attributes, "OPPO has no attributes of devices"),
        (.phones, "OPPO sends no text messages"),
        (.schedules, "OPPO schedules messages to everyone only; send from your backend at the time"),
        ([.readDeliveries], "OPPO reports deliveries by receipts; receive them with OPPOReceipts"),
        ([.validate], "OPPO has no dry run"),
        ([.mintKeys], "the caller makes the keys"),
        ([.contentCustom], noCustom),
        ([.contentLiveActivity, .contentVoIP, .contentBadgeArithmetic], "OPPO takes notifications"),
    ])

    /// The calls whose hosts the data center does not have.
    static func absent(in center: DataCenter) -> [Feature: Support] {
        let calls: [(service: ServiceName, features: [Feature])] = [
            (.oppoDevices, [.setAlias, .deleteAlias, .addTags, .removeTags]), (.oppoFeedback, [.probeCredentials]),
        ]
        let missing = calls.filter { center.services[$0.service] == nil }.flatMap(\.features)
        return .unsupported([(missing, "OPPO has a host for it in mainland China only")])
    }

    private static let limits = Limits([
        .devicesPerSend: Limit(1000, .count, .split, source: unicast),
        // No source has a number; that of devices is taken.
        .aliasesPerSend: Limit(1000, .count, .split, source: "this library"),
        // No source has a number here either. A vendor that cuts long ids would take two messages for one.
        .idempotencyKey: Limit(64, .characters, .reject, source: "this library"),
        .aliasLength: Limit(64, .characters, .reject, source: aliases),
        .devicesPerAlias: Limit(1, .count, .leaveToVendor, source: aliases),
        .tagsPerCall: Limit(1, .count, .split, source: clients),
        .timeToLive: Limit(864_000, .seconds, .reject, source: page),
        .oppoTitle: Limit(50, .characters, .reject, source: page),
        .oppoSubTitle: Limit(10, .characters, .reject, source: page),
        .oppoContent: Limit(shortContent, .characters, .reject, source: page),
        .oppoLongContent: Limit(128, .characters, .reject, source: page),
        .oppoParameters: Limit(4000, .characters, .reject, source: page),
        .oppoActivity: Limit(500, .characters, .reject, source: page),
        .oppoAddress: Limit(2000, .characters, .reject, source: page),
        .oppoMarketingShown: Limit(43_200, .seconds, .reject, source: page),
    ])
}
