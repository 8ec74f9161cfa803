import FoundationEssentials
import PushAdapter

extension FCMOptions {
    /// A rule for the values at some paths.
    private struct Rule: Sendable {
        let paths: [String]
        let advice: String
        let isMet: @Sendable (JSONValue) -> Bool
    }

    /// The forms of values, from the vendor's reference and the checks of its SDKs.
    private static let rules = [
        Rule(paths: labels, advice: "give 1 to 50 letters, digits and -_.~%") { isLabel($0) },
        Rule(paths: ["android.notification.color"], advice: "give #rrggbb") { isColor($0) },
        Rule(paths: ["android.notification.event_time"], advice: "give a time such as 2026-12-01T09:30:00Z") {
            isTime($0)
        },
        Rule(paths: ["android.notification.vibrate_timings"], advice: "give durations of 0 or more, such as 0.5s") {
            $0.arrayValue?.allSatisfy(isDuration) ?? false
        },
        Rule(paths: lightDurations, advice: "give a duration of 0 or more, such as 0.5s") { isDuration($0) },
        Rule(paths: lightColors, advice: "give 0 to 1") { isFraction($0) },
        Rule(paths: ["apns.live_activity_token"], advice: "give the token as Apple gave it to the app") {
            $0.stringValue?.wholeMatch(of: /[!-~]+/) != nil
        },
        Rule(paths: ["webpush.headers"], advice: "give TTL as whole seconds, 0 or more") { hasGoodLife($0) },
        Rule(paths: ["webpush.data", "android_v2.data"], advice: "rename the key that FCM reserves") {
            !Optional($0).fields.keys.contains(where: FCMEncoder.isReserved)
        },
        Rule(paths: ["webpush.fcm_options.link"], advice: "give an address that starts with https://") {
            $0.stringValue?.hasPrefix("https://") ?? false
        },
        Rule(paths: ["android_v2"], advice: "give either remote_notification or background_sync") {
            isSecondAndroid($0)
        },
    ]

    private static let labels = ["", "android.", "android_v2.", "apns.", "webpush."].map {
        "\($0)fcm_options.analytics_label"
    }
    private static let lightDurations = ["on", "off"].map { "android.notification.light_settings.light_\($0)_duration" }
    private static let lightColors = ["red", "green", "blue", "alpha"].map {
        "android.notification.light_settings.color.\($0)"
    }

    /// Pairs of options that exclude each other: a default, and the value that it replaces or that replaces it.
    private static let alternatives = [
        ("android.notification.default_vibrate_timings", "android.notification.vibrate_timings"),
        ("android.notification.default_light_settings", "android.notification.light_settings"),
        ("android.notification.bypass_proxy_notification", "android.notification.proxy"),
    ]

    private static func isLabel(_ value: JSONValue) -> Bool {
        value.stringValue?.wholeMatch(of: /[a-zA-Z0-9\-_.~%]{1,50}/) != nil
    }

    private static func isColor(_ value: JSONValue) -> Bool {
        value.stringValue?.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil
    }

    private static func isTime(_ value: JSONValue) -> Bool { value.stringValue.flatMap(FCMText.date) != nil }

    private static func isDuration(_ value: JSONValue) -> Bool { value.stringValue.flatMap(FCMText.duration) != nil }

    private static func isFraction(_ value: JSONValue) -> Bool {
        if case .number(let number) = value { number >= 0 && number <= 1 } else { false }
    }

    private static func hasGoodLife(_ headers: JSONValue) -> Bool {
        Optional(headers).fields.allSatisfy { name, value in
            name.lowercased() != "ttl" || value.stringValue?.wholeMatch(of: /[0-9]+/) != nil
        }
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
        func option(at path: String) -> JSONValue? {
            path.split(separator: ".").reduce(Optional(options)) { $0?[String($1)] }
        }
        for (first, second) in alternatives where option(at: first) == true && option(at: second).isGiven {
            throw PushError(
                .invalidArgument, "the FCM options have \(first) and \(second), which exclude each other; remove one")
        }
        if option(at: "android.notification.default_sound") == true, message.notification?.android?.sound != nil {
            throw PushError(
                .invalidArgument,
                "the FCM option android.notification.default_sound and the Android notification both set a sound; remove one"
            )
        }
        for rule in rules {
            for path in rule.paths {
                guard let value = option(at: path), value != .null, !rule.isMet(value) else { continue }
                throw PushError(.invalidArgument, "the FCM option \(path) does not fit: \(rule.advice)")
            }
        }
        let needs = [
            ("android.notification", "a notification", message.notification != nil),
            ("apns.live_activity_token", "a Live Activity", message.liveActivity != nil),
        ]
        if let (path, content, _) = needs.first(where: { path, _, isMet in !isMet && option(at: path).isGiven }) {
            throw PushError(.invalidArgument, "the FCM option \(path) needs \(content) in the message; add one")
        }
        guard let aps = read.apns?.payload?.aps else { return Optional(options).fields }
        let isAlert = message.notification != nil
        try aps.check(hasNotification: isAlert, isAlert: isAlert, in: "the FCM option apns.payload.aps")
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
