import PushCore

extension LimitKey {
    static let tpnsMessageBytes: LimitKey = "message.bytes"
    static let tpnsTagsPerApp: LimitKey = "tags.app"
    static let tpnsDevicesPerTagCall: LimitKey = "tag.devices.call"
    static let tpnsPairsPerCall: LimitKey = "tag.pairs.call"
    static let tpnsTagsPerDeletion: LimitKey = "tags.deletion"
    static let tpnsDevicesPerAccountCall: LimitKey = "accounts.call"
    static let tpnsElementsPerAccountCall: LimitKey = "accounts.call.elements"
    static let tpnsPackageBytes: LimitKey = "package.bytes"
    static let tpnsPlanName: LimitKey = "plan.name"
    static let tpnsPlanDescription: LimitKey = "plan.description"
}

extension QuotaBucket {
    static let tpnsBroadcast: QuotaBucket = "broadcast"
    static let tpnsTagBatch: QuotaBucket = "tags.batch"
    static let tpnsStatistics: QuotaBucket = "statistics"
    static let tpnsPlans: QuotaBucket = "plans"
}

/// What TPNS does and where its limits are, each with the page and its date.
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
        var support = Dictionary(uniqueKeysWithValues: native.map { ($0, Support.native) })
        support.merge(unsupported) { $1 }
        if aliasAccountType != nil { support[.audienceAliases] = .emulated(aliases) }
        if bindingOverwrites {
            support[.addAccounts] = .unsupported(
                "binding overwrites all accounts, as bindingOverwrites says; use replace")
        }
        support[.tpnsRecall] = .unsupported("the vendor documents recalling as not available; see allowsRecall")
        if platform == .ios {
            support[.tpnsStop] = .unsupported("TPNS stops the offline delivery of Android pushes only")
        }
        return Capabilities(
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
            fields: fields(of: platform), absentFields: absentFields, platforms: [platform])
    }

    /// The fields of a message that the encoder writes; what is for the other platform is not for this app.
    private static func fields(of platform: Platform) -> Set<MessageField> {
        let common: Set<MessageField> = [
            .platforms, .timeToLive, .environment, .title, .extras, .customTitle, .customExtras,
        ]
        guard platform == .ios else {
            let names = ["title", "body", "channelID", "sound", "intentURL", "badgeIncrement"]
            return common.union(names.map(MessageField.android))
        }
        let names = [
            "title", "subtitle", "body", "sound", "badge", "category", "threadID", "isMutable", "interruptionLevel",
        ]
        return common.union(names.map(MessageField.ios) + [.customContentType])
    }

    private static let absentFields: [MessageField: String] = [
        .ios("isContentAvailable"): "TPNS wakes an app by a custom message only; a notification cannot do both",
        .ios("collapseID"): "TPNS replaces pushes by its own numbers only; see collapseID of TPNSOptions",
        .android("priority"): "phone makers have their own in android of TPNSOptions",
        .android("category"): "phone makers have their own in android of TPNSOptions",
        .customContentType: "put the type of a custom message into its extras",
    ]

    /// Beside the calls of the roles.
    private static let native: [Feature] =
        [
            .audienceEveryone, .audienceDevices, .audienceAccounts,
            .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf, .audienceFile, .contentNotification,
            .contentCustom, .contentBadgeArithmetic,
        ] + Feature.tpnsCalls

    /// Writes that the vendor carries out after it has answered.
    private static func asynchronous(_ bindingOverwrites: Bool) -> [Feature] {
        [
            .replaceTags, .clearTags, bindingOverwrites ? .replaceAccounts : .addAccounts, .removeAccounts,
            .clearAccounts,
        ]
    }

    private static let unsupported: [Feature: Support] = {
        let reasons: [(features: [Feature], reason: String)] = [
            ([.validate], "TPNS checks no message without sending it"),
            (
                [.mintKeys],
                "TPNS has no idempotency keys; a push to everyone or tags is refused when repeated within an hour"
            ),
            (
                [.readTags, .testTag],
                "TPNS lists tags to the app on the device only; a ledger remembers those that were set through a client"
            ),
            (
                [.setAlias, .audienceAliases],
                "TPNS has accounts and no aliases; set aliasAccountType to use one type of account for them"
            ),
            (
                [.readAlias, .removeAlias],
                "TPNS has accounts and no aliases; those of aliasAccountType are read and removed with a ledger only"
            ),
            (
                [.readAliasDevices, .deleteAlias],
                "TPNS has accounts and no aliases; ask for the devices of an account"
            ),
            ([.readPhone, .setPhone, .removePhone], "in TPNS a phone number is an account of type 1002"),
            (
                [
                    .createSchedule, .readSchedule, .listSchedules, .removeSchedule, .scheduleOnce, .scheduleRecurring,
                ],
                "TPNS keeps no named schedules; send with sendTime or loop of TPNSOptions, and end with cancel(_:)"
            ),
            ([.audienceSegment], "TPNS has no segments over this interface; use tag rules of TPNSOptions"),
            ([.audienceLiveActivity, .contentLiveActivity], "TPNS updates no Live Activities over this interface"),
            ([.contentVoIP], "TPNS sends no VoIP pushes over this interface"),
        ]
        return Dictionary(
            uniqueKeysWithValues: reasons.flatMap { row in row.features.map { ($0, .unsupported(row.reason)) } })
    }()

    /// With an account type for aliases.
    private static let aliases = Recipe(
        .lossy, isAtomic: true, requests: 1,
        caveat: "an alias is an account of aliasAccountType, which counts some time after it was bound")

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
            .accountTypesPerSend: Limit(1, .count, .split, source: push),
            .tagsPerSend: Limit(500, .count, .reject, source: "Push API, China 548/39064, 2026-01-14"),
            .deviceIDLength: Limit(36, .characters, .reject, source: push),
            // One page has 50 characters, the other 50 bytes: what both take.
            .tagLength: Limit(50, .utf8Bytes, .reject, source: "\(tagGuide); \(tag)"),
            .tagsPerCall: Limit(100, .count, .split, source: tagGuide),
            .tagsPerDevice: Limit(100, .count, .reject, source: restrictions),
            .tpnsTagsPerApp: Limit(10_000, .count, .leaveToVendor, source: restrictions),
            .tpnsDevicesPerTagCall: Limit(500, .count, .reject, source: tag),
            .tpnsPairsPerCall: Limit(20, .count, .reject, source: "\(tag), the stricter of two figures"),
            .tpnsTagsPerDeletion: Limit(100, .count, .reject, source: tagGuide),
            .accountsPerType: Limit(1, .count, .reject, source: account),
            .devicesPerAccount: Limit(100, .count, .leaveToVendor, source: "Android SDK, API documentation"),
            .tpnsDevicesPerAccountCall: Limit(20, .count, .reject, source: account),
            .tpnsElementsPerAccountCall: Limit(
                20, .count, .reject, source: "not stated for these calls; the number that is stated for bindings"),
            .attributeName: Limit(50, .utf8Bytes, .reject, source: attribute),
            .attributeValue: Limit(50, .utf8Bytes, .reject, source: attribute),
            .attributesPerDevice: Limit(50, .count, .leaveToVendor, source: "Android SDK, API documentation"),
            .messagesPerReport: Limit(1, .count, .split, source: statistics),
            .timeToLive: Limit(259_200, .seconds, .reject, source: push),
            .tpnsMessageBytes: Limit(4096, .utf8Bytes, .reject, source: restrictions),
            .tpnsPackageBytes: Limit(100_000_000, .utf8Bytes, .reject, source: "Account Package Upload, 1024/33765"),
            .tpnsPlanName: Limit(60, .characters, .reject, source: "Push Plan, 1024/39025"),
            .tpnsPlanDescription: Limit(300, .characters, .reject, source: "Push Plan, 1024/39025"),
        ])
}
