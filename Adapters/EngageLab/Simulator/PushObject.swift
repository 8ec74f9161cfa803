import JiguangSimulation
import PushAdapter
import PushSimulation

typealias PushObject = JiguangPush

/// Reading a push, with the vendor's rules.
extension PushObject {
    var requestID: String? { request["request_id"]?.stringValue }
    var customArguments: JSONValue? { request["custom_args"] }
    var from: String { request["from"]?.stringValue ?? "" }
    var key: String? { options?["cid"]?.stringValue }
    var plan: String? { options?["plan_id"]?.stringValue }
    var voip: JSONValue? { body["voip"] }
    var kind: String {
        if liveActivity != nil { return "live_activity" }
        if voip != nil { return "voip" }
        return notification != nil ? "notification" : "message"
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
        try self.init(checking: body, of: fields, audience: try Self.audience(to, settings), settings)
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
            checking: body, of: fields, audience: [isAlias ? "alias" : "registration_id": [target]], settings)
    }

    private init(
        checking body: [String: JSONValue], of request: [String: JSONValue], audience: [String: [String]],
        _ settings: EngageLabSimulatorSettings
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
        let platforms = try Self.platforms(platform)
        try Self.checkMixture(contents, settings)
        try Self.checkOnlyIOS(body, platforms)
        if let activity = body["live_activity"] {
            try Self.checkLiveActivity(activity, audience)
            guard settings.hasP8Key else { throw Refusal(400, 21_055, "the app has no P8 key") }
        }
        try Self.checkOptions(body["options"], body["notification"], kinds: contents, settings)
        try Self.checkArguments(request["custom_args"])
        let (notification, options) = (body["notification"], body["options"])
        let badge = try BadgeChange(reading: notification?["ios"]?["badge"])
        try Self.checkAlerts(notification, platforms, settings)
        // A push that requests truncation is not refused for a text that is too long.
        for part in options?["auto_truncation"] == true ? [] : [notification, body["message"]] {
            guard let part, JSONWriter.bytes(of: part).count > Rules.contentBytes else { continue }
            throw .tooLong
        }
        self.init(request: request, body: body, platforms: platforms, audience: audience, badge: badge)
    }
}

extension BadgeChange {
    /// Reads a number, or a text such as `+1`.
    init?(reading value: JSONValue?) throws(Refusal) {
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
}
