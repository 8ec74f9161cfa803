import PushAdapter

extension QuotaBucket {
    static let pigeonCalls: QuotaBucket = "calls"
}

/// Pigeon's features and limits. Each comes from a page of the vendor: name the page and its date.
enum PigeonLimits {
    private static let page = "Pigeon handbook, 2026-11"

    static let capabilities = Capabilities(
        support: support,
        limits: Limits(
            [
                .devicesPerSend: Limit(50, .count, .split, source: page),
                .tagLength: Limit(32, .utf8Bytes, .reject, source: page),
                .tagsPerDevice: Limit(20, .count, .reject, source: page),
                .tagsPerSend: Limit(5, .count, .reject, source: page),
            ]),
        quotas: [.pigeonCalls: Quota(100, per: .seconds(10), source: page)],
        // Fields that are not here are refused, never dropped.
        fields: [.title, .body, .extras, .ios("title"), .ios("body"), .android("title"), .android("body")])

    /// The native features besides the calls of the roles.
    private static let native: [Feature] = [
        .audienceEveryone, .audienceDevices, .audienceTagsAnyOf, .contentNotification,
    ]

    private static let support: [Feature: Support] = {
        var support = Dictionary(uniqueKeysWithValues: native.map { ($0, Support.native) })
        support[.testTag] = .unsupported("Pigeon cannot check one ring; read them all")
        support[.contentCustom] = .unsupported("Pigeon shows everything; put data into the extras of a notification")
        return support
    }()
}
