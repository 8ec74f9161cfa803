package import PushAdapter

extension JSONValue? {
    /// The fields of an object; empty for any other value.
    package var fields: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }

    /// Whether there is a value, and it is not null.
    package var isGiven: Bool { if case .some(let value) = self { value != .null } else { false } }
}

extension [String: JSONValue] {
    /// The object; nil if it has no fields.
    package var objectOrNil: JSONValue? {
        if isEmpty { return nil }
        return .object(self)
    }

    /// The object as a JSON text, for the vendor's fields that take a text; nil if it has no fields.
    package var textOrNil: String? {
        objectOrNil.map { String(decoding: JSONWriter.bytes(of: $0), as: UTF8.self) }
    }
}

extension CustomMessage {
    /// The message as the one text that the vendor delivers to an app.
    ///
    /// The content alone is the text itself. With a title, a type or extras, the text is a JSON object: the extras, and
    /// beside them `content`, `title` and `content_type`, a convention between a backend and its app. Refuses extras
    /// with one of these names, with `invalidArgument`.
    package func dataText() throws(PushError) -> String {
        guard title != nil || contentType != nil || !extras.isEmpty else { return content }
        var fields = extras
        for (key, text) in [("content", content), ("title", title), ("content_type", contentType)] {
            guard let text else { continue }
            guard fields.updateValue(.string(text), forKey: key) == nil else {
                throw PushError(
                    .invalidArgument,
                    "the extras have the key \(key), where this adapter puts a part of the custom message; rename it")
            }
        }
        return fields.textOrNil ?? content
    }
}

extension Notification {
    /// Title and text on a platform, for a vendor that demands both. A title that is missing is the app's default.
    ///
    /// Refuses with `invalidArgument` a notification without a text, or without a title and a default.
    package func texts(
        on platform: Platform, defaultTitle: String?, at vendor: String
    ) throws(PushError) -> (title: Text, body: Text) {
        func given(_ text: Text?) -> Text? { text == .plain("") ? nil : text }
        guard let title = given(title(on: platform)) ?? defaultTitle.map(Text.plain) else {
            throw PushError(
                .invalidArgument, "\(vendor) demands a title; give the notification one, or set defaultTitle")
        }
        guard let body = given(body(on: platform)) else {
            throw PushError(.invalidArgument, "\(vendor) demands a text; give the notification a body")
        }
        return (title, body)
    }

    /// Refuses a picture over plain HTTP, with `invalidArgument`.
    package static func checkPicture(_ address: String?, at vendor: String) throws(PushError) {
        guard let address, !address.lowercased().hasPrefix("https://") else { return }
        throw PushError(.invalidArgument, "\(vendor) takes pictures over https only; change the address of the image")
    }
}

extension Message {
    /// Refuses a message for other platforms too, and one with several contents, with `unsupported`.
    package func checkShape(only platform: Platform, at vendor: String) throws(PushError) {
        try checkPlatforms(only: platform, at: vendor)
        guard [notification != nil, custom != nil, liveActivity != nil, voip != nil].count(where: { $0 }) <= 1 else {
            throw PushError(
                .unsupported, "a message of \(vendor) has one content; send two messages", operation: .send)
        }
    }
}
