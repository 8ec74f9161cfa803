import FoundationEssentials
import PushAdapter

extension FCMOptions {
    /// The forms of values, from the vendor's reference and the checks of its SDKs.
    static let rules: [OptionRule] =
        ["", "android.", "android_v2.", "apns.", "webpush."].map {
            .form(
                "\($0)fcm_options.analytics_label", "1 to 50 letters, digits and -_.~%",
                refusing: ["", "a b", .string(String(repeating: "a", count: 51))], isLabel)
        }
        + ["on", "off"].map {
            .form(
                shown + "light_settings.light_\($0)_duration", "a duration of 0 or more, such as 0.5s",
                refusing: ["-1s"], isDuration)
        } + ["red", "green", "blue", "alpha"].map { .fraction(shown + "light_settings.color.\($0)") }
        + [
            .form(shown + "color", "#rrggbb", refusing: ["red", "#12345g"], isColor),
            .form(shown + "event_time", "a time such as 2026-12-01T09:30:00Z", refusing: ["yesterday"], isTime),
            .form(
                shown + "vibrate_timings", "durations of 0 or more, such as 0.5s", refusing: [["1s", "-1s"], ["1"]]
            ) { $0.arrayValue?.allSatisfy(isDuration) ?? false },
            .form("apns.live_activity_token", "the token as Apple gave it to the app", refusing: ["", "a b"]) {
                $0.stringValue?.wholeMatch(of: /[!-~]+/) != nil
            },
            .form("webpush.headers", "TTL as whole seconds, 0 or more", refusing: [["ttl": "-1"]], hasGoodLife),
            .form("webpush.data", "no key that FCM reserves", refusing: [["google.a": "v"]], hasOwnKeys),
            .form("android_v2.data", "no key that FCM reserves", refusing: [["from": "v"]], hasOwnKeys),
            .form(
                "webpush.fcm_options.link", "an address that starts with https://", refusing: ["http://shop.example"]
            ) { $0.stringValue?.hasPrefix("https://") ?? false },
            .form(
                "android_v2", "either remote_notification or background_sync",
                refusing: [[:], ["background_sync": [:], "remote_notification": ["notification": [:]]]],
                isSecondAndroid),
            .excludes(shown + "default_vibrate_timings", is: true, .option(shown + "vibrate_timings")),
            .excludes(shown + "default_light_settings", is: true, .option(shown + "light_settings")),
            .excludes(shown + "bypass_proxy_notification", is: true, .option(shown + "proxy")),
            .excludes(shown + "default_sound", is: true, .field(.android("sound"))),
            .needs("android.notification", .notification), .needs("apns.live_activity_token", .liveActivity),
        ] + OptionRule.aps("apns.payload.aps")

    /// The options are a part of the vendor's message, into which the encoder writes the fields of the model.
    static let places = OptionPlaces(
        of: Self.self, ["message": ["*"], "message.apns.payload.aps": ["apns.payload.aps.sound"]])

    private static let shown = "android.notification."

    private static func isLabel(_ value: JSONValue) -> Bool {
        value.stringValue?.wholeMatch(of: /[a-zA-Z0-9\-_.~%]{1,50}/) != nil
    }

    private static func isColor(_ value: JSONValue) -> Bool {
        value.stringValue?.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil
    }

    private static func isTime(_ value: JSONValue) -> Bool { value.stringValue.flatMap(FCMText.date) != nil }

    private static func isDuration(_ value: JSONValue) -> Bool { value.stringValue.flatMap(FCMText.duration) != nil }

    private static func hasGoodLife(_ headers: JSONValue) -> Bool {
        Optional(headers).fields.allSatisfy { name, value in
            name.lowercased() != "ttl" || value.stringValue?.wholeMatch(of: /[0-9]+/) != nil
        }
    }

    private static func hasOwnKeys(_ data: JSONValue) -> Bool {
        !Optional(data).fields.keys.contains(where: FCMEncoder.isReserved)
    }

    private static func isSecondAndroid(_ value: JSONValue) -> Bool {
        value["remote_notification"].isGiven != value["background_sync"].isGiven
    }

    /// The options of a message as JSON, which is the vendor's form. Empty if the message has none.
    ///
    /// Refuses with `invalidArgument` unknown keys, values that the vendor does not accept, and options whose content
    /// is missing from the message.
    static func fields(of message: Message) throws(PushError) -> [String: JSONValue] {
        guard let read = try message.options(FCMOptions.self), let options = message.options[provider] else {
            return [:]
        }
        try message.check(rules, of: provider)
        guard let aps = read.apns?.payload?.aps else { return Optional(options).fields }
        return Optional(options).fields.replacing(aps)
    }
}

extension [String: JSONValue] {
    /// The options with `aps` in Apple's form. It may add a key: the mark of a critical sound.
    fileprivate func replacing(_ aps: APSOptions) -> [String: JSONValue] {
        var options = self
        var apns = options["apns"].fields
        var payload = apns["payload"].fields
        payload["aps"] = aps.fields.objectOrNil
        apns["payload"] = payload.objectOrNil
        options["apns"] = apns.objectOrNil
        return options
    }
}

extension JSONValue? {
    /// The fields of an object; empty for any other value.
    var fields: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }

    /// Whether there is a value, and it is not null.
    var isGiven: Bool { if case .some(let value) = self { value != .null } else { false } }
}

extension [String: JSONValue] {
    /// The object; nil if it has no fields.
    var objectOrNil: JSONValue? {
        if isEmpty { return nil }
        return .object(self)
    }

    /// Sets a field from the message. Refuses a field that the options also set.
    mutating func set(_ name: String, _ value: JSONValue?) throws(PushError) {
        guard let value else { return }
        guard !self[name].isGiven else {
            throw PushError(
                .invalidArgument,
                "the FCM options have \(name), which the adapter writes from the message; remove it from the options")
        }
        self[name] = value
    }

    /// Sets a text of an Android notification, plain or as a key.
    mutating func set(_ name: String, _ text: Text?) throws(PushError) {
        switch text {
        case nil: return
        case .plain(let text): try set(name, JSONValue.string(text))
        case .localized(let key, let arguments):
            try set("\(name)_loc_key", JSONValue.string(key))
            if !arguments.isEmpty { try set("\(name)_loc_args", .array(arguments.map(JSONValue.string))) }
        }
    }

    /// Sets a header field. The options may spell its name in any case.
    mutating func setHeader(_ name: String, _ value: String?) throws(PushError) {
        let known = keys.first { $0.lowercased() == name.lowercased() }
        try set(known ?? name, value.map(JSONValue.string))
    }
}
