import PushAdapter

enum MemoryLimits {
    static let source = "MemoryVendor"

    /// Every feature of the model besides the calls of the roles, with limits small enough to reach in a test.
    static let capabilities = Capabilities(
        support: Dictionary(uniqueKeysWithValues: features.map { ($0, Support.native) }),
        limits: Limits(
            [
                .devicesPerSend: Limit(100, .count, .split, source: source),
                .aliasesPerSend: Limit(100, .count, .split, source: source),
                .accountsPerSend: Limit(100, .count, .split, source: source),
                .accountLength: Limit(40, .utf8Bytes, .reject, source: source),
                .attributeName: Limit(20, .characters, .reject, source: source),
                .attributeValue: Limit(40, .utf8Bytes, .reject, source: source),
                .tagsPerSend: Limit(10, .count, .reject, source: source),
                .tagLength: Limit(40, .utf8Bytes, .reject, source: source),
                .aliasLength: Limit(40, .characters, .reject, source: source),
                .tagsPerCall: Limit(20, .count, .split, source: source),
                .payloadBytes: Limit(2048, .utf8Bytes, .reject, source: source),
                .devicesPerTagCall: Limit(50, .count, .split, source: source),
                .tagsPerDevice: Limit(100, .count, .reject, source: source),
                .messagesPerReport: Limit(10, .count, .split, source: source),
                .keysPerMint: Limit(100, .count, .split, source: source),
                .scheduleName: Limit(100, .utf8Bytes, .reject, source: source),
                .scheduleHorizon: Limit(365 * 86_400, .seconds, .reject, source: source),
                .timeToLive: Limit(86_400, .seconds, .reject, source: source),
            ],
            characters: [
                .aliasLength: AllowedCharacters(
                    "printable ASCII and Chinese", ascii: printable, ranges: AllowedCharacters.han, source: source)
            ]),
        quotas: [.memory: Quota(600, per: .seconds(60), source: source)],
        minimumInterval: [.replaceTags: .seconds(1)], aliasSharing: .one, fields: Set(FieldRow.all.map(\.field)),
        optionRules: MemoryOptions.rules, optionPlaces: MemoryOptions.places)

    /// For how many seconds a signed request is fresh.
    static let longestLife = 300.0
    static let longestTimeToLive: Duration = .seconds(86_400)

    private static let printable = String(String.UnicodeScalarView((0x21...0x7E).compactMap(Unicode.Scalar.init)))

    /// Features besides the calls of the roles.
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
