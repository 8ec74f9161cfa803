import JiguangSimulation
import PushAdapter
import PushSimulation

/// The vendor's rules for a push, each with its code.
extension PushObject {
    static func checkKeys(_ fields: [String: JSONValue], _ known: [String: WireForm]) throws(Refusal) {
        for key in fields.keys.sorted() where known[key] == nil { throw .unknownField(key) }
    }

    /// A value of the wrong type or length is one error; a value out of range is another.
    static func checkForms(_ fields: [String: JSONValue], _ known: [String: WireForm]) throws(Refusal) {
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard let form = known[key], form.matchesType(of: value) else { throw .wrongType(key) }
            guard form.accepts(value) else {
                if case .shortText = form { throw .wrongType(key) }
                throw .invalid(key)
            }
        }
    }

    private static func parts(_ body: [String: JSONValue]) -> [(value: JSONValue?, forms: [String: WireForm])] {
        let notification = body["notification"]
        return [
            (.object(body), Rules.body), (notification, Rules.notification), (notification?["ios"], Rules.ios),
            (notification?["android"], Rules.android), (notification?["hmos"], Rules.hmos),
            (body["message"], Rules.message), (body["live_activity"]?["ios"], Rules.liveActivity),
            (body["options"], Rules.options),
        ]
    }

    static func checkBodyKeys(_ body: [String: JSONValue]) throws(Refusal) {
        for (value, forms) in parts(body) {
            if case .object(let fields) = value { try checkKeys(fields, forms) }
        }
    }

    static func checkBodyForms(_ body: [String: JSONValue]) throws(Refusal) {
        for (value, forms) in parts(body) {
            guard let value else { continue }
            guard case .object(let fields) = value else { throw .wrongType("an object") }
            try checkForms(fields, forms)
        }
    }

    /// Reads `all`, a list, or one word.
    static func platforms(_ value: JSONValue) throws(Refusal) -> Set<String> {
        guard value.arrayValue != nil || value.stringValue != nil else { throw .wrongType("platform") }
        guard let platforms = platforms(value, known: Rules.platforms) else { throw .invalid("platform") }
        return platforms
    }

    static func audience(
        _ value: JSONValue, _ settings: EngageLabSimulatorSettings
    ) throws(Refusal) -> [String: [String]] {
        if value == "all" { return [:] }
        guard case .object(let fields) = value else { throw .wrongType("to") }
        try checkForms(fields, Rules.audience)
        var lists: [String: [String]] = [:]
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            let texts = value.arrayValue?.compactMap(\.stringValue) ?? [value["id"] ?? value].compactMap(\.stringValue)
            guard !texts.contains("") else { throw .invalid(name) }
            switch name {
            case "tag", "tag_and", "tag_not":
                guard texts.count <= settings.tagsPerAudience else { throw .invalid(name) }
                for text in texts { try Rules.check(text, name) }
            case "alias":
                guard texts.count <= settings.idsPerAudience else { throw .invalid(name) }
                for text in texts { try Rules.check(text, name) }
            case "registration_id": guard texts.count <= settings.idsPerAudience else { throw .invalid(name) }
            case "live_activity_id":
                guard texts.allSatisfy({ $0.utf8.count <= Rules.activityIDBytes }) else { throw .wrongType(name) }
            case "seg": guard texts.count == 1 else { throw .missing("seg.id") }
            default: break
            }
            // An empty list matches no device, and the keys combine with AND.
            guard !texts.isEmpty || settings.ignoresEmptyLists else { throw .noTarget }
            if !texts.isEmpty { lists[name] = texts }
        }
        guard !lists.isEmpty else { throw .noTarget }
        return lists
    }

    /// 21054, 21057 and 21306: live activities and VoIP allow no other content. The other contents cannot be combined.
    static func checkMixture(_ contents: [String], _ settings: EngageLabSimulatorSettings) throws(Refusal) {
        guard contents.count > 1 else { return }
        if contents.contains("live_activity") { throw Refusal(400, 21_054, "live_activity goes alone") }
        if contents.contains("voip") { throw Refusal(400, 21_057, "voip goes alone") }
        guard settings.allowsMixedContents else {
            throw Refusal(401, 21_306, "notification and message cannot be sent together")
        }
    }

    static func checkOnlyIOS(_ body: [String: JSONValue], _ platforms: Set<String>) throws(Refusal) {
        guard platforms != ["ios"] else { return }
        if body["live_activity"] != nil { throw Refusal(400, 21_056, "live_activity is for ios") }
        if body["voip"] != nil { throw Refusal(400, 21_058, "voip is for ios") }
    }

    static func checkLiveActivity(_ activity: JSONValue, _ audience: [String: [String]]) throws(Refusal) {
        if case .object(let parts) = activity {
            for key in parts.keys.sorted() where key != "ios" { throw .unknownField("live_activity.\(key)") }
        }
        guard case .object(let ios) = activity["ios"] else { throw .missing("live_activity.ios") }
        let event = ios["event"]?.stringValue ?? ""
        guard ["start", "update", "end"].contains(event) else { throw Refusal(400, 21_050, "event is invalid") }
        if event == "start" {
            guard audience.keys.allSatisfy({ $0 == "registration_id" }) else {
                throw Refusal(400, 21_051, "a start is for all or for registration_id")
            }
            guard ios["attributes-type"]?.stringValue?.isEmpty == false else {
                throw Refusal(400, 21_052, "attributes-type is missing")
            }
        }
        guard ios["content-state"] != nil else { throw Refusal(400, 21_053, "content-state is missing") }
        if case .object(let alert) = ios["alert"] {
            for key in alert.keys.sorted() where !["sound", "title", "body"].contains(key) { throw .unknownField(key) }
        }
    }

    static func checkOptions(
        _ options: JSONValue?, _ notification: JSONValue?, kinds: [String], _ settings: EngageLabSimulatorSettings
    ) throws(Refusal) {
        if let minutes = options?["big_push_duration"]?.intValue {
            guard minutes <= Rules.longestPacing else { throw Refusal(400, 23_006, "big_push_duration is over 1440") }
            let isPaceable = kinds.contains("notification") || kinds.contains("message")
            guard isPaceable || minutes == 0 else { throw Refusal(401, 21_059, "this message cannot be paced") }
        }
        if let key = options?["cid"]?.stringValue, !Rules.isKey(key) {
            throw Refusal(400, 23_003, "cid has a wrong format")
        }
        guard case .object(let makers) = options?["third_party_channel"] else { return }
        for (name, maker) in makers.sorted(by: { $0.key < $1.key }) {
            guard case .object(let fields) = maker else { throw .wrongType("third_party_channel.\(name)") }
            guard let distribution = fields["distribution"] else { continue }
            guard let word = distribution.stringValue, !word.isEmpty, settings.distributions?.contains(word) ?? true
            else {
                throw Refusal(401, 27_009, "distribution is invalid")
            }
            // A custom message has no alert, so it cannot be empty.
            guard let notification else { continue }
            let alerts = [notification["alert"]] + ["android", "ios", "hmos"].map { notification[$0]?["alert"] }
            let isShown = alerts.contains { ($0?.stringValue ?? $0?["body"]?.stringValue)?.isEmpty == false }
            guard isShown else { throw Refusal(401, 27_008, "distribution without an alert") }
        }
    }

    static func checkArguments(_ arguments: JSONValue?) throws(Refusal) {
        guard let arguments else { return }
        let text: String
        switch arguments {
        case .string(let string): text = string
        case .object: text = String(decoding: JSONWriter.bytes(of: arguments), as: UTF8.self)
        default: throw .wrongType("custom_args")
        }
        guard text.unicodeScalars.count <= Rules.customArgumentCharacters else { throw .wrongType("custom_args") }
    }

    /// Each platform needs a text to show, its own or the common one. HarmonyOS needs its own.
    static func checkAlerts(
        _ notification: JSONValue?, _ platforms: Set<String>, _ settings: EngageLabSimulatorSettings
    ) throws(Refusal) {
        guard let notification else { return }
        func isAlert(_ value: JSONValue?) -> Bool {
            if case .object = value { true } else { value?.stringValue != nil }
        }
        for value in [notification["alert"], notification["android"]?["alert"], notification["ios"]?["alert"]] {
            if let value, !isAlert(value) { throw .wrongType("alert") }
        }
        if notification["hmos"] != nil, notification["hmos"]?["alert"] == nil { throw .missing("hmos.alert") }
        if let harmony = notification["hmos"], let type = harmony["push_type"]?.intValue, type != 0,
            harmony["extra_data"] == nil
        {
            throw .missing("hmos.extra_data")
        }
        if let lines = notification["hmos"]?["inbox_content"]?.arrayValue?.compactMap(\.stringValue) {
            guard lines.count <= 3, lines.allSatisfy({ $0.unicodeScalars.count <= 1024 }) else {
                throw .wrongType("inbox_content")
            }
        }
        if let level = notification["ios"]?["interruption-level"]?.stringValue,
            !Rules.interruptionLevels.contains(level)
        {
            throw .invalid("interruption-level")
        }
        guard notification["alert"] == nil, settings.needsAlert else { return }
        let named = ["android", "ios", "hmos"].filter { notification[$0] != nil && platforms.contains($0) }
        // On iOS, a background push or one that only sets the badge has no text.
        func isSilent(_ platform: String) -> Bool {
            platform == "ios"
                && ["content-available", "badge"].contains { notification["ios"]?[$0] != nil }
        }
        guard !named.isEmpty, named.allSatisfy({ notification[$0]?["alert"] != nil || isSilent($0) }) else {
            throw .missing("alert")
        }
    }
}
