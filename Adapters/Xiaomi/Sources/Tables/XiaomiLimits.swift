import PushAdapter

extension QuotaBucket {
    /// Requests of the app.
    static let xiaomiRequests: QuotaBucket = "xiaomi.requests"
    /// Notifications without a channel.
    static let xiaomiDefault: QuotaBucket = "xiaomi.default"
    /// Notifications of service in a channel.
    static let xiaomiService: QuotaBucket = "xiaomi.service"
    /// Notifications of marketing in a channel.
    static let xiaomiMarketing: QuotaBucket = "xiaomi.marketing"
    /// Notifications in a channel, without a class.
    static let xiaomiChannel: QuotaBucket = "xiaomi.channel"
    /// Custom messages. No page says whether the vendor counts them by days.
    static let xiaomiCustom: QuotaBucket = "xiaomi.custom"
}

extension LimitKey {
    /// The characters of a title.
    static let xiaomiTitle: LimitKey = "xiaomi.title"
    /// The characters of a text.
    static let xiaomiDescription: LimitKey = "xiaomi.description"
    /// The fields of the option `extra`.
    static let xiaomiExtraFields: LimitKey = "xiaomi.extra.fields"
    /// Their characters, with those of their names.
    static let xiaomiExtraCharacters: LimitKey = "xiaomi.extra.own"
    /// The characters of all extra fields of a request, with those of their names.
    static let xiaomiExtra: LimitKey = "xiaomi.extra"
}

/// The capabilities and limits of Xiaomi, each with the page and its date.
enum XiaomiLimits {
    private static let page = "Xiaomi, message push API, 2024-10-21"
    private static let lasting = "Xiaomi, notice on time to live, 2024-07-30"
    private static let rules = "rules of 2026, quoted in a vendor's study, 2026-08-19"
    private static let clients = "public clients, 2016 to 2026"

    static let capabilities: Capabilities = {
        let native: [Feature] = [
            .audienceEveryone, .audienceDevices, .audienceAliases, .audienceAccounts, .audienceTagsAnyOf,
            .audienceTagsAllOf, .contentNotification, .scheduleOnce,
        ]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits,
            quotas: quotas(requestsPerSecond, .china), callerKeys: keys,
            fields: fields, absentFields: absentFields, optionRules: XiaomiOptions.rules, platforms: [.android]
        ).passingClasses(to: [.xiaomi], reaching: [.xiaomi])
        // No page states a wait.
        capabilities.leastWaits = [.rateLimited: .seconds(1)]
        return capabilities
    }()

    /// The smallest band.
    static let requestsPerSecond = 500

    /// The rate of requests, and the days of each class.
    ///
    /// The vendor counts deliveries of a class, which the client cannot. So the number of a day is the most that the
    /// rate allows in it, and the client stops a class when the vendor says that it is used up.
    static func quotas(_ perSecond: Int, _ day: CalendarDay) -> [QuotaBucket: Quota] {
        let classes: [QuotaBucket] = [
            .xiaomiDefault, .xiaomiService, .xiaomiMarketing, .xiaomiChannel, .xiaomiCustom,
        ]
        let uncounted = Quota(perSecond * 86_400, a: day, source: "this library: the vendor counts, by deliveries")
        return Dictionary(uniqueKeysWithValues: classes.map { ($0, uncounted) }).merging(
            [.xiaomiRequests: Quota(perSecond, per: .seconds(1), source: rules)]) { $1 }
    }

    private static let keys: [KeyedRequest: KeyMemory] = [
        // How long a phone remembers keys is this library's guess.
        .push: KeyMemory(.seconds(3600), grade: .device, source: page)
    ]

    private static let fields: Set<MessageField> = {
        let own = ["title", "body", "channelID", "tap.link", "tap.intentURI", "badge.set", "extras"]
        let common: [MessageField] = [
            .platforms, .timeToLive, .messageClass, .template, .title, .body, .extras,
        ]
        return Set(common + own.map(MessageField.android))
    }()

    private static let pictures =
        "Xiaomi shows pictures that were uploaded to it; give their addresses in the option extra"
    private static let taps = "Xiaomi opens a page by an intent; give intentURI"
    private static let plain = "Xiaomi translates no texts of a notification; send a plain text"

    private static let absentFields: [MessageField: String] = [
        .title.form("localized"): plain, .body.form("localized"): plain,
        .android("title").form("localized"): plain, .android("body").form("localized"): plain,
        .image: pictures, .android("image"): pictures,
        .android("tap.activity"): taps, .android("tap.intentAction"): taps,
        .android("sound"): "the sound belongs to the channel; give the option extra with sound_uri",
        .android("badge.add"): "Xiaomi sets the number on the icon; give the number itself",
        .android("collapseID"): "Xiaomi replaces by a number; use the option notify_id",
        .android("priority"): "Xiaomi has no such levels; the channel decides",
        .android("category"): "Xiaomi has channels; use the class of the message",
        .deliveryPriority: "Xiaomi decides itself how soon a message arrives; leave it out",
        .customTitle: "a pass-through message of Xiaomi is one text; write the title into the content",
        .customContentType: "a pass-through message of Xiaomi is one text; write the type into the content",
        .customExtras: "a pass-through message of Xiaomi is one text; write the data into the content",
    ]

    /// The default: no custom messages.
    static let noPassThrough =
        "Xiaomi is ending pass-through messages; send a notification, or set sendsPassThrough"

    private static let unsupported: [Feature: Support] = .unsupported([
        ([.audienceTagsNoneOf], "Xiaomi leaves out tags of one tag only; send to it, with the option except"),
        ([.audienceSegment, .audienceFile, .audienceLiveActivity], "Xiaomi takes devices, aliases, accounts and tags"),
        (.deviceAliases, "the app sets aliases with the vendor's SDK, several on a device"),
        (
            [.addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts, .readAccountDevices],
            "the app sets accounts with the vendor's SDK"
        ),
        (.attributes, "Xiaomi has no attributes of devices"),
        (.phones, "Xiaomi sends no text messages"),
        ([.replaceTags, .clearTags], "Xiaomi changes one topic at a time; the client reads, compares and changes"),
        (
            [.readSchedule, .listSchedules],
            "Xiaomi does not return schedules; keep their ids and times in your backend"
        ),
        ([.scheduleRecurring], "Xiaomi sends a scheduled message once; repeat it from your backend"),
        ([.readDeliveries], "no source shows the form of Xiaomi's statistics; receive deliveries with XiaomiReceipts"),
        ([.validate], "Xiaomi has no dry run"),
        ([.mintKeys], "the caller makes the keys"),
        ([.contentLiveActivity, .contentVoIP], "Xiaomi takes notifications"),
        ([.contentCustom], noPassThrough),
    ])

    private static let limits: Limits = {
        let shortest = "the shortest of \(clients)"
        return Limits(
            [
                .devicesPerSend: Limit(1000, .count, .split, source: page),
                .aliasesPerSend: Limit(1000, .count, .split, source: clients),
                .accountsPerSend: Limit(1000, .count, .split, source: clients),
                .tagsPerSend: Limit(5, .count, .reject, source: page),
                .tagsPerAudience: Limit(5, .count, .reject, source: page),
                .tagsPerCall: Limit(1, .count, .split, source: clients),
                // No source has a number; that of a send is taken.
                .devicesPerTagCall: Limit(1000, .count, .split, source: "this library"),
                .tagsPerDevice: Limit(30, .count, .leaveToVendor, source: rules),
                .devicesPerAccount: Limit(20, .count, .leaveToVendor, source: rules),
                .timeToLive: Limit(864_000, .seconds, .reject, source: lasting),
                // The newer rules have 30 days.
                .scheduleHorizon: Limit(604_800, .seconds, .reject, source: page),
                .idempotencyKey: Limit(8, .characters, .reject, source: shortest),
                .xiaomiTitle: Limit(49, .characters, .reject, source: page),
                .xiaomiDescription: Limit(127, .characters, .reject, source: page),
                .xiaomiExtraFields: Limit(10, .count, .reject, source: page),
                .xiaomiExtraCharacters: Limit(1024, .characters, .reject, source: page),
                .xiaomiExtra: Limit(2047, .characters, .reject, source: "Xiaomi, quoted from 2026-08-03"),
            ],
            characters: [
                .idempotencyKey: AllowedCharacters(
                    "letters, digits and -", ascii: AllowedCharacters.alphanumerics + "-", ranges: [], source: page)
            ])
    }()
}
