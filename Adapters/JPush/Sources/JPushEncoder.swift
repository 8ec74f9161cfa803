import PushCore

/// Writes push objects.
struct JPushEncoder {
    private let limits: Limits

    init(_ limits: Limits) { self.limits = limits }

    func push(_ message: Message, _ audience: Audience, key: String?) throws(PushError) -> [UInt8] {
        let options = try message.options(JPushOptions.self)
        try options?.check(message)
        try check(message.platforms)
        guard message.liveActivity == nil, message.voip == nil else {
            throw PushError(.unsupported, "this version of the adapter sends no live activities and no VoIP pushes")
        }
        let custom = message.custom.map(custom)
        return try JSONWriter.bytes(reserving: 1024) { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                if let key { json.field("cid", key) }
                write(message.platforms, &json)
                try write(audience, &json)
                if let notification = message.notification {
                    try json.field("notification") { (json) throws(PushError) in
                        try write(notification, message.platforms, customBytes: custom?.count ?? 0, &json)
                    }
                } else {
                    try check(custom?.count ?? 0, .jpushAndroidBytes, "the custom message")
                }
                if let custom { json.field("message", encoded: custom) }
                try json.field("options") { (json) throws(PushError) in try write(message, options, &json) }
            }
        }
    }

    // MARK: Target

    private func write(_ platforms: Set<Platform>?, _ json: inout JSONWriter) {
        guard let platforms else { return json.field("platform", "all") }
        json.field("platform", platforms.map(\.wireName).sorted())
    }

    private func write(_ audience: Audience, _ json: inout JSONWriter) throws(PushError) {
        switch audience {
        case .everyone: json.field("audience", "all")
        case .devices(let ids): try list("registration_id", ids, &json)
        case .aliases(let aliases): try list("alias", aliases, &json)
        case .tagged(let anyOf, let allOf, let noneOf):
            try json.field("audience") { (json) throws(PushError) in
                try json.object { json in
                    for (name, tags) in [("tag", anyOf), ("tag_and", allOf), ("tag_not", noneOf)] where !tags.isEmpty {
                        json.field(name, tags.sorted())
                    }
                }
            }
        case .accounts, .segment, .liveActivity, .file:
            throw PushError(.unsupported, "this version of the adapter does not send to such an audience")
        }
    }

    private func list(
        _ name: String, _ texts: [some TextIdentifier], _ json: inout JSONWriter
    ) throws(PushError) {
        try json.field("audience") { (json) throws(PushError) in
            try json.object { json in json.field(name, texts) }
        }
    }

    // MARK: Content

    private func write(
        _ notification: Notification, _ platforms: Set<Platform>?, customBytes: Int, _ json: inout JSONWriter
    ) throws(PushError) {
        func isWanted(_ platform: Platform) -> Bool { platforms?.contains(platform) ?? true }
        let android = isWanted(.android) ? try androidPart(notification) : nil
        let ios = isWanted(.ios) ? try iosPart(notification) : nil
        let harmony = isWanted(.harmony) ? try harmonyPart(notification) : nil
        // A platform without an object of its own shows the common text, so that is what it is measured by.
        let common = try object { (json) throws(PushError) in json.field("alert", notification.body) }.count
        let androidBytes = isWanted(.android) ? android?.count ?? common : 0
        let iosBytes = isWanted(.ios) ? ios?.count ?? common : 0
        try check(androidBytes + customBytes, .jpushAndroidBytes, "the Android notification and the custom message")
        try check(iosBytes, .jpushIOSBytes, "the iOS notification")
        try json.object { json in
            json.field("alert", notification.body)
            if let android { json.field("android", encoded: android) }
            if let ios { json.field("ios", encoded: ios) }
            if let harmony { json.field("hmos", encoded: harmony) }
        }
    }

    private func androidPart(_ notification: Notification) throws(PushError) -> [UInt8]? {
        let own = notification.android
        guard own != nil || notification.title != nil || !notification.extras.isEmpty else { return nil }
        try checkRange(own?.priority, -2...2, "the Android priority")
        try checkRange(own?.badgeIncrement, 1...99, "the Android badge increment")
        return try object { (json) throws(PushError) in
            json.field("alert", own?.body ?? notification.body)
            if let title = own?.title ?? notification.title { json.field("title", title) }
            try check(own?.channelID?.utf8.count ?? 0, .jpushChannelID, "the Android channel id")
            if let channel = own?.channelID { json.field("channel_id", channel) }
            if let priority = own?.priority { json.field("priority", priority) }
            if let category = own?.category { json.field("category", category) }
            if let sound = own?.sound { json.field("sound", sound) }
            if let url = own?.intentURL { json.field("intent", ["url": .string(url)]) }
            if let increment = own?.badgeIncrement { json.field("badge_add_num", increment) }
            if !notification.extras.isEmpty { json.field("extras", .object(notification.extras)) }
        }
    }

    private func iosPart(_ notification: Notification) throws(PushError) -> [UInt8]? {
        let own = notification.ios
        guard own != nil || notification.title != nil || !notification.extras.isEmpty else { return nil }
        let body = own?.body ?? notification.body
        let title = own?.title ?? notification.title
        return try object { (json) throws(PushError) in
            if title == nil, own?.subtitle == nil {
                json.field("alert", body)
            } else {
                var alert: [String: JSONValue] = ["body": .string(body)]
                alert["title"] = title.map(JSONValue.string)
                alert["subtitle"] = own?.subtitle.map(JSONValue.string)
                json.field("alert", .object(alert))
            }
            if let sound = own?.sound { json.field("sound", sound) }
            try writeBadge(own?.badge, &json)
            if own?.isContentAvailable == true { json.field("content-available", true) }
            if own?.isMutable == true { json.field("mutable-content", true) }
            if let category = own?.category { json.field("category", category) }
            if let thread = own?.threadID { json.field("thread-id", thread) }
            if let level = own?.interruptionLevel { json.field("interruption-level", level.rawValue) }
            if !notification.extras.isEmpty { json.field("extras", .object(notification.extras)) }
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

    private func harmonyPart(_ notification: Notification) throws(PushError) -> [UInt8]? {
        guard notification.title != nil || !notification.extras.isEmpty else { return nil }
        guard !notification.body.isEmpty else {
            throw PushError(
                .invalidArgument, "HarmonyOS needs a text in a notification; give one, or name the other platforms")
        }
        var fields: [String: JSONValue] = ["alert": .string(notification.body)]
        fields["title"] = notification.title.map(JSONValue.string)
        if !notification.extras.isEmpty { fields["extras"] = .object(notification.extras) }
        return JSONWriter.bytes(of: .object(fields))
    }

    private func custom(_ message: CustomMessage) -> [UInt8] {
        var fields: [String: JSONValue] = ["msg_content": .string(message.content)]
        fields["title"] = message.title.map(JSONValue.string)
        fields["content_type"] = message.contentType.map(JSONValue.string)
        if !message.extras.isEmpty { fields["extras"] = .object(message.extras) }
        return JSONWriter.bytes(of: .object(fields))
    }

    private func write(_ message: Message, _ options: JPushOptions?, _ json: inout JSONWriter) throws(PushError) {
        let collapseID = message.notification?.ios?.collapseID
        try check(collapseID?.utf8.count ?? 0, .jpushCollapseID, "the collapse id")
        try json.object { json in
            // Always sent: the vendor's own libraries disagree about the default.
            json.field("apns_production", message.environment == .production)
            if let life = message.timeToLive { json.field("time_to_live", Int(life.components.seconds)) }
            if let collapseID { json.field("apns_collapse_id", collapseID) }
            if options != nil, case .object(let fields) = message.options[JPush.id] {
                for (name, value) in fields.sorted(by: { $0.key < $1.key }) where value != .null {
                    json.field(name, value)
                }
            }
        }
    }

    // MARK: Checks

    private func check(_ platforms: Set<Platform>?) throws(PushError) {
        let known: Set<Platform> = [.ios, .android, .harmony]
        if let other = platforms?.subtracting(known).sorted().first {
            throw PushError(
                .unsupported,
                "the adapter does not send to the platform \(Redaction.quoted(other.rawValue)); it knows "
                    + known.sorted().map(\.rawValue).joined(separator: ", "))
        }
    }

    private func object(_ body: (inout JSONWriter) throws(PushError) -> Void) throws(PushError) -> [UInt8] {
        try JSONWriter.bytes { (json) throws(PushError) in try json.object(body) }
    }

    private func check(_ count: Int, _ limit: Limit, _ name: String) throws(PushError) {
        guard let bound = limits[limit], bound.overflow == .reject, count > bound.maximum else { return }
        throw PushError(
            .tooLong, "\(name): \(count) bytes are over the \(bound.maximum) that JPush takes (\(bound.source))")
    }

    private func checkRange(_ number: Int?, _ range: ClosedRange<Int>, _ name: String) throws(PushError) {
        guard let number, !range.contains(number) else { return }
        throw PushError(
            .invalidArgument, "\(name) is \(number); JPush takes \(range.lowerBound) to \(range.upperBound)")
    }
}

extension Platform {
    /// The vendor's word.
    var wireName: Platform { self == .harmony ? "hmos" : self }
}
