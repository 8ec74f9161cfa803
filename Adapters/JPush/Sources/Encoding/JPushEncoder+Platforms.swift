import PushCore

/// The notification's object for each platform.
extension JPushEncoder {
    /// Writes the Android object; returns its size in bytes, or nil if the platform needs no object.
    func writeAndroid(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) -> Int? {
        let own = notification.android
        let extras = own?.extras ?? notification.extras
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return nil }
        try checkRange(own?.priority, -2...2, "the Android priority")
        try checkRange(own?.badgeIncrement, 1...99, "the Android badge increment")
        return try object("android", &json) { (json) throws(PushError) in
            json.field("alert", own?.body ?? notification.body)
            if let title = own?.title ?? notification.title { json.field("title", title) }
            try check(own?.channelID?.utf8.count ?? 0, .jpushChannelID, "the Android channel id")
            if let channel = own?.channelID { json.field("channel_id", channel) }
            if let priority = own?.priority { json.field("priority", priority) }
            if let category = own?.category { json.field("category", category) }
            if let sound = own?.sound { json.field("sound", sound) }
            if let url = own?.intentURL { json.field("intent", ["url": .string(url)]) }
            if let increment = own?.badgeIncrement { json.field("badge_add_num", increment) }
            if let image = own?.image {
                guard more?["style"] == nil else {
                    throw PushError(
                        .invalidArgument, "JPush shows a picture or the option android.style, not both; remove one")
                }
                json.field("style", 3)
                json.field("big_pic_path", image)
            }
            json.fields(of: more)
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }

    /// Writes the iOS object; returns its size in bytes, or nil if the platform needs no object.
    func writeIOS(
        _ notification: Notification, _ more: JPushIOS?, _ json: inout JSONWriter
    ) throws(PushError) -> Int? {
        let own = notification.ios
        let extras = own?.extras ?? notification.extras
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return nil }
        return try object("ios", &json) { (json) throws(PushError) in
            json.field("alert", try notification.appleAlert(adding: more?.alert ?? [:]))
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

    func writeHarmony(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) {
        let own = notification.harmony
        let extras = own?.extras ?? notification.extras
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return }
        let body = own?.body ?? notification.body
        try checkRange(own?.badgeIncrement, 1...99, "the HarmonyOS badge increment")
        guard !body.isEmpty else {
            throw PushError(
                .invalidArgument, "HarmonyOS needs a text in the notification; add one, or list only other platforms")
        }
        _ = try object("hmos", &json) { (json) throws(PushError) in
            json.field("alert", body)
            if let title = own?.title ?? notification.title { json.field("title", title) }
            if let category = own?.category { json.field("category", category) }
            if let url = own?.intentURL { json.field("intent", ["url": .string(url)]) }
            if let sound = own?.sound { json.field("sound", sound) }
            if let increment = own?.badgeIncrement { json.field("badge_add_num", increment) }
            json.fields(of: more)
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }
}
