import PushAdapter
import PushSimulation

/// A push that passed the vendor's checks.
struct PushObject {
    let platforms: Set<String>
    /// The keys of the audience with their values; empty for everyone.
    let audience: [String: [String]]
    let requestID: String?
    let customArguments: JSONValue?
    let from: String
    let key: String?
    let override: String?
    let plan: String?
    /// How long the push may wait for a device, in seconds.
    let life: Int
    let isProduction: Bool
    let badge: BadgeChange?
    /// The id under which a later notification replaces this one on an Apple device.
    let collapseID: String?
    let liveActivity: JSONValue?
    let voip: JSONValue?
    let notification: JSONValue?
    let message: JSONValue?

    var hasNotification: Bool { notification != nil }
    var isMutable: Bool { notification?["ios"]?["mutable-content"] == true }
    var kind: String {
        if liveActivity != nil { return "live_activity" }
        if voip != nil { return "voip" }
        return hasNotification ? "notification" : "message"
    }

    /// Reads a whole push object.
    init(_ fields: [String: JSONValue], _ settings: EngageLabSimulatorSettings) throws(Refusal) {
        try Self.checkKeys(fields, Rules.root)
        if case .object(let body) = fields["body"] { try Self.checkBodyKeys(body) }
        if case .object(let audience) = fields["to"] { try Self.checkKeys(audience, Rules.audience) }
        guard let to = fields["to"] else { throw .missing("to") }
        guard let body = fields["body"] else { throw .missing("body") }
        guard case .object(let body) = body else { throw .wrongType("body") }
        try Self.checkForms(fields, Rules.root)
        try self.init(
            body: body, audience: try Self.audience(to, settings), customArguments: fields["custom_args"],
            from: fields["from"]?.stringValue ?? "", requestID: fields["request_id"]?.stringValue, settings)
    }

    /// Reads a batch item. Its target takes the place of the audience.
    init(item fields: [String: JSONValue], isAlias: Bool, _ settings: EngageLabSimulatorSettings) throws(Refusal) {
        try Self.checkKeys(fields, Rules.item)
        var body = fields
        for name in ["target", "custom_args"] { body[name] = nil }
        try Self.checkBodyKeys(body)
        try Self.checkForms(fields, Rules.item)
        guard let target = fields["target"]?.stringValue else { throw .missing("target") }
        try self.init(
            body: body, audience: [isAlias ? "alias" : "registration_id": [target]],
            customArguments: fields["custom_args"], from: "", requestID: nil, settings)
    }

    private init(
        body: [String: JSONValue], audience: [String: [String]], customArguments: JSONValue?, from: String,
        requestID: String?, _ settings: EngageLabSimulatorSettings
    ) throws(Refusal) {
        guard let platform = body["platform"] else { throw .missing("platform") }
        let contents = ["notification", "message", "live_activity", "voip"].filter { body[$0] != nil }
        guard !contents.isEmpty else { throw .missing("notification or message") }
        if let message = body["message"] {
            switch message["msg_content"] {
            case nil: throw .missing("msg_content")
            case .string, .object: break
            default: throw .wrongType("msg_content")
            }
        }
        try Self.checkBodyForms(body)
        platforms = try Self.platforms(platform)
        try Self.checkMixture(contents, settings)
        try Self.checkOnlyIOS(body, platforms)
        if let activity = body["live_activity"] {
            try Self.checkLiveActivity(activity, audience)
            guard settings.hasP8Key else { throw Refusal(400, 21_055, "the app has no P8 key") }
        }
        try Self.checkOptions(body["options"], body["notification"], kinds: contents, settings)
        try Self.checkArguments(customArguments)
        self.audience = audience
        self.customArguments = customArguments
        self.from = from
        self.requestID = requestID
        notification = body["notification"]
        message = body["message"]
        liveActivity = body["live_activity"]
        voip = body["voip"]
        let options = body["options"]
        key = options?["cid"]?.stringValue
        override = options?["override_msg_id"]?.identifier
        plan = options?["plan_id"]?.stringValue
        collapseID = options?["apns_collapse_id"]?.stringValue
        life = options?["time_to_live"]?.intValue ?? 86_400
        isProduction = options?["apns_production"]?.boolValue ?? true
        badge = try BadgeChange(notification?["ios"]?["badge"])
        try Self.checkAlerts(notification, platforms, settings)
        // A push that requests truncation is not refused for a text that is too long.
        for part in options?["auto_truncation"] == true ? [] : [notification, message] {
            guard let part, JSONWriter.bytes(of: part).count > Rules.contentBytes else { continue }
            throw .tooLong
        }
    }
}

/// A notification's change to the badge that the server keeps for a device.
enum BadgeChange {
    case set(Int)
    case add(Int)

    /// Reads a number, or a text such as `+1`.
    init?(_ value: JSONValue?) throws(Refusal) {
        switch value {
        case nil: return nil
        case .number:
            guard let number = value?.intValue, number >= 0 else { throw .invalid("badge") }
            self = .set(number)
        case .string(let text):
            guard let number = Int(text), text.first == "+" || text.first == "-" else { throw .invalid("badge") }
            self = .add(number)
        default: throw .wrongType("badge")
        }
    }

    func applied(to badge: Int) -> Int {
        switch self {
        case .set(let number): number
        case .add(let number): max(0, badge.addingReportingOverflow(number).partialValue)
        }
    }
}
