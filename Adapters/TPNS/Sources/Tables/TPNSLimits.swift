import PushAdapter

extension LimitKey {
    static let tpnsTagsPerApp: LimitKey = "tpns.tags.app"
    static let tpnsPairsPerCall: LimitKey = "tpns.tag.pairs.call"
    static let tpnsTagsPerDeletion: LimitKey = "tpns.tags.deletion"
    static let tpnsDevicesPerAccountCall: LimitKey = "tpns.accounts.call"
    static let tpnsElementsPerAccountCall: LimitKey = "tpns.accounts.call.elements"
    static let tpnsPackageBytes: LimitKey = "tpns.package.bytes"
    static let tpnsPlanName: LimitKey = "tpns.plan.name"
    static let tpnsPlanDescription: LimitKey = "tpns.plan.description"
}

extension QuotaBucket {
    static let tpnsBroadcast: QuotaBucket = "broadcast"
    static let tpnsTagBatch: QuotaBucket = "tags.batch"
    static let tpnsStatistics: QuotaBucket = "statistics"
    static let tpnsPlans: QuotaBucket = "plans"
}

/// The capabilities and limits of TPNS, each with the page and its date.
enum TPNSLimits {
    private static let push = "Push API, 1024/33764, 2024-01"
    private static let tag = "Tag Binding and Unbinding, 1024/33766, 2024-01"
    private static let tagGuide = "Tags, 1024/35392, 2023"
    private static let account = "Account Binding and Unbinding, 1024/33768, 2024-01"
    private static let attribute = "User Attribute APIs, 1024/38571, 2024-01"
    private static let restrictions = "Product Restrictions, 1024/35286, 2024-01"
    private static let statistics = "Statistics, 1024/33770 to 33775"

    static func capabilities(
        of platform: Platform, aliasAccountType: Int?, bindingOverwrites: Bool
    ) -> Capabilities {
        var support = [Feature: Support](native: native, unsupported: unsupported)
        if aliasAccountType != nil { support[.audienceAliases] = .emulated(aliases) }
        if bindingOverwrites {
            support[.addAccounts] = .unsupported(
                "with bindingOverwrites, binding overwrites all accounts; use replace")
        }
        support[.tpnsRecall] = .unsupported("the vendor documents recall as not available; see allowsRecall")
        if platform == .ios {
            support[.tpnsStop] = .unsupported("TPNS stops the offline delivery of Android pushes only")
        }
        var capabilities = Capabilities(
            support: support, limits: limits,
            quotas: [
                .tpnsBroadcast: Quota(1, per: .seconds(1), source: push),
                .tpnsTagBatch: Quota(1, per: .seconds(1), source: tag),
                .tpnsStatistics: Quota(200, per: .seconds(3600), source: statistics),
                .tpnsPlans: Quota(200, per: .seconds(86_400), source: "Push Plan, 1024/39025"),
            ],
            minimumInterval: [.replaceTags: .milliseconds(1100)],
            writeDelay: Dictionary(
                uniqueKeysWithValues: asynchronous(bindingOverwrites).map { ($0, .seconds(2)) }),
            aliasSharing: aliasAccountType == nil ? .unstated : .several, aliasAccountType: aliasAccountType,
            fields: fields(of: platform), absentFields: absentFields,
            optionRules: TPNSOptions.rules(on: platform), optionPlaces: TPNSOptions.places(on: platform),
            platforms: [platform])
        capabilities.separatesAccountTypes = true
        guard platform == .android else {
            capabilities.ignoreClasses("iPhones have no classes of messages")
            return capabilities
        }
        return capabilities.passingClasses(
            to: TPNSClasses.makers, reaching: TPNSClasses.makers.union([.honor]))
    }

    /// The message fields that the encoder writes, except those of the other platform.
    private static func fields(of platform: Platform) -> Set<MessageField> {
        let common: Set<MessageField> = [
            .platforms, .timeToLive, .environment, .title, .body, .image, .extras, .customTitle, .customExtras,
        ]
        guard platform == .ios else {
            let names = [
                "title", "body", "channelID", "sound", "tap.link", "tap.intentURI", "tap.activity", "badge.set",
                "badge.add", "image", "extras",
            ]
            return common.union(names.map(MessageField.android) + [.messageClass])
        }
        let names = [
            "title", "subtitle", "body", "sound", "badge", "category", "threadID", "isMutable", "interruptionLevel",
            "image", "extras",
        ]
        return common.union(names.map(MessageField.ios) + [.customContentType])
    }

    private static let translations =
        "TPNS demands a plain title and text, which phones show in place of a key; send each language to its devices"

    private static let replacement = "TPNS replaces pushes by its own numbers only; see collapseID of TPNSOptions"

    private static let absentFields: [MessageField: String] = [
        .ios("isContentAvailable"): "in TPNS only a custom message wakes an app; a notification cannot",
        .ios("collapseID"): replacement, .android("collapseID"): replacement,
        .android("priority"): "each phone maker has its own field; set it in android of TPNSOptions",
        .android("category"): "each phone maker has its own field; set it in android of TPNSOptions",
        .title.form("localized"): translations, .body.form("localized"): translations,
        .ios("title.localized"): translations, .ios("subtitle.localized"): translations,
        .ios("body.localized"): translations, .android("title.localized"): translations,
        .android("body.localized"): translations,
        .deliveryPriority: "TPNS has no field for it",
        .template: "no page of TPNS has a field for a maker's template",
        .customContentType: "put the type of a custom message into its extras",
    ]

    /// Native features besides the roles' calls.
    private static let native: [Feature] =
        [
            .audienceEveryone, .audienceDevices, .audienceAccounts,
            .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf, .audienceFile, .contentNotification,
            .contentCustom, .contentBadgeArithmetic,
        ] + Feature.tpnsCalls

    /// The writes that the vendor applies some time after its response.
    private static func asynchronous(_ bindingOverwrites: Bool) -> [Feature] {
        [
            .replaceTags, .clearTags, bindingOverwrites ? .replaceAccounts : .addAccounts, .removeAccounts,
            .clearAccounts,
        ]
    }

    private static let unsupported: [Feature: Support] = .unsupported([
        ([.validate], "TPNS cannot check a message without sending it"),
        (
            [.mintKeys],
            "TPNS has no idempotency keys; it refuses a push to everyone or tags that repeats within an hour"
        ),
        (
            [.readTags, .testTag],
            "TPNS lists tags only to the app on the device; a ledger remembers those set through the client"
        ),
        (
            [.setAlias, .audienceAliases],
            "TPNS has no aliases, only accounts; set aliasAccountType to use one account type for aliases"
        ),
        (
            [.readAlias, .removeAlias],
            "TPNS has no aliases, only accounts; reading and removing those of aliasAccountType needs a ledger"
        ),
        ([.readAliasDevices, .deleteAlias], "TPNS has no aliases, only accounts; read the devices of an account"),
        (.phones, "in TPNS a phone number is an account of type 1002"),
        (
            .schedules,
            "TPNS has no named schedules; send with sendTime or loop of TPNSOptions, and cancel with cancel(_:)"
        ),
        ([.audienceSegment], "the API of TPNS has no segments; use tag rules of TPNSOptions"),
        ([.audienceLiveActivity, .contentLiveActivity], "the API of TPNS cannot update Live Activities"),
        ([.contentVoIP], "the API of TPNS cannot send VoIP pushes"),
    ])

    /// Aliases through an account type.
    private static let aliases = Recipe(
        .lossy, isAtomic: true, requests: 1,
        caveat: "an alias is an account of aliasAccountType, which takes effect some time after binding")

    private static let limits: Limits = {
        var limits = bounds
        limits.accountFormats = AccountFormats.table
        limits.needsAccountType = true
        return limits
    }()

    private static let bounds = Limits(
        [
            .devicesPerSend: Limit(1000, .count, .split, source: push),
            .accountsPerSend: Limit(1000, .count, .split, source: push),
            .aliasesPerSend: Limit(1000, .count, .split, source: push),
            .tagsPerSend: Limit(500, .count, .reject, source: "Push API, China 548/39064, 2026-01-14"),
            .deviceIDLength: Limit(36, .characters, .reject, source: push),
            // One page says 50 characters, the other 50 bytes. This limit satisfies both.
            .tagLength: Limit(50, .utf8Bytes, .reject, source: "\(tagGuide); \(tag)"),
            .tagsPerCall: Limit(100, .count, .split, source: tagGuide),
            .tagsPerDevice: Limit(100, .count, .reject, source: restrictions),
            .tpnsTagsPerApp: Limit(10_000, .count, .leaveToVendor, source: restrictions),
            .devicesPerTagCall: Limit(500, .count, .split, source: tag),
            .tpnsPairsPerCall: Limit(20, .count, .reject, source: "\(tag), the stricter of two figures"),
            .tpnsTagsPerDeletion: Limit(100, .count, .reject, source: tagGuide),
            .accountsPerType: Limit(1, .count, .reject, source: account),
            .devicesPerAccount: Limit(100, .count, .leaveToVendor, source: "Android SDK, API documentation"),
            .tpnsDevicesPerAccountCall: Limit(20, .count, .reject, source: account),
            .tpnsElementsPerAccountCall: Limit(
                20, .count, .reject, source: "not stated for these calls; the number that is stated for bindings"),
            // The server API's page says 50 bytes, the client SDK's guide 50 characters. The adapter allows 50
            // characters and lets the vendor refuse more.
            .attributeName: Limit(50, .characters, .reject, source: "\(attribute); iOS SDK guide"),
            .attributeValue: Limit(50, .characters, .reject, source: "\(attribute); iOS SDK guide"),
            .attributesPerDevice: Limit(50, .count, .leaveToVendor, source: "Android SDK, API documentation"),
            .messagesPerReport: Limit(1, .count, .split, source: statistics),
            .timeToLive: Limit(259_200, .seconds, .reject, source: push),
            .payloadBytes: Limit(4096, .utf8Bytes, .reject, source: restrictions),
            .tpnsPackageBytes: Limit(100_000_000, .utf8Bytes, .reject, source: "Account Package Upload, 1024/33765"),
            .tpnsPlanName: Limit(60, .characters, .reject, source: "Push Plan, 1024/39025"),
            .tpnsPlanDescription: Limit(300, .characters, .reject, source: "Push Plan, 1024/39025"),
        ])
}
