import FoundationEssentials
import PushCore

extension FCMEncoder {
    static let priorities = [
        -2: "PRIORITY_MIN", -1: "PRIORITY_LOW", 0: "PRIORITY_DEFAULT", 1: "PRIORITY_HIGH", 2: "PRIORITY_MAX",
    ]

    /// The delivery priority in each platform's words.
    private static let urgencies: [DeliveryPriority: (android: String, apple: String, web: String)] = [
        .normal: ("NORMAL", "5", "normal"), .high: ("HIGH", "10", "high"),
    ]

    private func urgency(of message: Message) -> (android: String, apple: String, web: String)? {
        message.deliveryPriority.flatMap { Self.urgencies[$0] }
    }

    // MARK: Android

    /// The `android` object; empty with `android_v2`, which replaces it.
    func android(_ message: Message, _ options: Fields, isWithoutData: Bool) throws(PushError) -> Fields {
        var fields = options["android"].fields
        try fields.set("ttl", message.timeToLive.map { .string("\($0.components.seconds)s") })
        try fields.set("priority", urgency(of: message).map { .string($0.android) })
        var shown = fields["notification"].fields
        if let own = message.notification?.android {
            try write(own, to: &shown)
            try fields.set("data", try data(own, isWithoutData: isWithoutData))
        }
        fields["notification"] = shown.objectOrNil
        guard fields.isEmpty || options["android_v2"].fields.isEmpty else {
            throw PushError(
                .invalidArgument,
                "the FCM option android_v2 replaces android, and this message sets "
                    + fields.keys.sorted().map { "android.\($0)" }.joined(separator: ", ")
                    + "; leave out the one or the other")
        }
        return fields
    }

    private func write(_ own: AndroidNotification, to shown: inout Fields) throws(PushError) {
        let texts: [(name: String, text: String?)] = [
            ("title", own.title), ("body", own.body), ("channel_id", own.channelID), ("sound", own.sound),
            ("click_action", own.intentURL), ("image", own.image),
            ("notification_priority", own.priority.flatMap { Self.priorities[$0] }),
        ]
        for (name, text) in texts { try shown.set(name, text.map(JSONValue.string)) }
        for (name, text) in [("title", own.localizedTitle), ("body", own.localizedBody)] {
            guard let text else { continue }
            try shown.set("\(name)_loc_key", .string(text.key))
            if !text.arguments.isEmpty {
                try shown.set("\(name)_loc_args", .array(text.arguments.map(JSONValue.string)))
            }
        }
        try shown.set("notification_count", own.badgeIncrement.map { JSONValue(integerLiteral: $0) })
    }

    /// The data of Android devices, which they get in place of the common data.
    private func data(_ own: AndroidNotification, isWithoutData: Bool) throws(PushError) -> JSONValue? {
        guard let extras = own.extras else { return nil }
        if !extras.isEmpty { return .object(try Self.texts(extras, "the Android extras")) }
        // On the wire, an empty map is the same as none.
        guard isWithoutData else {
            throw PushError(
                .unsupported, "FCM cannot leave out the extras on Android only; give the Android extras a key",
                operation: .send)
        }
        return nil
    }

    // MARK: Apple

    /// The `apns` object. A picture needs `mutable-content`, for the app's service extension to load it.
    func apns(
        _ message: Message, _ options: Fields, _ context: SendContext
    ) throws(PushError) -> Fields {
        var fields = options["apns"].fields
        var payload = fields["payload"].fields
        var aps = payload["aps"].fields
        let own = message.notification?.ios ?? (aps["alert"].isGiven ? IOSNotification() : nil)
        if message.custom != nil { try aps.set("content-available", 1) }
        if let own, let notification = message.notification {
            try write(own, of: notification, to: &aps)
            try write(own.extras ?? [:], to: &payload)
        }
        if message.notification?.image != nil || own?.image != nil { aps["mutable-content"] = 1 }
        if fields["live_activity_token"].isGiven { try checkActivity(aps) }
        payload["aps"] = aps.objectOrNil
        var settings = fields["fcm_options"].fields
        try settings.set("image", own?.image.map(JSONValue.string))
        let headers = try headers(message, fields["headers"].fields, context)
        for (name, value) in [("headers", headers), ("payload", payload), ("fcm_options", settings)] {
            fields[name] = value.objectOrNil
        }
        return fields
    }

    private func headers(
        _ message: Message, _ given: Fields, _ context: SendContext
    ) throws(PushError) -> Fields {
        var headers = given
        if let life = message.timeToLive {
            // No life is longer than a limit that is checked later.
            let end = life == .zero ? 0 : context.now.timeIntervalSince1970 + min(life.seconds, 1e12)
            try headers.setHeader("apns-expiration", String(Int(max(0, end))))
        }
        try headers.setHeader("apns-collapse-id", message.notification?.ios?.collapseID)
        // The vendor refuses any higher priority for a message that shows nothing.
        try headers.setHeader("apns-priority", message.custom == nil ? urgency(of: message)?.apple : "5")
        return headers
    }

    /// Writes the data of Apple devices beside `aps`. They get the common data too; the vendor does not document how it
    /// merges the two, nor which wins where both have a key.
    private func write(_ extras: Fields, to payload: inout Fields) throws(PushError) {
        for (key, value) in extras.sorted(by: { $0.key < $1.key }) {
            guard key != "aps" else {
                throw PushError(.invalidArgument, "the iOS extras have the key aps, which is Apple's; rename it")
            }
            try payload.set(key, value)
        }
    }

    private func write(
        _ own: IOSNotification, of notification: Notification, to aps: inout Fields
    ) throws(PushError) {
        var alert = aps["alert"].fields
        var texts = own.localizedAlert
        texts["subtitle"] = own.subtitle.map(JSONValue.string)
        // All of it, because no page says whether the vendor completes an alert from the common texts.
        if own.title != nil || own.body != nil || !texts.isEmpty || !alert.isEmpty {
            texts["title"] = (own.title ?? notification.title).map(JSONValue.string)
            texts["body"] = .string(own.body ?? notification.body)
        }
        for (name, text) in texts { try alert.set(name, text) }
        aps["alert"] = alert.objectOrNil
        if case .set(let number) = own.badge {
            guard number >= 0 else {
                throw PushError(.invalidArgument, "a badge cannot be \(number); give 0 or more")
            }
            try aps.set("badge", JSONValue(integerLiteral: number))
        }
        try aps.set("sound", own.sound.map(JSONValue.string))
        try aps.set("category", own.category.map(JSONValue.string))
        try aps.set("thread-id", own.threadID.map(JSONValue.string))
        try aps.set("interruption-level", own.interruptionLevel.map { .string($0.rawValue) })
        if own.isMutable { try aps.set("mutable-content", 1) }
        if own.isContentAvailable { try aps.set("content-available", 1) }
    }

    /// Refuses an update of a Live Activity that lacks what the vendor's page asks for.
    private func checkActivity(_ aps: Fields) throws(PushError) {
        let isStart = aps["event"]?.stringValue == "start"
        let more: [String] = isStart ? ["attributes-type", "attributes", "alert"] : []
        guard let missing = (["event", "timestamp", "content-state"] + more).first(where: { !aps[$0].isGiven }) else {
            return
        }
        let place = missing == "alert" ? "set the texts of the iOS notification" : "set it in the FCM options"
        throw PushError(
            .invalidArgument, "the FCM option apns.live_activity_token needs apns.payload.aps.\(missing); \(place)")
    }

    // MARK: Browsers

    /// The `webpush` object.
    func webpush(_ message: Message, _ options: Fields) throws(PushError) -> Fields {
        var fields = options["webpush"].fields
        var headers = fields["headers"].fields
        try headers.setHeader("TTL", message.timeToLive.map { String($0.components.seconds) })
        try headers.setHeader("Urgency", urgency(of: message)?.web)
        fields["headers"] = headers.objectOrNil
        return fields
    }
}
