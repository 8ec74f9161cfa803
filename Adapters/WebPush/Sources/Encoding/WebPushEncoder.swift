import PushAdapter
import PushCrypto

/// Writes messages as JSON: declarative messages, and the same form without `web_push` for a service worker.
///
/// ```json
/// {"web_push": 8030, "notification": {"title": "Ferry at 16:10", "navigate": "https://port.example/dep/7",
///   "body": "Gate moved to 3", "data": {"ferry": 7}}, "custom": {"content": "…", "extras": {}}}
/// ```
struct WebPushEncoder {
    typealias Fields = [String: JSONValue]

    /// The number that marks a declarative message.
    private static let mark: JSONValue = 8030

    /// A message that is ready to be encrypted: the same for every target, except for its padding.
    struct Push: Sendable {
        var text: [UInt8]
        /// The padded text has a multiple of this many bytes; 0 pads none.
        var block: Int
        /// Seconds.
        var life: Int
        /// Nil for the service's default, which is `normal` (RFC 8030, section 5.3).
        var urgency: String?
        var topic: String?

        /// The bytes up to the next multiple, or up to the longest text.
        func padding(upTo longest: Int) -> Int {
            guard block > 0, text.count < longest else { return 0 }
            return min((text.count + block - 1) / block * block, longest) - text.count
        }
    }

    let settings: WebPush

    func push(_ message: Message) throws(PushError) -> Push {
        let options = try WebPushOptions.fields(of: message)
        let text = JSONWriter.bytes(of: .object(try fields(of: message, options)))
        let life = message.timeToLive ?? settings.defaultLife
        return Push(
            text: text, block: settings.paddingBlock,
            life: Int(min(max(0, life.components.seconds), Int64(Int32.max))),
            urgency: options["urgency"]?.stringValue ?? message.deliveryPriority?.rawValue,
            topic: options["collapseID"]?.stringValue.map(Self.topic))
    }

    /// A digest, because the service reads it (RFC 8030, section 8.2). A topic may have 32 characters. Mozilla's addresses
    /// of messages hold it, encrypted, and with more than 26 are too long for a message id (autopush-rs, `message_id.rs`).
    private static func topic(_ id: String) -> String {
        Base64URL.encode(Array(Digests.sha256(Array(id.utf8)).prefix(18)))
    }

    // MARK: JSON

    private func fields(of message: Message, _ options: JSONValue) throws(PushError) -> Fields {
        var fields = WebPushOptions.places.fields(of: options, in: "")?.members ?? [:]
        if let custom = message.custom { fields["custom"] = .object(Self.fields(of: custom)) }
        guard let notification = message.notification else { return fields }
        let shown = try self.fields(of: notification, options)
        fields["notification"] = .object(shown)
        let isDeclarative = shown["title"] != nil && WebPushOptions.isAddress(shown["navigate"]?.stringValue)
        if settings.format == .declarative, isDeclarative { fields["web_push"] = Self.mark }
        return fields
    }

    private func fields(of notification: Notification, _ options: JSONValue) throws(PushError) -> Fields {
        var fields = WebPushOptions.places.fields(of: options, in: "notification")?.members ?? [:]
        fields["navigate"] = options["notification"]?["navigate"]
        let isAsked = fields["navigate"] != nil
        fields["title"] = try (notification.title?.text("title") ?? settings.defaultTitle).map(JSONValue.string)
        if isAsked, settings.format == .declarative, fields["title"]?.stringValue?.isEmpty ?? true {
            throw PushError(
                .invalidArgument,
                "a declarative notification needs a title; give it one, or set defaultTitle, or leave "
                    + "notification.navigate out")
        }
        fields["navigate"] = fields["navigate"] ?? settings.defaultNavigate.map(JSONValue.string)
        fields["body"] = try notification.body?.text("body").json
        fields["image"] = notification.image.map(JSONValue.string)
        if !notification.extras.isEmpty { fields["data"] = .object(notification.extras) }
        if fields["tag"] == nil, let id = options["collapseID"]?.stringValue { fields["tag"] = .string(id) }
        guard fields["title"] != nil || fields["body"] != nil else {
            throw PushError(
                .invalidArgument,
                "the notification has no text for browsers, which punish a push that shows nothing; give it a title or "
                    + "a body, or send a custom message")
        }
        return fields
    }

    private static func fields(of custom: CustomMessage) -> Fields {
        var fields: Fields = ["content": .string(custom.content)]
        if let title = custom.title { fields["title"] = .string(title) }
        if let type = custom.contentType { fields["contentType"] = .string(type) }
        if !custom.extras.isEmpty { fields["extras"] = .object(custom.extras) }
        return fields
    }
}

extension JSONValue {
    /// The members of an object; nil for any other value.
    fileprivate var members: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }
}

extension String {
    fileprivate var json: JSONValue { .string(self) }
}

extension Text {
    /// The text itself. Refuses one that the app should translate.
    fileprivate func text(_ name: String) throws(PushError) -> String {
        guard let plain else {
            throw MessageField(name).form("localized").refusal(by: WebPush.id, WebPushLimits.noTranslation)
        }
        return plain
    }
}
