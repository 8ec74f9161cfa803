import PushAdapter

/// The notification's object for each platform.
extension JPushEncoder {
    /// Writes the Android object. Returns its size in bytes, or nil if the platform needs no object.
    func writeAndroid(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) -> Int? {
        let own = notification.android
        let extras = own?.extras ?? notification.extras
        let body = try notification.plainBody(on: .android, at: JPush.id)
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return nil }
        let title = try notification.plainTitle(on: .android, at: JPush.id)
        return try object("android", &json) { (json) throws(PushError) in
            json.field("alert", body)
            if let title { json.field("title", title) }
            try check(own?.channelID?.utf8.count ?? 0, .jpushChannelID, "the Android channel id")
            if let channel = own?.channelID { json.field("channel_id", channel) }
            if let priority = own?.priority { json.field("priority", priority) }
            if let category = own?.category { json.field("category", category) }
            if let sound = own?.sound { json.field("sound", sound) }
            switch own?.tap {
            case nil: break
            case .intentURI(let uri): json.field("intent", ["url": .string(uri)])
            case .activity(let name): json.field("uri_activity", name)
            case .intentAction(let name): json.field("uri_action", name)
            case let other?: throw MessageField.android("tap").form(other.name).refusal(by: JPush.id)
            }
            try writeBadge(own?.badge, "the Android badge", &json)
            if let image = own?.image {
                guard more?["style"] == nil, more?["big_pic_path"] == nil else {
                    throw PushError(
                        .invalidArgument,
                        "the Android notification has an image and the option android.style or big_pic_path; remove one"
                    )
                }
                json.field("style", 3)
                json.field("big_pic_path", image)
            }
            json.fields(of: more)
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }

    /// Writes the iOS object. Returns its size in bytes, or nil if the platform needs no object.
    func writeIOS(
        _ notification: Notification, _ more: JPushIOS?, _ json: inout JSONWriter
    ) throws(PushError) -> Int? {
        let own = notification.ios
        let extras = own?.extras ?? notification.extras
        guard let alert = try notification.appleAlert(adding: more?.alert ?? [:]) else {
            _ = try notification.plainBody(on: .ios, at: JPush.id)
            return nil
        }
        guard own != nil || more != nil || notification.title != nil || notification.body == nil || !extras.isEmpty
        else {
            return nil
        }
        return try object("ios", &json) { (json) throws(PushError) in
            json.field("alert", alert)
            if let sound = more?.sound {
                json.field("sound", sound.json)
            } else if let sound = own?.sound {
                json.field("sound", sound)
            }
            try writeBadge(own?.badge, &json)
            if own?.isContentAvailable == true { json.field("content-available", true) }
            if own?.isMutable == true { json.field("mutable-content", true) }
            if let category = own?.category { json.field("category", category) }
            if let thread = own?.threadID { json.field("thread-id", thread) }
            if let level = own?.interruptionLevel { json.field("interruption-level", level.rawValue) }
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }

    private func writeBadge(_ badge: Badge?, _ json: inout JSONWriter) throws(PushError) {
        let number =
            switch badge {
            case nil: 0
            case .set(let number), .change(let number): number
            }
        if let bound = limits[.jpushBadge], bound.overflow == .reject, number.magnitude > max(0, bound.maximum) {
            throw PushError(
                .invalidArgument,
                "the badge is set to or changed by \(number); JPush takes at most \(bound.maximum) (\(bound.source))")
        }
        switch badge {
        case nil: return
        case .set(let number) where number < 0:
            throw PushError(.invalidArgument, "the badge is \(number); give 0 or more")
        case .set(let number): json.field("badge", number)
        case .change(let change): json.field("badge", change < 0 ? "\(change)" : "+\(change)")
        }
    }

    /// The badge for a phone maker: adds to a number or sets it.
    private func writeBadge(_ badge: Badge?, _ name: String, _ json: inout JSONWriter) throws(PushError) {
        switch badge {
        case nil: return
        case .set(let number):
            try checkRange(number, 0...99, name)
            json.field("badge_set_num", number)
        case .change(let number):
            try checkRange(number, 1...99, name)
            json.field("badge_add_num", number)
        }
    }

    func writeHarmony(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) {
        let own = notification.harmony
        let extras = own?.extras ?? notification.extras
        let body = try notification.plainBody(on: .harmony, at: JPush.id)
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return }
        let title = try notification.plainTitle(on: .harmony, at: JPush.id)
        guard !body.isEmpty else {
            throw PushError(
                .invalidArgument, "HarmonyOS needs a text in the notification; add one, or list only other platforms")
        }
        _ = try object("hmos", &json) { (json) throws(PushError) in
            json.field("alert", body)
            if let title { json.field("title", title) }
            if let category = own?.category { json.field("category", category) }
            switch own?.tap {
            case nil: break
            // The same field takes a deep link or the name of an action.
            case .intentURI(let text), .intentAction(let text): json.field("intent", ["url": .string(text)])
            case let other?: throw MessageField.harmony("tap").form(other.name).refusal(by: JPush.id)
            }
            if let sound = own?.sound { json.field("sound", sound) }
            try writeBadge(own?.badge, "the HarmonyOS badge", &json)
            json.fields(of: more)
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }
}
