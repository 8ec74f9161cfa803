import FoundationEssentials
import PushAdapter

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

    /// The `android` object; empty if the options have `android_v2`, which replaces it.
    func android(
        _ message: Message, _ options: Fields, _ layout: Layout, _ data: Fields
    ) throws(PushError) -> Fields {
        var fields = options["android"].fields
        try fields.set("ttl", message.timeToLive.map { .string("\($0.components.seconds)s") })
        try fields.set("priority", urgency(of: message).map { .string($0.android) })
        var shown = fields["notification"].fields
        if let notification = message.notification {
            for (name, text) in layout.android(notification) { try shown.set(name, text) }
            if let own = notification.android { try write(own, to: &shown) }
            let own = try notification.android?.extras.map { (extras) throws(PushError) in
                try Self.texts(extras, "the Android extras")
            }
            try fields.set("data", (own ?? (layout.splitsData ? data : [:])).objectOrNil)
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
        var texts: [(name: String, text: String?)] = [
            ("channel_id", own.channelID), ("sound", own.sound), ("image", own.image),
            ("tag", own.collapseID),
            ("notification_priority", own.priority.flatMap { Self.priorities[$0] }),
        ]
        switch own.tap {
        case nil: break
        case .intentAction(let action): texts.append(("click_action", action))
        case let other?: throw MessageField.android("tap").form(other.name).refusal(by: FCM.id)
        }
        for (name, text) in texts { try shown.set(name, text.map(JSONValue.string)) }
        switch own.badge {
        case nil: break
        case .set(let number): try shown.set("notification_count", JSONValue(integerLiteral: number))
        case .change: throw MessageField.android("badge.add").refusal(by: FCM.id)
        }
    }

    // MARK: Apple

    /// The `apns` object. A picture needs `mutable-content`, so that the app's service extension loads it.
    func apns(
        _ message: Message, _ options: Fields, _ layout: Layout, _ data: Fields
    ) throws(PushError) -> Fields {
        var fields = options["apns"].fields
        var payload = fields["payload"].fields
        var aps = payload["aps"].fields
        let own = message.notification?.ios
        if message.custom != nil { try aps.set("content-available", 1) }
        if let notification = message.notification {
            try writeAlert(of: notification, layout, to: &aps)
            if let own { try write(own, to: &aps) }
            let extras = own?.extras ?? (layout.splitsData ? data : [:])
            for (key, value) in extras.sorted(by: { $0.key < $1.key }) { try payload.set(key, value) }
        }
        if message.notification?.image != nil || own?.image != nil { aps["mutable-content"] = 1 }
        payload["aps"] = aps.objectOrNil
        var settings = fields["fcm_options"].fields
        try settings.set("image", own?.image.map(JSONValue.string))
        let headers = try headers(message, fields["headers"].fields)
        for (name, value) in [("headers", headers), ("payload", payload), ("fcm_options", settings)] {
            fields[name] = value.objectOrNil
        }
        return fields
    }

    /// The header fields of APNs.
    func headers(
        _ message: Message, _ given: Fields
    ) throws(PushError) -> Fields {
        var headers = given
        if let life = message.timeToLive {
            // A limit that is checked later refuses lives that are anywhere near the cap.
            let end = life == .zero ? 0 : now.timeIntervalSince1970 + min(life.seconds, 1e12)
            try headers.setHeader("apns-expiration", String(Int(max(0, end))))
        }
        try headers.setHeader("apns-collapse-id", message.notification?.ios?.collapseID)
        // The vendor refuses a higher priority for a message that shows nothing.
        try headers.setHeader("apns-priority", message.custom == nil ? urgency(of: message)?.apple : "5")
        return headers
    }

    /// Writes the whole alert if any part of it is for Apple's devices only. No page says whether the vendor fills gaps
    /// in an alert with the common texts.
    private func writeAlert(
        of notification: Notification, _ layout: Layout, to aps: inout Fields
    ) throws(PushError) {
        let more = aps.removeValue(forKey: "alert")
        let own = notification.ios
        let isOwn = own?.title != nil || own?.subtitle != nil || own?.body != nil || more.isGiven
        let isMissed =
            layout.splitsTitle && notification.title != nil || layout.splitsBody && notification.body != nil
        guard isOwn || isMissed else { return }
        let alert = try notification.appleAlert(adding: more.fields)
        // The vendor takes a single text for the whole alert.
        aps["alert"] = alert?.stringValue.map { ["body": .string($0)] } ?? alert
    }

    private func write(_ own: IOSNotification, to aps: inout Fields) throws(PushError) {
        switch own.badge {
        case nil: break
        case .set(let number): try aps.set("badge", JSONValue(integerLiteral: number))
        case .change:
            throw PushError(.unsupported, "FCM sets a badge to a number; it keeps none to add to", operation: .send)
        }
        try aps.set("sound", own.sound.map(JSONValue.string))
        try aps.set("category", own.category.map(JSONValue.string))
        try aps.set("thread-id", own.threadID.map(JSONValue.string))
        try aps.set("interruption-level", own.interruptionLevel.map { .string($0.rawValue) })
        if own.isMutable { try aps.set("mutable-content", 1) }
        if own.isContentAvailable { try aps.set("content-available", 1) }
    }

    // MARK: Browsers

    /// The `webpush` object.
    func webpush(
        _ message: Message, _ options: Fields, _ layout: Layout, _ data: Fields
    ) throws(PushError) -> Fields {
        var fields = options["webpush"].fields
        var shown = fields["notification"].fields
        // The options hold fields of browsers only. They replace the message's texts.
        for (name, text) in layout.web(message.notification) where !shown[name].isGiven {
            shown[name] = text.map(JSONValue.string)
        }
        fields["notification"] = shown.objectOrNil
        if layout.splitsData, !fields["data"].isGiven { fields["data"] = .object(data) }
        var headers = fields["headers"].fields
        try headers.setHeader("TTL", message.timeToLive.map { String($0.components.seconds) })
        try headers.setHeader("Urgency", urgency(of: message)?.web)
        fields["headers"] = headers.objectOrNil
        return fields
    }
}
