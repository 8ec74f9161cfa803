import JiguangSimulation
import PushAdapter
import PushSimulation

typealias PushObject = JiguangPush

/// The vendor's rules for a push.
extension PushObject {
    var isBroadcast: Bool { audience.isEmpty }
    /// The idempotency key.
    var key: String? { body["cid"]?.stringValue }

    /// Refuses, in this order: unknown keys, missing keys, values, sizes.
    init(_ fields: [String: JSONValue], _ settings: JPushSimulatorSettings) throws(Refusal) {
        try Self.checkKeys(fields, Rules.push)
        let notification = fields["notification"]
        let message = fields["message"]
        let options = fields["options"]
        let optionRules = Rules.options(longestLife: settings.longestLife)
        let parts = [
            (notification, Rules.notification), (notification?["android"], Rules.android),
            (notification?["ios"], Rules.ios), (notification?["hmos"], Rules.hmos), (message, Rules.message),
            (options, optionRules),
        ]
        for (value, keys) in parts + [(fields["audience"], Rules.audience)] {
            if case .object(let fields) = value { try Self.checkKeys(fields, keys) }
        }
        guard let platform = fields["platform"], let audience = fields["audience"],
            notification != nil || message != nil || fields["live_activity"] != nil
        else { throw .missing }
        if message != nil, message?["msg_content"] == nil { throw .missing }
        try Self.checkAlerts(notification)

        try Self.checkForms(fields, Rules.push)
        let known = Rules.platforms
        guard let platforms = Self.platforms(platform, known: known) else { throw .invalid("illegal platform") }
        let targets = try Self.audience(audience)
        for (value, forms) in parts { try Self.checkForms(value, forms) }
        try Self.checkActivePush(options, message, settings)
        try Self.checkLiveActivity(fields, settings)
        try Self.checkParts(fields)
        let badge = try BadgeChange(reading: notification?["ios"]?["badge"])
        if let level = notification?["ios"]?["interruption-level"]?.stringValue {
            guard Rules.interruptionLevels.contains(level) else { throw .invalid("illegal interruption-level") }
        }
        self.init(request: fields, body: fields, platforms: platforms, audience: targets, badge: badge)
        try checkSizes(message, settings)
    }

    // MARK: Checks

    private static func checkKeys(_ fields: [String: JSONValue], _ known: [String: WireForm]) throws(Refusal) {
        for key in fields.keys.sorted() where known[key] == nil { throw .unknownKey(key) }
    }

    private static func checkForms(_ value: JSONValue?, _ known: [String: WireForm]) throws(Refusal) {
        guard case .object(let fields) = value else { return }
        try checkForms(fields, known)
    }

    private static func checkForms(_ fields: [String: JSONValue], _ known: [String: WireForm]) throws(Refusal) {
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard let form = known[key], form.accepts(value) else { throw .invalid("illegal value of \(key)") }
        }
    }

    /// The keys of an audience; empty for everyone.
    private static func audience(_ value: JSONValue) throws(Refusal) -> [String: [String]] {
        if value == .string("all") { return [:] }
        guard case .object(let fields) = value else { throw .invalid("illegal audience") }
        var lists: [String: [String]] = [:]
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            if name == "live_activity_id" || name == "file" {
                guard fields.count == 1 || name == "file" else { throw .invalid("live_activity_id must be alone") }
                lists[name] = [value.stringValue ?? value["file_id"]?.stringValue ?? ""]
                continue
            }
            guard let items = value.arrayValue else { throw .invalid("Audience value must be JSON Array format!") }
            let texts = items.compactMap(\.stringValue)
            guard texts.count == items.count, !texts.contains("") else { throw .invalid("Invalid \(name) value") }
            if name.hasPrefix("tag") || name == "alias" {
                guard texts.allSatisfy(Rules.isIdentifier) else { throw .invalid("Invalid \(name) value") }
            }
            let most =
                switch name {
                case "tag", "tag_and", "tag_not": Rules.tagsPerAudience
                case "segment", "abtest": Rules.segmentsPerAudience
                default: Rules.idsPerAudience
                }
            guard texts.count <= most else { throw .invalid("too many values of \(name)") }
            // An empty list counts as a missing key.
            if !texts.isEmpty { lists[name] = texts }
        }
        guard !lists.isEmpty else { throw .missing }
        return lists
    }

    /// Checks a live activity: no other content, an event and a state, at most 3584 bytes.
    private static func checkLiveActivity(
        _ fields: [String: JSONValue], _ settings: JPushSimulatorSettings
    ) throws(Refusal) {
        guard let activity = fields["live_activity"] else { return }
        guard fields["notification"] == nil, fields["message"] == nil, case .object(let ios) = activity["ios"] else {
            throw Refusal(400, settings.brokenRuleCode, "a live activity goes alone, for ios")
        }
        try checkKeys(ios, Rules.liveActivity)
        try checkForms(ios, Rules.liveActivity)
        let event = ios["event"]?.stringValue ?? ""
        guard ["start", "update", "end"].contains(event), ios["content-state"] != nil,
            event != "start" || ios["attributes-type"] != nil
        else { throw .missing }
        guard JSONWriter.bytes(of: .object(ios)).count <= Rules.liveActivityBytes else { throw .tooLong }
    }

    /// Checks the parts other than the notification and the message.
    private static func checkParts(_ fields: [String: JSONValue]) throws(Refusal) {
        if let third = fields["notification_3rd"] {
            guard fields["message"] != nil else { throw .invalid("notification_3rd without message") }
            let isSecond = fields["options"]?["notification_3rd_ver"] == "v2"
            guard isSecond || third["content"]?.stringValue?.isEmpty == false else { throw .missing }
        }
        if fields["inapp_message"] != nil, fields["notification"] == nil || fields["message"] != nil {
            throw .invalid("inapp_message goes with a notification alone")
        }
        if let sms = fields["sms_message"] {
            guard sms["temp_id"]?.intValue != nil, let delay = sms["delay_time"]?.intValue else { throw .missing }
            guard (0...86_400).contains(delay) else { throw .invalid("illegal delay_time") }
        }
        if let harmony = fields["notification"]?["hmos"], let type = harmony["push_type"]?.intValue {
            if [2, 10].contains(type), harmony["extra_data"] == nil { throw .missing }
            if [1, 7].contains(type), harmony["hm_payload"] == nil { throw .missing }
        }
        if let quickApp = fields["notification"]?["quickapp"] {
            guard ["alert", "title", "page"].allSatisfy({ quickApp[$0]?.stringValue != nil }) else { throw .missing }
        }
    }

    /// Checks that a platform without its own text has the common one.
    private static func checkAlerts(_ notification: JSONValue?) throws(Refusal) {
        guard let notification, notification["alert"] == nil else { return }
        let named = Rules.platforms.filter { notification[$0] != nil }
        if named.isEmpty, notification["voip"] != nil { return }
        guard !named.isEmpty, named.allSatisfy({ notification[$0]?["alert"] != nil }) else { throw .missing }
    }

    private static func checkActivePush(
        _ options: JSONValue?, _ message: JSONValue?, _ settings: JPushSimulatorSettings
    ) throws(Refusal) {
        let isActive = options?["active_push"]?.boolValue == true
        if isActive, message != nil || options?["big_push_duration"] != nil {
            throw Refusal(settings.activePushStatus, 1035, "active_push with a message or a paced push")
        }
        if options?["need_backup"]?.boolValue == true, !isActive { throw .invalid("need_backup without active_push") }
    }

    /// A platform's own object. It gets the common text if it has none.
    private func effective(_ platform: String) -> JSONValue? {
        guard let notification, platforms.contains(platform) else { return nil }
        var fields: [String: JSONValue] = [:]
        if case .object(let own) = notification[platform] { fields = own }
        fields["alert"] = fields["alert"] ?? notification["alert"]
        return .object(fields)
    }

    private func checkSizes(_ message: JSONValue?, _ settings: JPushSimulatorSettings) throws(Refusal) {
        func bytes(_ value: JSONValue?) -> Int { value.map { JSONWriter.bytes(of: $0).count } ?? 0 }
        guard bytes(effective("android")) + bytes(message) <= Rules.androidBytes,
            bytes(effective("ios")) <= settings.iosBytes
        else { throw .tooLong }
    }
}

extension BadgeChange {
    /// Reads a number, or a text: `N` sets, `+N` and `-N` add, an empty text clears.
    init?(reading value: JSONValue?) throws(Refusal) {
        switch value {
        case nil: return nil
        case .number:
            guard let number = value?.intValue, (0...99).contains(number) else { throw .invalid("illegal badge") }
            self = .set(number)
        case .string(""): self = .set(0)
        case .string(let text):
            guard let number = Int(text), (-99...99).contains(number) else { throw .invalid("illegal badge") }
            self = text.first == "+" || text.first == "-" ? .add(number) : .set(number)
        default: throw .invalid("illegal badge")
        }
    }
}
