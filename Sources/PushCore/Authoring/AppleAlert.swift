/// What several vendors take in Apple's own words.
extension IOSNotification {
    /// The localized texts under the keys of Apple's `alert`; empty without any.
    public var localizedAlert: [String: JSONValue] {
        var alert: [String: JSONValue] = [:]
        for (prefix, text) in [("title-", localizedTitle), ("subtitle-", localizedSubtitle), ("", localizedBody)] {
            guard let text else { continue }
            alert[prefix + "loc-key"] = .string(text.key)
            if !text.arguments.isEmpty { alert[prefix + "loc-args"] = .array(text.arguments.map(JSONValue.string)) }
        }
        return alert
    }
}

extension Notification {
    /// Apple's `alert` for the whole notification: the text if that is all, else an object.
    ///
    /// Refuses further keys that the message has too, with `invalidArgument`.
    /// - Parameter more: further keys of Apple's.
    public func appleAlert(adding more: [String: JSONValue] = [:]) throws(PushError) -> JSONValue {
        let text = JSONValue.string(ios?.body ?? body)
        var alert = ios?.localizedAlert ?? [:]
        alert["title"] = (ios?.title ?? title).map(JSONValue.string)
        alert["subtitle"] = ios?.subtitle.map(JSONValue.string)
        guard !(alert.isEmpty && more.isEmpty) else { return text }
        alert["body"] = text
        if let twice = more.keys.sorted().first(where: { alert[$0] != nil }) {
            throw PushError(
                .invalidArgument, "the options have \(twice), which the message has too; remove it from the options")
        }
        return .object(alert.merging(more) { own, _ in own })
    }
}
