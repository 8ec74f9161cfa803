import FoundationEssentials
import PushAdapter

extension APNsEncoder {
    /// Keys that a custom message puts beside `aps`, in addition to its extras. The vendor has no fields for them: they
    /// are a convention between a backend and its app.
    private enum Key {
        static let content = "content"
        static let title = "title"
        static let contentType = "content_type"
    }

    /// The payload of a push of this type.
    func payload(_ type: APNsPushType, _ options: APNsOptions) throws(PushError) -> Fields {
        var aps = options.aps?.fields ?? [:]
        if let notification = message.notification { return try payload(of: notification, &aps) }
        if let activity = message.liveActivity {
            let update = try LiveActivityUpdate(activity, at: now)
            try aps.add(update.fields(at: now), "the Live Activity")
            return ["aps": .object(aps)]
        }
        if let call = message.voip {
            guard case .object(var payload) = call else {
                throw PushError(.invalidArgument, "voip must be a JSON object; its keys are the payload")
            }
            if !aps.isEmpty { try payload.add(["aps": .object(aps)], "the VoIP payload") }
            return payload
        }
        let custom = message.custom ?? CustomMessage(content: "")
        return try payload(of: custom, type, options, aps)
    }

    // MARK: Custom messages

    private func payload(
        of custom: CustomMessage, _ type: APNsPushType, _ options: APNsOptions, _ own: Fields
    ) throws(PushError) -> Fields {
        guard type != .mdm else {
            guard custom.title == nil, custom.contentType == nil, custom.extras.isEmpty, own.isEmpty,
                !custom.content.isEmpty
            else {
                throw PushError(
                    .invalidArgument,
                    "a push of the type mdm is the device's PushMagic and nothing else; give it as the content")
            }
            return ["mdm": .string(custom.content)]
        }
        var aps = own
        switch type {
        case .background: try aps.add(["content-available": 1], "the background push")
        case .widgets, .controls: try aps.add(["content-changed": true], "the push for \(type.rawValue)")
        case .pushToTalk: aps["ptt-push-type"] = options.pushToTalkType.map(JSONValue.string)
        default: break
        }
        var payload = try beside(custom.extras, "the extras")
        for (key, text) in [
            (Key.content, custom.content.isEmpty ? nil : custom.content), (Key.title, custom.title),
            (Key.contentType, custom.contentType),
        ] {
            guard let text else { continue }
            guard payload[key] == nil else {
                throw PushError(
                    .invalidArgument,
                    "the extras have the key \(Redaction.quoted(key)), where this adapter puts a part of the custom "
                        + "message; rename it")
            }
            payload[key] = .string(text)
        }
        payload["aps"] = .object(aps)
        return payload
    }

    // MARK: Notifications

    private func payload(of notification: Notification, _ aps: inout Fields) throws(PushError) -> Fields {
        let own = notification.ios
        let more = aps.removeValue(forKey: "alert")
        var written: Fields = [:]
        written["alert"] = try notification.appleAlert(adding: more?.fieldsOrEmpty ?? [:])
        switch own?.badge {
        case nil: break
        case .set(let number): written["badge"] = JSONValue(integerLiteral: number)
        case .change:
            throw PushError(
                .unsupported, "APNs sets a badge to a number; it keeps none to add to", operation: .send)
        }
        written["sound"] = own?.sound.map(JSONValue.string)
        written["category"] = own?.category.map(JSONValue.string)
        written["thread-id"] = own?.threadID.map(JSONValue.string)
        written["interruption-level"] = own?.interruptionLevel.map { .string($0.rawValue) }
        if own?.isMutable == true { written["mutable-content"] = 1 }
        if own?.isContentAvailable == true { written["content-available"] = 1 }
        try aps.add(written, "the message")
        var payload = try beside(
            own?.extras ?? notification.extras, own?.extras == nil ? "the extras" : "the iOS extras")
        payload["aps"] = .object(aps)
        return payload
    }

    /// The app's data beside `aps`.
    private func beside(_ extras: Fields, _ owner: String) throws(PushError) -> Fields {
        guard extras["aps"] == nil else {
            throw PushError(.invalidArgument, "\(owner) have the key aps, which is Apple's; rename it")
        }
        return extras
    }
}

extension JSONValue {
    /// The fields of an object; empty for any other value.
    fileprivate var fieldsOrEmpty: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }
}

extension [String: JSONValue] {
    /// Adds the adapter's own fields. Refuses a key that the options also set.
    fileprivate mutating func add(_ fields: [String: JSONValue], _ owner: String) throws(PushError) {
        if let twice = fields.keys.sorted().first(where: { self[$0] != nil }) {
            throw PushError(
                .invalidArgument,
                "the APNs options have aps.\(twice), which \(owner) has too; remove it from the options")
        }
        merge(fields) { own, _ in own }
    }
}
