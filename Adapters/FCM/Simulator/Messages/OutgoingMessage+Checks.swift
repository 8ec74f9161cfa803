import FoundationEssentials
import PushAdapter
import PushSimulation

/// A rule for a field's value, in addition to its type.
struct ValueRule: Sendable {
    /// The path below the message.
    let path: String
    let complaint: String
    let accepts: @Sendable (JSONValue) -> Bool

    init(_ path: String, _ complaint: String, _ accepts: @escaping @Sendable (JSONValue) -> Bool) {
        self.path = path
        self.complaint = complaint
        self.accepts = accepts
    }

    static let all: [ValueRule] = [
        forAndroid("android", notification: "android.notification"),
        forAndroid("android_v2", notification: "android_v2.remote_notification.notification"), others,
    ].flatMap { $0 }

    static let labels: [ValueRule] = ["", "android.", "android_v2.", "webpush.", "apns."].map { owner in
        ValueRule("\(owner)fcm_options.analytics_label", "The analytics label is invalid.") {
            $0.stringValue.map(Rules.isLabel) ?? false
        }
    }

    private static let others = [
        ValueRule("android_v2", "Set either remote_notification or background_sync.") {
            ($0["remote_notification"] == nil) != ($0["background_sync"] == nil)
        },
        ValueRule("android_v2.remote_notification", "The notification is not set.") { $0["notification"] != nil },
        ValueRule("webpush.fcm_options.link", "The link must use HTTPS.") {
            $0.stringValue?.hasPrefix("https://") ?? false
        },
    ]

    private static func forAndroid(_ config: String, notification: String) -> [ValueRule] {
        [
            ValueRule("\(config).ttl", "The time to live must be between 0 and 2419200 seconds.") {
                $0.stringValue.flatMap(WireTime.seconds).map(Rules.lifetimes.contains) ?? false
            },
            ValueRule("\(notification).color", "The color must have the form #rrggbb.") {
                $0.stringValue.map(Rules.isColor) ?? false
            },
            ValueRule("\(notification).light_settings", "The light settings must have a color and two durations.") {
                $0["color"] != nil && $0["light_on_duration"] != nil && $0["light_off_duration"] != nil
            },
            ValueRule("\(notification).light_settings.color", "The parts of a color must be between 0 and 1.") {
                color in
                Optional(color).asObject.values.allSatisfy { part in
                    if case .number(let number) = part { number >= 0 && number <= 1 } else { false }
                }
            },
        ]
    }
}

extension OutgoingMessage {
    private static let dataFields = ["data", "android.data", "android_v2.data", "webpush.data"]

    /// Checks fields, then sizes.
    func check(_ settings: FCMSimulatorSettings, isDryRun: Bool) throws(Refusal) {
        if fields["android"] != nil, fields["android_v2"] != nil {
            throw .field("message.android_v2", "Set either android or android_v2.")
        }
        try checkKeys(settings)
        for rule in ValueRule.all + (settings.checksAnalyticsLabels ? ValueRule.labels : []) {
            guard let value = self[rule.path], !rule.accepts(value) else { continue }
            throw .field("message.\(rule.path)", rule.complaint)
        }
        try checkWebHeaders()
        try checkApple()
        try checkLiveActivity(mayBeBroad: isDryRun && settings.acceptsBroadActivitiesInDryRuns)
        try checkSize(settings)
    }

    private func checkKeys(_ settings: FCMSimulatorSettings) throws(Refusal) {
        for field in Self.dataFields {
            let bad = self[field].asObject.keys.filter { Self.isReserved($0, settings) }.min()
            if let bad { throw .field("message.\(field)", "Invalid data payload key: \(bad)") }
        }
    }

    private static func isReserved(_ key: String, _ settings: FCMSimulatorSettings) -> Bool {
        let starts = settings.reservesOlderKeys ? ["google", "gcm"] : ["google.", "gcm.notification."]
        return ["from", "message_type"].contains(key) || starts.contains { key.hasPrefix($0) }
    }

    private func checkWebHeaders() throws(Refusal) {
        guard let life = header("ttl", of: "webpush"), life.value.isEmpty || Rules.count(life.value) == nil else {
            return
        }
        throw .field("message.webpush.headers.\(life.name)", "TTL must be a non-negative integer.")
    }

    // MARK: Apple

    private func checkApple() throws(Refusal) {
        if !isVisibleOnApple, let priority = header("apns-priority", of: "apns"),
            Int(priority.value) ?? 0 > Rules.silentPriority
        {
            throw .field(
                "message.apns.headers.\(priority.name)", "A message with data only must have the priority 5.")
        }
        // Apple's limits. The vendor's error texts for them are not documented.
        if let id = header("apns-collapse-id", of: "apns"), id.value.utf8.count > Rules.collapseIDBytes {
            throw .field("message.apns.headers.\(id.name)", "The collapse id has more than 64 bytes.")
        }
        if self["apns.payload.aps.sound.name"]?.stringValue == "" {
            throw .field("message.apns.payload", "The name of the sound is empty.")
        }
        if let payload = self["apns.payload"], JSONWriter.bytes(of: payload).count > Rules.applePayloadBytes {
            throw .tooLarge
        }
    }

    /// The content may be missing at the end of an activity, as Apple's page says.
    private func checkLiveActivity(mayBeBroad: Bool) throws(Refusal) {
        guard self["apns.live_activity_token"] != nil else { return }
        if recipient.isBroad, !mayBeBroad {
            throw .field("message.apns.live_activity_token", "A live activity also needs a registration token.")
        }
        let keys: [String: [String]] = [
            "start": ["timestamp", "content-state", "attributes-type", "attributes", "alert"],
            "update": ["timestamp", "content-state"], "end": ["timestamp"],
        ]
        let aps = self["apns.payload.aps"]
        guard let needed = keys[aps?["event"]?.stringValue ?? ""], needed.allSatisfy({ aps?[$0] != nil }) else {
            throw .field("message.apns.payload", "The event of the live activity is incomplete.")
        }
    }

    // MARK: Size

    private func checkSize(_ settings: FCMSimulatorSettings) throws(Refusal) {
        let limit = (recipient.isBroad ? settings.topicPayloadBytes : nil) ?? settings.payloadBytes
        let texts = settings.countsNotifications ? notificationBytes : 0
        // A platform gets only one of these.
        let data = Self.dataFields.map { self[$0].textBytes }.max() ?? 0
        guard data + texts <= limit else { throw .tooLarge }
    }

    private var notificationBytes: Int {
        let payload = self["apns.payload"].map { JSONWriter.bytes(of: $0).count } ?? 0
        return self["notification"].textBytes + payload
    }
}

extension JSONValue? {
    /// The bytes of the keys and texts of an object.
    fileprivate var textBytes: Int {
        asObject.reduce(0) { $0 + $1.key.utf8.count + ($1.value.stringValue?.utf8.count ?? 0) }
    }
}
