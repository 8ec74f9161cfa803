import PushAdapter

/// The notification's object for each platform.
extension EngageLabEncoder {
    func write(
        _ notification: Notification, of message: Message, _ options: EngageLabOptions?, _ raw: JSONValue?,
        _ json: inout JSONWriter
    ) throws(PushError) {
        func isWanted(_ platform: Platform) -> Bool { message.platforms?.contains(platform) ?? true }
        if let body = notification.body { json.field("alert", try body.plain(.body, at: EngageLab.id)) }
        if isWanted(.android) { try writeAndroid(notification, raw?["android"], &json) }
        if isWanted(.harmony) { try writeHarmony(notification, raw?["hmos"], &json) }
        if isWanted(.ios) { try writeIOS(notification, options?.ios, &json) }
    }

    private func writeAndroid(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) {
        let own = notification.android
        let extras = own?.extras ?? notification.extras
        let body = try notification.plainBody(on: .android, at: EngageLab.id)
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return }
        let title = try notification.plainTitle(on: .android, at: EngageLab.id)
        guard own?.image == nil || more?["style"] == nil else {
            throw PushError(
                .invalidArgument, "EngageLab shows a picture or the option android.style, not both; remove one")
        }
        _ = try object("android", &json) { (json) throws(PushError) in
            json.field("alert", body)
            if let title { json.field("title", title) }
            if let channel = own?.channelID { json.field("channel_id", channel) }
            if let priority = own?.priority { json.field("priority", priority) }
            if let category = own?.category { json.field("category", category) }
            if let sound = own?.sound { json.field("sound", sound) }
            switch own?.tap {
            case nil: break
            case .intentURI(let uri): json.field("intent", ["url": .string(uri)])
            case let other?: throw MessageField.android("tap").form(other.name).refusal(by: EngageLab.id)
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

    private func writeHarmony(
        _ notification: Notification, _ more: JSONValue?, _ json: inout JSONWriter
    ) throws(PushError) {
        let own = notification.harmony
        let extras = own?.extras ?? notification.extras
        let body = try notification.plainBody(on: .harmony, at: EngageLab.id)
        guard own != nil || more != nil || notification.title != nil || !extras.isEmpty else { return }
        let title = try notification.plainTitle(on: .harmony, at: EngageLab.id)
        _ = try object("hmos", &json) { (json) throws(PushError) in
            json.field("alert", body)
            if let title { json.field("title", title) }
            if let category = own?.category { json.field("category", category) }
            switch own?.tap {
            case nil: break
            // The same field takes a deep link or the name of an action.
            case .intentURI(let text), .intentAction(let text): json.field("intent", ["url": .string(text)])
            case let other?: throw MessageField.harmony("tap").form(other.name).refusal(by: EngageLab.id)
            }
            try writeBadge(own?.badge, "the HarmonyOS badge", &json)
            json.fields(of: more)
            if !extras.isEmpty { json.field("extras", .object(extras)) }
        }
    }

    private func writeIOS(
        _ notification: Notification, _ more: EngageLabIOS?, _ json: inout JSONWriter
    ) throws(PushError) {
        let own = notification.ios
        let extras = own?.extras ?? notification.extras
        guard let alert = try notification.appleAlert(adding: more?.alert ?? [:]) else {
            _ = try notification.plainBody(on: .ios, at: EngageLab.id)
            return
        }
        guard own != nil || more != nil || notification.title != nil || notification.body == nil || !extras.isEmpty
        else {
            return
        }
        _ = try object("ios", &json) { (json) throws(PushError) in
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

    /// The badge for a phone maker: adds to a number or sets it.
    private func writeBadge(_ badge: Badge?, _ name: String, _ json: inout JSONWriter) throws(PushError) {
        switch badge {
        case nil: return
        case .set(let number):
            try EngageLabOptions.check(number, 0...99, name)
            json.field("badge_set_num", number)
        case .change(let number):
            try EngageLabOptions.check(number, 1...99, name)
            json.field("badge_add_num", number)
        }
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
