import JiguangDialect
import PushAdapter

/// Writes push objects.
struct JPushEncoder {
    private let capabilities: Capabilities
    var limits: Limits { capabilities.limits }
    static let platforms: Set<Platform> = [.ios, .android, .harmony, "quickapp"]

    init(_ capabilities: Capabilities) { self.capabilities = capabilities }

    private var api: Dialect { .jpush }

    /// A push without its key and its audience: the same for all pushes of a message.
    struct Encoded: Sendable {
        /// The encoded fields, without the braces of the object.
        var fields: [UInt8]
        /// The A/B test that narrows the audience.
        var abTest: String?

        func push(to audience: Audience, key: String?) throws(PushError) -> [UInt8] {
            try JSONWriter.object(reserving: fields.count + 256) { (json) throws(PushError) in
                if let key { json.field("cid", key) }
                try JPushEncoder.write(audience, abTest, &json)
                json.fields(encoded: fields)
            }
        }
    }

    func push(_ message: Message, _ audience: Audience, key: String?) throws(PushError) -> [UInt8] {
        try encode(message).push(to: audience, key: key)
    }

    func encode(_ message: Message) throws(PushError) -> Encoded {
        let message = try JPushClasses.applied(to: message, capabilities)
        let options = try message.options(JPushOptions.self)
        let fields = try JSONWriter.bytes(reserving: 1024) { (json) throws(PushError) in
            try api.write(message.platforms, &json)
            try write(contents: message, options, &json)
        }
        return Encoded(fields: fields, abTest: options?.abTest)
    }

    /// A batch item: a message to one device or alias, without an audience.
    func single(_ message: Message, to target: String) throws(PushError) -> [UInt8] {
        let message = try JPushClasses.applied(to: message, capabilities)
        let options = try message.options(JPushOptions.self)
        guard options?.isInApp == nil, options?.abTest == nil, message.liveActivity == nil else {
            throw PushError(
                .unsupported, "a batch cannot carry in-app messages, A/B tests or live activities")
        }
        return try JSONWriter.object { (json) throws(PushError) in
            try api.write(message.platforms, &json)
            json.field("target", target)
            try write(contents: message, options, &json)
        }
    }

    /// An audience in the vendor's form.
    func audience(_ audience: Audience) throws(PushError) -> JSONValue {
        let bytes = try JSONWriter.object { (json) throws(PushError) in try Self.write(audience, nil, &json) }
        return try JSONValue(parsing: bytes)["audience"] ?? .null
    }

    private func write(
        contents message: Message, _ options: JPushOptions?, _ json: inout JSONWriter
    ) throws(PushError) {
        try message.check(JPushOptions.rules, of: JPush.id)
        try check(message.platforms)
        if message.voip != nil || message.liveActivity != nil, message.platforms?.contains(.ios) == false {
            throw PushError(
                .invalidArgument, "VoIP pushes and live activities go to iOS; add iOS to the message's platforms")
        }
        if message.platforms?.contains("quickapp") == true, options?.quickApp == nil {
            throw PushError(
                .invalidArgument, "quick apps need a page: set JPushOptions.quickApp, or leave out the platform")
        }
        var (android, ios) = (0, 0)
        if message.notification != nil || message.voip != nil {
            try json.field("notification") { (json) throws(PushError) in
                (android, ios) = try write(message, options, &json)
            }
        }
        if let custom = message.custom {
            let custom = self.custom(custom, self.options(of: message, in: "message"))
            android += custom.count
            json.field("message", encoded: custom)
        }
        let hasOwn = message.notification != nil || message.voip != nil
        try check(
            android, .jpushAndroidBytes,
            hasOwn ? "the Android notification and the custom message" : "the custom message")
        try check(ios, .jpushIOSBytes, "the iOS notification")
        if let activity = message.liveActivity { try write(activity, of: message, &json) }
        json.fields(of: self.options(of: message, in: ""))
        if options?.isInApp == true { json.field("inapp_message", ["inapp_message": true]) }
        try json.field("options") { (json) throws(PushError) in try write(settings: message, &json) }
    }

    /// The options that are fields of an object of the push.
    private func options(of message: Message, in object: String) -> JSONValue? {
        JPushOptions.places.fields(of: message.options[JPush.id], in: object)
    }

    // MARK: Target

    /// Writes the audience. The vendor combines its keys with AND, so a test narrows any audience except one whose key
    /// must stand alone.
    private static func write(_ audience: Audience, _ test: String?, _ json: inout JSONWriter) throws(PushError) {
        if case .everyone = audience, test == nil { return json.field("audience", "all") }
        if case .liveActivity = audience, test != nil {
            throw PushError(.invalidArgument, "an A/B test cannot narrow the audience of a live activity")
        }
        try json.object("audience") { (json) throws(PushError) in
            switch audience {
            case .segment(let id): json.field("segment", [.string(id)])
            case .file(let id): json.field("file", ["file_id": .string(id)])
            case .accounts: throw PushError(.unsupported, "JPush has no accounts; use aliases")
            default: Dialect.write(audience, &json)
            }
            if let test { json.field("abtest", [.string(test)]) }
        }
    }

    // MARK: Content

    /// Writes an object for each platform. Returns the sizes in bytes of the two that have limits. The Android
    /// notification shares its limit with the custom message.
    private func write(
        _ message: Message, _ options: JPushOptions?, _ json: inout JSONWriter
    ) throws(PushError) -> (android: Int, ios: Int) {
        func isWanted(_ platform: Platform) -> Bool { message.platforms?.contains(platform) ?? true }
        var (android, ios) = (0, 0)
        try json.object { (json) throws(PushError) in
            var common = json.count
            if let body = message.notification?.body { json.field("alert", try body.plain(.body, at: JPush.id)) }
            // A platform without its own object shows the common text, so the limit applies to that text. The 2 are its
            // braces.
            common = json.count - common + 2
            json.fields(of: self.options(of: message, in: "notification"))
            if let notification = message.notification {
                if isWanted(.android) {
                    let more = self.options(of: message, in: "notification.android")
                    try checkAndroid(notification, more)
                    android = try api.writeAndroid(notification, more, &json) ?? common
                }
                if isWanted(.ios) {
                    let more = options?.ios.map { (sound: $0.sound, alert: $0.alert) }
                    let badge = try badge(notification.ios?.badge)
                    ios = try api.writeIOS(notification, more, badge: badge, &json) ?? common
                }
                let harmony = self.options(of: message, in: "notification.hmos")
                if isWanted(.harmony), try api.writeHarmony(notification, harmony, &json) != nil,
                    try notification.plainBody(on: .harmony, at: JPush.id).isEmpty
                {
                    throw PushError(
                        .invalidArgument,
                        "HarmonyOS needs a text in the notification; add one, or list only other platforms")
                }
            }
            if let voip = message.voip {
                guard case .object = voip else {
                    throw PushError(.invalidArgument, "a VoIP push must be a JSON object")
                }
                json.field("voip", voip)
            }
        }
        return (android, ios)
    }

    private func custom(_ message: CustomMessage, _ more: JSONValue?) -> [UInt8] {
        var fields: [String: JSONValue] = ["msg_content": .string(message.content)]
        if case .object(let more)? = more { fields.merge(more) { $1 } }
        fields["title"] = message.title.map(JSONValue.string)
        fields["content_type"] = message.contentType.map(JSONValue.string)
        if !message.extras.isEmpty { fields["extras"] = .object(message.extras) }
        return JSONWriter.bytes(of: .object(fields))
    }

    private func write(settings message: Message, _ json: inout JSONWriter) throws(PushError) {
        let collapseID = message.notification?.ios?.collapseID
        try json.object { json in
            // This field is always sent, because the vendor's own libraries disagree about the default.
            json.field("apns_production", message.environment == .production)
            if let life = message.timeToLive { json.field("time_to_live", Int(life.components.seconds)) }
            if let collapseID { json.field("apns_collapse_id", collapseID) }
            json.fields(of: self.options(of: message, in: "options"))
        }
    }

    // MARK: Checks

    private func check(_ platforms: Set<Platform>?) throws(PushError) {
        guard let platforms, !platforms.isSubset(of: Self.platforms) else { return }
        let other = platforms.subtracting(Self.platforms).sorted()[0]
        throw PushError(
            .unsupported,
            "the adapter does not send to the platform \(Redaction.quoted(other.rawValue)); it knows "
                + Self.platforms.sorted().map(\.rawValue).joined(separator: ", "))
    }

    func check(_ count: Int, _ limit: LimitKey, _ name: String) throws(PushError) {
        try api.check(count, limit, of: limits, name)
    }
}

extension Platform {
    /// The vendor's word for the platform.
    var wireName: Platform { self == .harmony ? "hmos" : self }
}
