import FoundationEssentials
import PushCore

/// Writes the body of a send.
struct FCMEncoder {
    typealias Fields = [String: JSONValue]

    /// What a message is on the wire without its target: the same for every device of a list.
    struct Encoded: Sendable {
        /// The fields besides the target, as they stand in an object, without its braces.
        var fields: [UInt8]
        /// Bytes of what the vendor counts: the texts that are shown, and keys and values of the data.
        var payloadBytes: Int
        /// Whether it has the token of a Live Activity, which has one device.
        var isOfActivity: Bool
    }

    /// Keys of `data` that a custom message uses besides its extras. The vendor has no fields for them: they are a
    /// convention between a backend and its app.
    private enum Key {
        static let content = "content"
        static let title = "title"
        static let contentType = "content_type"
    }

    /// Encodes a message, which may be sent to any target.
    func encode(_ message: Message, _ context: SendContext) throws(PushError) -> Encoded {
        try check(message)
        let options = try FCMOptions.fields(of: message)
        let data = try data(of: message)
        let android = try android(message, options, isWithoutData: data.isEmpty)
        let apns = try apns(message, options, context)
        let webpush = try webpush(message, options)
        let second = options["android_v2"].fields
        let parts: [(name: String, fields: Fields)] = [
            ("data", data), ("notification", shown(message.notification)), ("android", android),
            ("android_v2", second), ("apns", apns), ("webpush", webpush),
            ("fcm_options", options["fcm_options"].fields),
        ]
        let object = try JSONWriter.bytes(reserving: 1024) { (json) throws(PushError) in
            try json.object { json in
                for part in parts where !part.fields.isEmpty { json.field(part.name, .object(part.fields)) }
            }
        }
        // A device gets the data of its platform in place of the common data.
        let datas = [data, android["data"].fields, second["data"].fields, webpush["data"].fields]
        let texts = [message.notification?.title, message.notification?.body].compactMap { $0?.utf8.count }
        return Encoded(
            fields: Array(object.dropFirst().dropLast()),
            payloadBytes: texts.reduce(0, +) + (datas.map(Self.size).max() ?? 0),
            isOfActivity: apns["live_activity_token"].isGiven)
    }

    private static func size(_ data: Fields) -> Int {
        data.reduce(0) { $0 + $1.key.utf8.count + ($1.value.stringValue?.utf8.count ?? 0) }
    }

    private func shown(_ notification: Notification?) -> Fields {
        var fields: Fields = [:]
        fields["title"] = notification?.title.map(JSONValue.string)
        fields["body"] = notification.map { .string($0.body) }
        fields["image"] = notification?.image.map(JSONValue.string)
        return fields
    }

    // MARK: Data

    /// The app's data on every platform.
    private func data(of message: Message) throws(PushError) -> Fields {
        var data = try Self.texts(message.notification?.extras ?? message.custom?.extras ?? [:], "the extras")
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
            data[key] = .string(text)
        }
        return data
    }

    /// Extras as data, which the vendor takes as texts only.
    static func texts(_ extras: Fields, _ owner: String) throws(PushError) -> Fields {
        for (key, value) in extras.sorted(by: { $0.key < $1.key }) {
            guard !isReserved(key) else {
                throw PushError(
                    .invalidArgument, "\(owner) have the key \(Redaction.quoted(key)), which FCM reserves; rename it")
            }
            guard value.stringValue != nil else {
                throw PushError(
                    .invalidArgument,
                    "\(owner) have a value under \(Redaction.quoted(key)) that is no text, and FCM takes texts only; "
                        + "write it as one")
            }
        }
        return extras
    }

    /// The keys of all three lists that the vendor's pages have.
    static func isReserved(_ key: String) -> Bool {
        ["from", "message_type", "collapse_key", "gcm"].contains(key) || key.hasPrefix("google")
            || key.hasPrefix("gcm")
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

extension FCMEncoder.Encoded {
    /// The body of a request to a target.
    func body(to target: FCMTarget, isDryRun: Bool) throws(PushError) -> [UInt8] {
        guard !(isOfActivity && target.isBroad) else {
            throw PushError(
                .invalidArgument, "the FCM option apns.live_activity_token needs a device as its audience, not tags")
        }
        let (name, value) = target.field
        return try JSONWriter.bytes(reserving: fields.count + 256) { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                try json.field("message") { (json) throws(PushError) in
                    try json.object { json in
                        json.field(name, value)
                        json.fields(encoded: fields)
                    }
                }
                if isDryRun { json.field("validate_only", true) }
            }
        }
    }
}
