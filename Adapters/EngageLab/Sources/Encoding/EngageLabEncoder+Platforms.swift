import PushCore

/// The notification's object for each platform.
extension EngageLabEncoder {
    func write(
        _ notification: Notification, of message: Message, _ options: EngageLabOptions?, _ raw: JSONValue?,
        _ json: inout JSONWriter
    ) throws(PushError) {
        func isWanted(_ platform: Platform) -> Bool { message.platforms?.contains(platform) ?? true }
        let extras = notification.extras.isEmpty ? nil : JSONWriter.bytes(of: .object(notification.extras))
        json.field("alert", notification.body)
        if isWanted(.android) { try writeAndroid(notification, raw?["android"], extras, &json) }
        if isWanted(.harmony) { try writeHarmony(notification, raw?["hmos"], extras, &json) }
        if isWanted(.ios) { try writeIOS(notification, options?.ios, extras, &json) }
    }

    private func writeAndroid(
        _ notification: Notification, _ more: JSONValue?, _ extras: [UInt8]?, _ json: inout JSONWriter
    ) throws(PushError) {
        let own = notification.android
        guard own != nil || more != nil || notification.title != nil || extras != nil else { return }
        _ = try object("android", &json) { json in
            json.field("alert", own?.body ?? notification.body)
            if let title = own?.title ?? notification.title { json.field("title", title) }
            if let channel = own?.channelID { json.field("channel_id", channel) }
            if let priority = own?.priority { json.field("priority", priority) }
            if let category = own?.category { json.field("category", category) }
            if let sound = own?.sound { json.field("sound", sound) }
            if let url = own?.intentURL { json.field("intent", ["url": .string(url)]) }
            if let increment = own?.badgeIncrement { json.field("badge_add_num", increment) }
            json.fields(of: more)
            if let extras { json.field("extras", encoded: extras) }
        }
    }

    private func writeHarmony(
        _ notification: Notification, _ more: JSONValue?, _ extras: [UInt8]?, _ json: inout JSONWriter
    ) throws(PushError) {
        guard more != nil || notification.title != nil || extras != nil else { return }
        _ = try object("hmos", &json) { json in
            json.field("alert", notification.body)
            if let title = notification.title { json.field("title", title) }
            json.fields(of: more)
            if let extras { json.field("extras", encoded: extras) }
        }
    }

    private func writeIOS(
        _ notification: Notification, _ more: EngageLabIOS?, _ extras: [UInt8]?, _ json: inout JSONWriter
    ) throws(PushError) {
        let own = notification.ios
        guard own != nil || more != nil || notification.title != nil || extras != nil else { return }
        _ = try object("ios", &json) { (json) throws(PushError) in
            writeAlert(notification, more?.alert, &json)
            if let sound = more?.sound {
                json.field("sound", .object(sound))
            } else if let sound = own?.sound {
                json.field("sound", sound)
            }
            try writeBadge(own?.badge, &json)
            if own?.isContentAvailable == true { json.field("content-available", true) }
            if own?.isMutable == true { json.field("mutable-content", true) }
            if let category = own?.category { json.field("category", category) }
            if let thread = own?.threadID { json.field("thread-id", thread) }
            if let level = own?.interruptionLevel { json.field("interruption-level", level.rawValue) }
            if let extras { json.field("extras", encoded: extras) }
        }
    }

    /// A text, or Apple's object if there is more to write.
    private func writeAlert(
        _ notification: Notification, _ more: [String: JSONValue]?, _ json: inout JSONWriter
    ) {
        let own = notification.ios
        let body = own?.body ?? notification.body
        var alert = more ?? [:]
        alert["title"] = (own?.title ?? notification.title).map(JSONValue.string)
        alert["subtitle"] = own?.subtitle.map(JSONValue.string)
        guard !alert.isEmpty else { return json.field("alert", body) }
        alert["body"] = .string(body)
        json.field("alert", .object(alert))
    }

    private func writeBadge(_ badge: Badge?, _ json: inout JSONWriter) throws(PushError) {
        switch badge {
        case nil: return
        case .set(let number):
            guard number >= 0 else { throw PushError(.invalidArgument, "the badge is \(number); give 0 or more") }
            json.field("badge", number)
        case .change(let change):
            guard change >= 0 else {
                throw PushError(
                    .unsupported, "EngageLab documents only adding to a badge, not \(change)", operation: .send)
            }
            json.field("badge", "+\(change)")
        }
    }
}
