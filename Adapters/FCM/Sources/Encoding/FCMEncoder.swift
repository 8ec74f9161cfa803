import FoundationEssentials
import PushCore

/// Writes the body of a send.
struct FCMEncoder {
    let fcm: FCM

    /// Keys of `data` that a custom message uses besides its extras. The vendor has no fields for them: they are a
    /// convention between a backend and its app.
    private enum Key {
        static let content = "content"
        static let title = "title"
        static let contentType = "content_type"
    }

    /// The body, and the bytes of what the vendor counts: the texts that are shown, and keys and values of the data.
    func body(
        _ message: Message, to target: FCMTarget, _ context: SendContext, isDryRun: Bool
    ) throws(PushError) -> (json: [UInt8], payloadBytes: Int) {
        try check(message)
        let options = try message.options(FCMOptions.self)
        let data = try data(of: message)
        let notification = message.notification
        guard notification != nil || options?.image == nil else {
            throw PushError(.invalidArgument, "the option image needs a notification, which shows it")
        }
        let (name, value) = target.field
        let platforms = [
            ("android", try android(message, options)), ("apns", try apns(message, options, context)),
            ("webpush", try webpush(message, options)),
        ]
        let json = try JSONWriter.bytes(reserving: 1024) { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                try json.field("message") { (json) throws(PushError) in
                    try json.object { (json) throws(PushError) in
                        json.field(name, value)
                        if !data.isEmpty { json.field("data", .object(data.mapValues(JSONValue.string))) }
                        if let notification { json.field("notification", common(notification, options)) }
                        for (name, value) in platforms where !value.isEmpty { json.field(name, .object(value)) }
                        if let label = options?.analyticsLabel {
                            json.field("fcm_options", ["analytics_label": .string(label)])
                        }
                    }
                }
                if isDryRun { json.field("validate_only", true) }
            }
        }
        let texts = [notification?.title, notification?.body].compactMap { $0?.utf8.count }.reduce(0, +)
        return (json, texts + data.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count })
    }

    private func common(_ notification: Notification, _ options: FCMOptions?) -> JSONValue {
        var fields: [String: JSONValue] = ["body": .string(notification.body)]
        fields["title"] = notification.title.map(JSONValue.string)
        fields["image"] = options?.image.map(JSONValue.string)
        return .object(fields)
    }

    // MARK: Data

    /// The app's data, which the vendor takes as texts only.
    private func data(of message: Message) throws(PushError) -> [String: String] {
        var data: [String: String] = [:]
        let extras = message.notification?.extras ?? message.custom?.extras ?? [:]
        for (key, value) in extras.sorted(by: { $0.key < $1.key }) {
            guard !Self.isReserved(key) else {
                throw PushError(
                    .invalidArgument, "the extras have the key \(Redaction.quoted(key)), which FCM reserves; rename it")
            }
            guard let text = value.stringValue else {
                throw PushError(
                    .invalidArgument,
                    "the extras have a value under \(Redaction.quoted(key)) that is no text, and FCM takes texts only; "
                        + "write it as one")
            }
            data[key] = text
        }
        guard let custom = message.custom else { return data }
        for (key, text) in [
            (Key.content, custom.content), (Key.title, custom.title), (Key.contentType, custom.contentType),
        ] {
            guard let text else { continue }
            guard data[key] == nil else {
                throw PushError(
                    .invalidArgument,
                    "the extras have the key \(Redaction.quoted(key)), where this adapter puts a part of the custom "
                        + "message; rename it")
            }
            data[key] = text
        }
        return data
    }

    /// The keys of all three lists that the vendor's pages have.
    private static func isReserved(_ key: String) -> Bool {
        ["from", "message_type", "collapse_key", "gcm"].contains(key) || key.hasPrefix("google")
            || key.hasPrefix("gcm")
    }

    // MARK: Platforms

    private typealias Fields = [String: JSONValue]

    private func android(_ message: Message, _ options: FCMOptions?) throws(PushError) -> Fields {
        var fields = options?.android?.fields ?? [:]
        try fields.set("ttl", message.timeToLive.map { .string("\($0.components.seconds)s") })
        var shown = options?.android?.notification ?? [:]
        if let own = message.notification?.android {
            try shown.set("title", own.title.map(JSONValue.string))
            try shown.set("body", own.body.map(JSONValue.string))
            try shown.set("channel_id", own.channelID.map(JSONValue.string))
            try shown.set("sound", own.sound.map(JSONValue.string))
            try shown.set("click_action", own.intentURL.map(JSONValue.string))
            try shown.set("notification_priority", own.priority.flatMap { Self.priorities[$0] }.map(JSONValue.string))
            try shown.set("notification_count", own.badgeIncrement.map { JSONValue(integerLiteral: $0) })
        }
        try fields.set("notification", shown.isEmpty ? nil : .object(shown))
        return fields
    }

    private static let priorities = [
        -2: "PRIORITY_MIN", -1: "PRIORITY_LOW", 0: "PRIORITY_DEFAULT", 1: "PRIORITY_HIGH", 2: "PRIORITY_MAX",
    ]

    private func apns(
        _ message: Message, _ options: FCMOptions?, _ context: SendContext
    ) throws(PushError) -> Fields {
        var headers = (options?.apns?.headers ?? [:]).mapValues(JSONValue.string)
        if let life = message.timeToLive {
            // No life is longer than a limit that is checked later.
            let end = life == .zero ? 0 : context.now.timeIntervalSince1970 + min(life.seconds, 1e12)
            try headers.set("apns-expiration", .string(String(Int(max(0, end)))))
        }
        var aps: Fields = [:]
        if let own = message.notification?.ios {
            try headers.set("apns-collapse-id", own.collapseID.map(JSONValue.string))
            aps = try self.aps(own)
        }
        if message.custom != nil {
            // The vendor refuses any higher priority for a message that shows nothing.
            try headers.set("apns-priority", "5")
            aps["content-available"] = 1
        }
        var payload = options?.apns?.payload ?? [:]
        try payload.set("aps", aps.isEmpty ? nil : .object(aps))
        var fields: Fields = [:]
        try fields.set("headers", headers.isEmpty ? nil : .object(headers))
        try fields.set("payload", payload.isEmpty ? nil : .object(payload))
        return fields
    }

    private func aps(_ own: IOSNotification) throws(PushError) -> [String: JSONValue] {
        var aps: [String: JSONValue] = [:]
        var alert: [String: JSONValue] = [:]
        alert["title"] = own.title.map(JSONValue.string)
        alert["subtitle"] = own.subtitle.map(JSONValue.string)
        alert["body"] = own.body.map(JSONValue.string)
        if !alert.isEmpty { aps["alert"] = .object(alert) }
        if case .set(let number) = own.badge {
            guard number >= 0 else {
                throw PushError(.invalidArgument, "a badge cannot be \(number); give 0 or more")
            }
            aps["badge"] = JSONValue(integerLiteral: number)
        }
        aps["sound"] = own.sound.map(JSONValue.string)
        aps["category"] = own.category.map(JSONValue.string)
        aps["thread-id"] = own.threadID.map(JSONValue.string)
        aps["interruption-level"] = own.interruptionLevel.map { .string($0.rawValue) }
        if own.isMutable { aps["mutable-content"] = 1 }
        if own.isContentAvailable { aps["content-available"] = 1 }
        return aps
    }

    private func webpush(_ message: Message, _ options: FCMOptions?) throws(PushError) -> Fields {
        var fields = options?.webpush ?? [:]
        guard let life = message.timeToLive else { return fields }
        var headers: Fields = [:]
        if case .object(let given) = fields["headers"] { headers = given }
        try headers.set("TTL", .string(String(life.components.seconds)))
        fields["headers"] = .object(headers)
        return fields
    }

    // MARK: Checks

    private func check(_ message: Message) throws(PushError) {
        guard message.liveActivity == nil, message.voip == nil else {
            throw PushError(.unsupported, "the adapter sends no Live Activities or VoIP pushes", operation: .send)
        }
        guard message.notification == nil || message.custom == nil else {
            throw PushError(
                .unsupported,
                "an FCM message has a notification or a custom message, not both: a phone in the background shows the "
                    + "one and keeps the other from the app; send two messages", operation: .send)
        }
        if let priority = message.notification?.android?.priority, Self.priorities[priority] == nil {
            throw PushError(.invalidArgument, "an Android priority is from -2 to 2, not \(priority)")
        }
    }
}

extension [String: JSONValue] {
    /// Sets a field that the adapter writes from the message; refuses one that the options have as well.
    fileprivate mutating func set(_ name: String, _ value: JSONValue?) throws(PushError) {
        guard let value else { return }
        guard self[name] == nil else {
            throw PushError(
                .invalidArgument,
                "the FCM options have \(name), which the adapter writes from the message; remove it from the options")
        }
        self[name] = value
    }
}
