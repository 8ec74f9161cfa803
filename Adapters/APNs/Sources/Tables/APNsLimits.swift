import PushAdapter

extension LimitKey {
    /// Bytes of the payload of a call.
    static let apnsCallBytes: LimitKey = "apns.voip.bytes"
    /// Bytes of a broadcast.
    static let apnsBroadcastBytes: LimitKey = "apns.broadcast.bytes"
    /// Bytes of a collapse id.
    static let apnsCollapseID: LimitKey = "apns.collapseID"
}

/// The capabilities and limits of APNs, each with the page and its date.
enum APNsLimits {
    private static let sending = "Sending notification requests to APNs, 2026"
    private static let broadcasts = "Sending broadcast push notification requests to APNs, 2026"

    static var capabilities: Capabilities {
        let native: [Feature] = [
            .audienceDevices, .contentNotification, .contentCustom, .contentLiveActivity, .contentVoIP,
            .apnsCreateChannel, .apnsReadChannel, .apnsListChannels, .apnsDeleteChannel, .apnsBroadcast,
        ]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits, fields: fields,
            absentFields: absentFields,
            optionRules: APNsOptions.rules, optionPlaces: APNsOptions.places, platforms: [.ios])
        capabilities.ignoreClasses("APNs has no classes of messages")
        // A token is bytes; hexadecimal is only one way to write them.
        capabilities.deviceIDsIgnoreCase = true
        // "After 15 minutes, you can retry", about responses with a status of 500 or more.
        capabilities.leastWaits = [.server: .seconds(900)]
        return capabilities
    }

    private static let fields: Set<MessageField> = {
        let ios = [
            "title", "title.localized", "subtitle", "subtitle.localized", "body", "body.localized", "sound", "badge",
            "category", "threadID", "isMutable", "isContentAvailable", "interruptionLevel", "collapseID", "extras",
        ]
        let common: [MessageField] = [
            .platforms, .timeToLive, .deliveryPriority, .environment, .title, .title.form("localized"), .body,
            .body.form("localized"), .extras, .customTitle, .customContentType, .customExtras,
        ]
        return Set(common + ios.map(MessageField.ios))
    }()

    private static let absentFields: [MessageField: String] = {
        let image =
            "APNs has no field for pictures; put the address into the extras, under a key that the app's service "
            + "extension reads, and set isMutable"
        return [.image: image, .ios("image"): image]
    }()

    private static let unsupported: [Feature: Support] = .unsupported([
        ([.validate], "APNs checks a push only by sending it"),
        ([.mintKeys], "APNs has no idempotency keys; a collapse id makes the device show one of two pushes"),
        ([.audienceEveryone], "APNs does not send to everyone; keep the tokens of your devices, and send to them"),
        (
            [
                .readTags, .testTag, .addTags, .removeTags, .replaceTags, .clearTags, .audienceTagsAnyOf,
                .audienceTagsAllOf, .audienceTagsNoneOf,
            ], "APNs has no tags; keep them beside the tokens of your devices"
        ),
        (.aliases, "APNs has no aliases; keep them beside the tokens of your devices"),
        (.accounts, "APNs has no accounts; keep them beside the tokens of your devices"),
        (.attributes, "APNs has no attributes of devices"),
        (.phones, "APNs sends no text messages"),
        (.schedules, "APNs sends at once; schedule in your backend"),
        ([.readDeliveries], "APNs reports deliveries only in its console"),
        ([.audienceSegment, .audienceFile], "APNs takes one device in a request"),
        (
            [.audienceLiveActivity],
            "a Live Activity has a token of its own: send to it as to a device, or broadcast to a channel"
        ),
        ([.contentBadgeArithmetic], "APNs sets a badge to a number; it keeps none to add to"),
    ])

    private static var limits: Limits {
        Limits(
            [
                .devicesPerSend: Limit(1, .count, .split, source: sending),
                .deviceIDLength: Limit(1000, .utf8Bytes, .reject, source: "this library; the vendor states no length"),
                .payloadBytes: Limit(4096, .utf8Bytes, .reject, source: sending),
                .apnsCallBytes: Limit(5120, .utf8Bytes, .reject, source: sending),
                .apnsBroadcastBytes: Limit(5120, .utf8Bytes, .reject, source: broadcasts),
                .apnsCollapseID: Limit(64, .utf8Bytes, .reject, source: sending),
                .timeToLive: Limit(2_592_000, .seconds, .leaveToVendor, source: sending),
            ],
            characters: [
                .deviceIDLength: AllowedCharacters(
                    "hexadecimal digits", ascii: "0123456789abcdefABCDEF", ranges: [],
                    source: "Registering your app with APNs, 2026")
            ])
    }
}
