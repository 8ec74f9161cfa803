import FoundationEssentials
import PushAdapter

/// Writes the body of a send.
struct FCMEncoder {
    typealias Fields = [String: JSONValue]

    /// The moment that lives and dates are counted from.
    let now: Date

    /// A message on the wire without its target: the same for every device of a list.
    struct Encoded: Sendable {
        /// The fields besides the target, encoded as in an object but without the braces.
        var fields: [UInt8]
        /// The bytes that the vendor counts on the platform that gets most: visible texts, and keys and values of the
        /// data.
        var payloadBytes: Int
        /// Bytes of the payload for Apple's devices.
        var appleBytes: Int
        /// Whether it changes a Live Activity. An activity is on one device.
        var isOfActivity: Bool
    }

    /// Keys of `data` that a custom message uses in addition to its extras. The vendor has no fields for them: they are
    /// a convention between a backend and its app.
    private enum Key {
        static let content = "content"
        static let title = "title"
        static let contentType = "content_type"
    }

    /// Encodes a message. The result fits any target.
    func encode(_ message: Message) throws(PushError) -> Encoded {
        if let activity = message.liveActivity { return try encode(activity, of: message) }
        try check(message)
        let options = try FCMOptions.fields(of: message)
        let layout = Layout(message.notification)
        let given = try data(of: message)
        let data = layout.splitsData ? [:] : given
        let shown = layout.common(message.notification)
        let android = try android(message, options, layout, given)
        let apns = try apns(message, options, layout, given)
        let webpush = try webpush(message, options, layout, given)
        let second = options["android_v2"].fields
        let parts: [(name: String, fields: Fields)] = [
            ("data", data), ("notification", shown), ("android", android), ("android_v2", second), ("apns", apns),
            ("webpush", webpush), ("fcm_options", options["fcm_options"].fields),
        ]
        let fields = try JSONWriter.bytes(reserving: 1024) { json in
            for part in parts where !part.fields.isEmpty { json.field(part.name, .object(part.fields)) }
        }
        // A device uses its platform's texts and data instead of the common ones.
        let platforms = [
            (android["notification"], android["data"]), (second["notification"], second["data"]),
            (webpush["notification"], webpush["data"]), (nil, nil),
        ].map { own, ownData in
            let texts = shown.merging(own.fields) { $1 }.filter { Self.texts.contains($0.key) }
            return Self.size(texts.values) + Self.size(ownData.isGiven ? ownData.fields : data)
        }
        return Encoded(
            fields: fields, payloadBytes: platforms.max() ?? 0,
            appleBytes: apns["payload"].map { JSONWriter.bytes(of: $0).count } ?? 0, isOfActivity: false)
    }

    /// The fields of a notification that the vendor counts, besides its data.
    private static let texts: Set<String> = [
        "title", "body", "title_loc_key", "title_loc_args", "body_loc_key", "body_loc_args",
    ]

    // MARK: Data

    /// Bytes of the keys and texts of the data.
    private static func size(_ data: Fields) -> Int {
        data.keys.reduce(size(data.values)) { $0 + $1.utf8.count }
    }

    /// Bytes of texts and of lists of texts.
    private static func size(_ values: some Collection<JSONValue>) -> Int {
        values.reduce(0) { sum, value in
            sum + (value.stringValue?.utf8.count ?? value.arrayValue.map { size($0) } ?? 0)
        }
    }

    /// The app's data, for every platform.
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

    /// Extras as data. The vendor takes only texts.
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

    /// Whether one of the vendor's three lists reserves the key.
    static func isReserved(_ key: String) -> Bool {
        ["from", "message_type", "collapse_key", "gcm"].contains(key) || key.hasPrefix("google")
            || key.hasPrefix("gcm")
    }

    // MARK: Checks

    private func check(_ message: Message) throws(PushError) {
        guard message.voip == nil else {
            throw PushError(.unsupported, "FCM cannot send VoIP pushes", operation: .send)
        }
        guard message.notification == nil || message.custom == nil else {
            throw PushError(
                .unsupported,
                "an FCM message has a notification or a custom message, not both: a phone in the background shows the "
                    + "one and keeps the other from the app; send two messages", operation: .send)
        }
    }
}

extension FCMEncoder.Encoded {
    /// The body of a request to a target.
    func body(to target: FCMTarget, isDryRun: Bool) throws(PushError) -> [UInt8] {
        guard !(isOfActivity && target.isBroad) else {
            throw PushError(
                .invalidArgument, "a Live Activity is on one device, and the audience is tags; send it to the device")
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
