import PushAdapter
import PushCrypto

/// The capabilities and limits of Web Push, each with its source.
enum WebPushLimits {
    static let noTranslation = "browsers translate no texts of a notification; send a plain text"

    static var capabilities: Capabilities {
        let native: [Feature] = [.audienceDevices, .contentNotification, .contentCustom, .webPushRecall]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits, fields: fields,
            absentFields: absentFields,
            optionRules: WebPushOptions.rules, optionPlaces: WebPushOptions.places, platforms: ["web"])
        capabilities.ignoreClasses("browsers have no classes of messages")
        return capabilities
    }

    private static let fields: Set<MessageField> = [
        .timeToLive, .deliveryPriority, .title, .body, .image, .extras, .customTitle, .customContentType, .customExtras,
    ]

    private static let absentFields: [MessageField: String] = [
        .platforms: "a subscription is at one browser; send to those of the devices that you mean",
        .title.form("localized"): noTranslation, .body.form("localized"): noTranslation,
    ]

    private static let unsupported: [Feature: Support] = .unsupported([
        ([.validate], "a push service checks a message only by sending it"),
        ([.probeCredentials], "a push service has no call without a subscription"),
        ([.mintKeys], "Web Push has no idempotency keys; a tag makes the browser show one of two messages"),
        (
            [.audienceEveryone, .audienceSegment, .audienceFile],
            "no push service knows all of your subscriptions; keep them, and send to them"
        ),
        (.tags, "Web Push has no tags; keep them beside your subscriptions"),
        (.aliases, "Web Push has no aliases; keep them beside your subscriptions"),
        (.accounts, "Web Push has no accounts; keep them beside your subscriptions"),
        (.attributes, "Web Push has no attributes of subscriptions"),
        (.phones, "Web Push sends no text messages"),
        (.schedules, "Web Push sends at once; schedule in your backend"),
        ([.readDeliveries], "no push service gives receipts"),
        ([.contentVoIP, .contentLiveActivity, .audienceLiveActivity], "it is Apple's, for apps"),
        ([.contentBadgeArithmetic], "Web Push sets a number with app_badge; it keeps none to add to"),
    ])

    private static var limits: Limits {
        Limits([
            .devicesPerSend: Limit(1, .count, .split, source: "RFC 8030, section 5"),
            .deviceIDLength: Limit(4096, .utf8Bytes, .reject, source: "this library; endpoints have up to 2,048 bytes"),
            .payloadBytes: Limit(
                WebPushEncryption.maximumSize, .utf8Bytes, .reject, source: "RFC 8030, section 7.2; RFC 8291, section 4"
            ),
            .timeToLive: Limit(Int(Int32.max), .seconds, .reject, source: "RFC 8030, section 5.2"),
        ])
    }
}
