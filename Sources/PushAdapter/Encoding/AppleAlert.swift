/// Apple's notification fields, for vendors that take them under Apple's own names.
extension Notification {
    /// The value of Apple's `alert`: a string for a body alone, otherwise an object; nil if the notification has no
    /// text. Each text is written once, plain or as a key, because a phone that gets both shows the plain one.
    ///
    /// Refuses keys in `more` that belong to the message's texts, with `invalidArgument`.
    /// - Parameter more: other Apple keys, such as `launch-image`.
    public func appleAlert(adding more: [String: JSONValue] = [:]) throws(PushError) -> JSONValue? {
        var alert = more
        for (name, prefix, text) in [
            ("title", "title-", title(on: .ios)), ("subtitle", "subtitle-", ios?.subtitle),
            ("body", "", body(on: .ios)),
        ] {
            if let own = [name, prefix + "loc-key", prefix + "loc-args"].first(where: { more[$0] != nil }) {
                throw PushError(
                    .invalidArgument, "the options have \(own), which is a text of the message; set the \(name) there")
            }
            switch text {
            case nil: continue
            case .plain(let text): alert[name] = .string(text)
            case .localized(let key, let arguments):
                alert[prefix + "loc-key"] = .string(key)
                if !arguments.isEmpty { alert[prefix + "loc-args"] = .array(arguments.map(JSONValue.string)) }
            }
        }
        if alert.count == 1, let body = alert["body"] { return body }
        return alert.isEmpty ? nil : .object(alert)
    }
}

extension Text {
    /// The plain text, for a vendor that cannot translate this field; refuses a localized text with `unsupported`.
    public func plain(_ field: MessageField, at vendor: ProviderID) throws(PushError) -> String {
        guard let plain else { throw field.form("localized").refusal(by: vendor, "send each language to its devices") }
        return plain
    }
}

extension Notification {
    /// The body on a platform, for a vendor that requires one and cannot translate it.
    ///
    /// Refuses a notification without a body with `invalidArgument`, and a localized one with `unsupported`.
    public func plainBody(on platform: Platform, at vendor: ProviderID) throws(PushError) -> String {
        guard let body = body(on: platform) else {
            throw PushError(
                .invalidArgument,
                "\(vendor) needs a text for \(platform), and the notification has no body; give it one, or leave the platform "
                    + "out of the message's platforms", operation: .send)
        }
        return try body.plain(MessageField("\(platform).body"), at: vendor)
    }

    /// The title on a platform, for a vendor that cannot translate it; nil if there is none.
    public func plainTitle(on platform: Platform, at vendor: ProviderID) throws(PushError) -> String? {
        try title(on: platform)?.plain(MessageField("\(platform).title"), at: vendor)
    }
}
