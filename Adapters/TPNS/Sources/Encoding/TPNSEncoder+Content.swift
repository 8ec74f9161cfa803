import PushAdapter

// The message of a push.
extension TPNSEncoder {
    /// The `message_type` and the `message` of a push.
    func content(
        _ message: Message, _ options: TPNSOptions?
    ) throws(PushError) -> (type: String, bytes: [UInt8]) {
        switch (message.notification, message.custom) {
        case (let notification?, nil):
            let bytes = try JSONWriter.bytes { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in try write(notification, of: message, options, &json) }
            }
            return ("notify", bytes)
        case (nil, let custom?):
            let bytes = try JSONWriter.bytes { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in try write(custom, &json) }
            }
            return ("message", bytes)
        case (_?, _?):
            throw PushError(
                .unsupported, "a TPNS push has a notification or a custom message, not both; send two messages",
                operation: .send)
        case (nil, nil):
            throw PushError(.unsupported, "TPNS carries notifications and custom messages only", operation: .send)
        }
    }

    private func write(
        _ notification: Notification, of message: Message, _ options: TPNSOptions?, _ json: inout JSONWriter
    ) throws(PushError) {
        let isIOS = tpns.platform == .ios
        let title = try notification.plainTitle(on: tpns.platform, at: TPNS.id)
        guard let title = title ?? tpns.appName, !title.isEmpty else {
            throw PushError(
                .invalidArgument,
                "TPNS requires a title; give the notification one, or set appName, which replaces a missing one")
        }
        json.field("content", try notification.plainBody(on: tpns.platform, at: TPNS.id))
        json.field("title", title)
        if let image = (isIOS ? notification.ios?.image : notification.android?.image) ?? notification.image {
            guard options?.mediaResources == nil else {
                throw PushError(
                    .invalidArgument, "the notification has an image and the option xg_media_resources; remove one")
            }
            json.field("xg_media_resources", image)
        }
        json.fields(of: self.options(of: message, in: "message"))
        if isIOS {
            guard options?.threadID == nil else {
                throw PushError(
                    .invalidArgument, "the option thread_id is for Android; set threadID of the iOS notification")
            }
            if let thread = notification.ios?.threadID { json.field("thread_id", thread) }
            try json.field("ios") { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in
                    try write(aps: notification.ios, self.options(of: message, in: "message.ios.aps"), &json)
                    try writeExtras(notification.ios?.extras ?? notification.extras, &json)
                }
            }
        } else {
            try json.field("android") { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in
                    try write(android: notification.android, self.options(of: message, in: "message.android"), &json)
                    try writeExtras(notification.android?.extras ?? notification.extras, &json)
                }
            }
        }
    }

    private func write(
        aps own: IOSNotification?, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) {
        try json.field("aps") { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                // Title and text are outside `ios`. A phone shows them instead of an alert's.
                if let subtitle = try own?.subtitle?.plain(.ios("subtitle"), at: TPNS.id) {
                    json.field("alert", ["subtitle": .string(subtitle)])
                }
                if let badge = own?.badge { json.field("badge_type", try number(of: badge)) }
                if let category = own?.category { json.field("category", category) }
                if let level = own?.interruptionLevel { json.field("interruption-level", level.rawValue) }
                json.fields(of: more)
                if own?.isMutable == true, more?["mutable-content"] == nil { json.field("mutable-content", 1) }
                if let sound = own?.sound { json.field("sound", sound) }
            }
        }
    }

    /// -2 adds one to the vendor's number, -1 leaves it, and any other value is the number.
    private func number(of badge: Badge) throws(PushError) -> Int {
        switch badge {
        case .set(let number) where number >= 0: return number
        case .change(by: 0): return -1
        case .change(by: 1): return -2
        case .set(let number): throw PushError(.invalidArgument, "a badge cannot be \(number); give 0 or more")
        case .change(let number):
            throw PushError(
                .unsupported, "TPNS adds 1 to a badge or leaves it; it cannot change it by \(number)", operation: .send)
        }
    }

    private func write(
        android own: AndroidNotification?, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) {
        var fields: [String: JSONValue] = [:]
        switch own?.tap {
        case nil: break
        case .activity(let name): fields["action"] = ["action_type": 1, "activity": .string(name)]
        case .link(let url): fields["action"] = ["action_type": 2, "browser": ["url": .string(url)]]
        case .intentURI(let uri): fields["action"] = ["action_type": 3, "intent": .string(uri)]
        case .intentAction: throw MessageField.android("tap.intentAction").refusal(by: TPNS.id)
        }
        if let badge = own?.badge {
            let number = try number(of: badge)
            guard number <= 99 else {
                throw PushError(.invalidArgument, "TPNS sets an Android badge to 99 at most, not to \(number)")
            }
            fields["badge_type"] = JSONValue(integerLiteral: number)
        }
        if let channel = own?.channelID { fields["n_ch_id"] = .string(channel) }
        if let sound = own?.sound { fields["ring_raw"] = .string(sound) }
        if case .object(let more)? = more {
            for (name, value) in more {
                guard fields[name] == nil, name != "custom_content" else {
                    throw PushError(
                        .invalidArgument,
                        "the adapter writes \(name) from the message; remove it from the Android options")
                }
                fields[name] = value
            }
        }
        json.fields(of: .object(fields))
    }

    /// Writes a custom message: a pass-through message on Android, a silent push on iOS. The whole payload of a silent
    /// push is one object.
    private func write(_ custom: CustomMessage, _ json: inout JSONWriter) throws(PushError) {
        guard tpns.platform == .ios else {
            try json.field("android") { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in try writeExtras(custom.extras, &json) }
            }
            json.field("content", custom.content)
            if let title = custom.title { json.field("title", title) }
            return
        }
        var payload = custom.extras
        let keys = tpns.silentKeys
        for (key, text) in [
            (keys.content, custom.content), (keys.title, custom.title), (keys.contentType, custom.contentType),
        ] {
            guard let text else { continue }
            guard payload[key] == nil else {
                throw PushError(
                    .invalidArgument,
                    "the extras have the key \(Redaction.quoted(key)), which silentKeys also uses; rename one")
            }
            payload[key] = .string(text)
        }
        let extras = payload
        try json.field("ios") { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                try json.field("aps") { (json) throws(PushError) in
                    try json.object { json in json.field("content-available", 1) }
                }
                try writeExtras(extras, &json)
            }
        }
    }

    /// Writes the app's data as JSON in a text.
    private func writeExtras(_ extras: [String: JSONValue], _ json: inout JSONWriter) throws(PushError) {
        guard !extras.isEmpty else { return }
        guard tpns.platform == .android || extras["xg"] == nil else {
            throw PushError(
                .invalidArgument, "the extras have the key xg, which the vendor reserves on iOS; rename it")
        }
        json.field("custom_content", String(decoding: JSONWriter.bytes(of: .object(extras)), as: UTF8.self))
    }
}
