import PushCore

enum MemoryLimits {
    static let source = "MemoryVendor"

    /// Every feature of the model beside the calls of the roles, with limits small enough to reach in a test.
    static let capabilities = Capabilities(
        support: Dictionary(uniqueKeysWithValues: features.map { ($0, Support.native) }),
        limits: Limits(
            [
                .devicesPerSend: Bound(100, .count, .split, source: source),
                .aliasesPerSend: Bound(100, .count, .split, source: source),
                .accountsPerSend: Bound(100, .count, .split, source: source),
                .accountLength: Bound(40, .utf8Bytes, .reject, source: source),
                .attributeName: Bound(20, .characters, .reject, source: source),
                .attributeValue: Bound(40, .utf8Bytes, .reject, source: source),
                .tagsPerSend: Bound(10, .count, .reject, source: source),
                .tagLength: Bound(40, .utf8Bytes, .reject, source: source),
                .aliasLength: Bound(40, .characters, .reject, source: source),
                .tagsPerCall: Bound(20, .count, .split, source: source),
                .tagsPerDevice: Bound(100, .count, .reject, source: source),
                .messagesPerReport: Bound(10, .count, .split, source: source),
                .keysPerMint: Bound(100, .count, .split, source: source),
                .scheduleName: Bound(100, .utf8Bytes, .reject, source: source),
                .scheduleHorizon: Bound(365 * 86_400, .seconds, .reject, source: source),
                .timeToLive: Bound(86_400, .seconds, .reject, source: source),
            ],
            alphabets: [
                .aliasLength: Alphabet(
                    "printable ASCII and Chinese", ascii: printable, ranges: Alphabet.han, source: source)
            ]),
        quotas: [.memory: Quota(600, per: .seconds(60), source: source)],
        pace: [.replaceTags: .seconds(1)], aliasSharing: .one, fields: fields)

    /// Seconds for which a signed request is fresh.
    static let longestLife = 300.0
    static let longestTimeToLive: Duration = .seconds(86_400)

    private static let printable = String(String.UnicodeScalarView((0x21...0x7E).compactMap(Unicode.Scalar.init)))

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
    private static let features: [Feature] = [
        .scheduleOnce, .scheduleRecurring, .audienceEveryone, .audienceDevices,
        .audienceAliases, .audienceAccounts, .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf,
        .audienceSegment, .audienceLiveActivity, .audienceFile, .contentNotification, .contentCustom,
        .contentLiveActivity, .contentVoIP, .contentBadgeArithmetic,
    ]
}

extension QuotaBucket {
    static let memory: QuotaBucket = "calls"
}
