package import PushAdapter

/// The notification's object for each platform. Each function returns the object's size in bytes, or nil if the platform
/// needs no object.
extension Dialect {
    package func writeAndroid(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) -> Int? {
        let own = notification.android
        let extras = own?.extras ?? notification.extras
        let body = try notification.plainBody(on: .android, at: provider)
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return nil }
        let title = try notification.plainTitle(on: .android, at: provider)
        return try json.object("android") { (json) throws(PushError) in
            json.field("alert", body)
            if let title { json.field("title", title) }
            if let channel = own?.channelID { json.field("channel_id", channel) }
            if let priority = own?.priority { json.field("priority", priority) }
            if let category = own?.category { json.field("category", category) }
            if let sound = own?.sound { json.field("sound", sound) }
            try check(own?.tap, MessageField.android("tap"))
            switch own?.tap {
            case .intentURI(let uri): json.field("intent", ["url": .string(uri)])
            case .activity(let name): json.field("uri_activity", name)
            case .intentAction(let name): json.field("uri_action", name)
            default: break
            }
            try writeBadge(own?.badge, "the Android badge", &json)
            if let image = own?.image {
                json.field("style", 3)
                json.field("big_pic_path", image)
            }
            json.fields(of: more)
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }

    package func writeHarmony(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) -> Int? {
        let own = notification.harmony
        let extras = own?.extras ?? notification.extras
        let body = try notification.plainBody(on: .harmony, at: provider)
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return nil }
        let title = try notification.plainTitle(on: .harmony, at: provider)
        return try json.object("hmos") { (json) throws(PushError) in
            json.field("alert", body)
            if let title { json.field("title", title) }
            if let category = own?.category { json.field("category", category) }
            try check(own?.tap, MessageField.harmony("tap"))
            switch own?.tap {
            // The same field takes a deep link or the name of an action.
            case .intentURI(let text), .intentAction(let text): json.field("intent", ["url": .string(text)])
            default: break
            }
            if let sound = own?.sound, fields.contains(.harmony("sound")) { json.field("sound", sound) }
            try writeBadge(own?.badge, "the HarmonyOS badge", &json)
            json.fields(of: more)
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }

    package func writeIOS(
        _ notification: Notification, _ more: (sound: APSOptions.CriticalSound?, alert: [String: JSONValue]?)?,
        badge: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) -> Int? {
        let own = notification.ios
        let extras = own?.extras ?? notification.extras
        guard let alert = try notification.appleAlert(adding: more?.alert ?? [:]) else {
            _ = try notification.plainBody(on: .ios, at: provider)
            return nil
        }
        guard own != nil || more != nil || notification.title != nil || notification.body == nil || !extras.isEmpty
        else { return nil }
        return try json.object("ios") { json in
            json.field("alert", alert)
            if let sound = more?.sound?.json ?? own?.sound.map(JSONValue.string) { json.field("sound", sound) }
            if let badge { json.field("badge", badge) }
            if own?.isContentAvailable == true { json.field("content-available", true) }
            if own?.isMutable == true { json.field("mutable-content", true) }
            if let category = own?.category { json.field("category", category) }
            if let thread = own?.threadID { json.field("thread-id", thread) }
            if let level = own?.interruptionLevel { json.field("interruption-level", level.rawValue) }
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }

    private func check(_ tap: TapAction?, _ field: MessageField) throws(PushError) {
        guard let tap, !fields.contains(field.form(tap.name)) else { return }
        throw field.form(tap.name).refusal(by: provider)
    }

    /// The badge for a phone maker: adds to a number or sets it.
    private func writeBadge(_ badge: Badge?, _ name: String, _ json: inout JSONWriter) throws(PushError) {
        let (number, lowest, field) =
            switch badge {
            case nil: (0, 0, nil as String?)
            case .set(let number): (number, 0, "badge_set_num")
            case .change(let number): (number, 1, "badge_add_num")
            }
        guard let field else { return }
        guard (lowest...99).contains(number) else {
            throw PushError(.invalidArgument, outOfRange(name, number, lowest...99))
        }
        json.field(field, number)
    }
}
