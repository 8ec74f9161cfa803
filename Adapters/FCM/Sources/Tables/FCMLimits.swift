import PushAdapter

extension LimitKey {
    /// Bytes of the payload for Apple's devices.
    static let fcmAppleBytes: LimitKey = "fcm.apple.bytes"
}

extension QuotaBucket {
    static let fcmSends: QuotaBucket = "sends"
    static let fcmTopics: QuotaBucket = "topics"
}

/// The capabilities and limits of FCM, each with the page and its date.
enum FCMLimits {
    static let projectCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-.:"

    private static let codes = "FCM error codes, 2026"
    private static let quotas = "Throttling and quotas, 2026"
    private static let topics = "Topic messaging, 2026"
    private static let conditions = "Send to topics, 2026"
    private static let options = "Message types and lifespan, 2025"

    static func capabilities(topicPrefix: String) -> Capabilities {
        let native: [Feature] = [
            .audienceDevices, .audienceTagsAnyOf, .audienceTagsAllOf, .audienceTagsNoneOf, .contentNotification,
            .contentCustom, .contentLiveActivity, .fcmReadDeliveryData,
        ]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits(topicPrefix: topicPrefix),
            quotas: [
                .fcmSends: Quota(600_000, per: .seconds(60), source: quotas),
                .fcmTopics: Quota(3_000, per: .seconds(1), source: topics),
            ],
            fields: fields, absentFields: absentFields, optionRules: FCMOptions.rules,
            optionPlaces: FCMOptions.places)
        capabilities.ignoreClasses("FCM has no classes of messages")
        // Fields for other platforms reach no device of FCM.
        capabilities.platforms = [.ios, .android, "web"]
        capabilities.leastWaits = [.rateLimited: .seconds(60), .server: .seconds(10)]
        // The vendor's own libraries keep no more requests in flight.
        capabilities.concurrency = 100
        return capabilities
    }

    private static let fields: Set<MessageField> = {
        let ios = [
            "title", "title.localized", "subtitle", "subtitle.localized", "body", "body.localized", "sound", "badge",
            "category", "threadID", "isMutable", "isContentAvailable", "interruptionLevel", "collapseID", "image",
            "extras",
        ]
        let android = [
            "title", "title.localized", "body", "body.localized", "channelID", "priority", "sound", "tap.intentAction",
            "badge.set", "collapseID", "image", "extras",
        ]
        let common: [MessageField] = [
            .timeToLive, .deliveryPriority, .title, .title.form("localized"), .body, .body.form("localized"), .image,
            .extras, .customTitle, .customContentType, .customExtras,
        ]
        return Set(common + ios.map(MessageField.ios) + android.map(MessageField.android))
    }()

    private static let taps =
        "FCM starts an intent by its action only; give intentAction, or put the address into the extras for the app to open"

    private static let absentFields: [MessageField: String] = [
        .platforms: "a message goes to every device of its audience; send to those of one platform by their ids",
        .environment: "FCM knows the environment of each Apple device; leave it out",
        .android("category"): "FCM has no field for Android's categories; use a channel",
        .android("tap.link"): taps, .android("tap.intentURI"): taps, .android("tap.activity"): taps,
        .android("badge.add"): "FCM sets the number of a notification; count in your backend, and set it",
    ]

    private static let unsupported: [Feature: Support] = .unsupported([
        ([.mintKeys], "FCM has no idempotency keys; it delivers a repeated message again"),
        ([.audienceEveryone], "FCM cannot send to everyone; have every device add one tag, and send to it"),
        ([.replaceTags, .clearTags], "FCM changes one topic at a time; the client reads, compares and changes"),
        (.aliases, "FCM has no aliases; a topic is no substitute, because any copy of the app may subscribe to it"),
        (.accounts, "FCM has no accounts; a topic is no substitute, because any copy of the app may subscribe to it"),
        (.attributes, "FCM has no attributes of devices"),
        (.phones, "FCM sends no text messages"),
        (.schedules, "FCM schedules only in its console"),
        ([.readDeliveries], "FCM counts deliveries by day and app, not by message"),
        ([.audienceSegment], "FCM's segments are of its console"),
        ([.audienceFile], "FCM takes no uploaded lists"),
        (
            [.audienceLiveActivity],
            "a Live Activity has a token of its own: set the option apns.live_activity_token, and send to its device"
        ),
        ([.contentVoIP], "FCM cannot send VoIP pushes"),
        ([.contentBadgeArithmetic], "FCM sets a badge to a number; it keeps none to add to"),
    ])

    static let devicesPerInstanceCall = Limit(1000, .count, .split, source: "Instance ID server reference")

    private static func limits(topicPrefix: String) -> Limits {
        Limits([
            .devicesPerSend: Limit(1, .count, .split, source: "REST reference of projects.messages, 2026"),
            .deviceIDLength: Limit(1000, .utf8Bytes, .reject, source: "this library; the vendor states no length"),
            .tagsPerSend: Limit(5, .count, .reject, source: conditions),
            .tagsPerAudience: Limit(5, .count, .reject, source: conditions),
            .tagLength: Limit(900 - topicPrefix.utf8.count, .encodedBytes, .reject, source: "topicSubscriptions, 2026"),
            .tagsPerCall: Limit(1, .count, .split, source: "topicSubscriptions, 2026"),
            .tagsPerDevice: Limit(2000, .count, .reject, source: topics),
            .payloadBytes: Limit(4096, .utf8Bytes, .reject, source: codes),
            .fcmAppleBytes: Limit(
                4096, .utf8Bytes, .reject, source: "Sending notification requests to APNs, 2026"),
            .timeToLive: Limit(2_419_200, .seconds, .reject, source: options),
        ])
    }
}
