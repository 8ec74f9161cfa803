import FoundationEssentials
import PushAdapter
import PushSimulation

/// A push as the vendor reads it, checked against every rule on its page.
struct PushObject {
    var audience: String
    var isNotification: Bool
    var tokens: [String] = []
    var accounts: [String] = []
    var accountType = 0
    var toAllDevices = false
    var ignoresBadTokens = false
    var package: Int?
    var tagRules: [Rule] = []
    /// `product` or `dev`; nil on Android.
    var environment: String?
    var life = Rules.standardLife
    var sendTime: String?
    var loop: Loop?
    var collapse: Int?
    var plan: String?

    // The notification on the screen.
    var title: String?
    var content: String?
    var badge: Int?
    var media: String?
    var subtitle: String?
    var sound: String?
    var category: String?
    var thread: String?
    var channel: String?
    /// The target of a tap; nil for the app itself.
    var tap: TapAction?
    var interruptionLevel: String?
    var isMutable = false
    /// Whether the texts have gaps for attributes, and the texts for devices that lack one.
    var hasGaps = false
    var standardTitle: String?
    var standardContent: String?
    /// Channels that are turned off.
    var closed: Set<String> = []
    var isMultiPackage = false
    var data: [String: JSONValue] = [:]
    /// A digest of message and audience, to recognize repetitions.
    var digest: [UInt8] = []

    struct Rule {
        var items: [Item]
        var isAnd: Bool
        var isNot: Bool
    }

    struct Item {
        var type: String
        var tags: [String]
        var needsAll: Bool
        var isAnd: Bool
        var isNot: Bool
    }

    struct Loop {
        var start: String
        var end: String
        var type: Int
        var days: [Int]
        var times: [String]
    }

    var isBroad: Bool { ["all", "tag", "package_account_push", "package_token_push"].contains(audience) }
    var takesTimes: Bool { ["all", "tag", "package_account_push"].contains(audience) }

    init(_ fields: Fields, isIOS: Bool, _ settings: TPNSSimulatorSettings) throws(Refusal) {
        audience = try fields.needText("audience_type")
        let type = try fields.needText("message_type")
        environment = isIOS ? try fields.needText("environment") : nil
        isNotification = type == "notify"
        guard let message = try fields.object("message"), let raw = fields["message"] else { throw .missing("message") }
        guard Rules.audiences.contains(audience) else { throw .invalid("audience_type") }
        guard ["notify", "message"].contains(type) else { throw .invalid("message_type") }
        guard ["product", "dev", nil].contains(environment) else { throw .invalid("environment") }
        guard JSONWriter.bytes(of: raw).count <= Rules.messageBytes else { throw .invalid("message") }
        try readTarget(fields)
        try readOptions(fields)
        try read(message, isIOS, needsIOS: settings.needsIOSObject)
        let tags = fields["tag_rules"] ?? fields["tag_list"] ?? .null
        digest = JSONWriter.bytes(of: [raw, .string(type), .string(audience), tags])
    }

    /// A text with its gaps filled, or the standard text if the device lacks an attribute.
    func filled(_ text: String?, _ standard: String?, _ attributes: [String: String]) -> String? {
        guard hasGaps, var filled = text else { return text }
        for (name, value) in attributes { filled = filled.replacing("{{\(name)}}", with: value) }
        return filled.contains("{{") ? standard ?? text : filled
    }

    // MARK: Target

    private mutating func readTarget(_ fields: Fields) throws(Refusal) {
        switch audience {
        case "token", "token_list":
            tokens = try fields.needTexts("token_list")
            guard tokens.count <= Rules.targets else { throw .invalid("token_list") }
            tokens = audience == "token" ? Array(tokens.prefix(1)) : tokens.withoutRepetitions
        case "account", "account_list":
            accounts = try fields.needTexts("account_list")
            guard accounts.count <= Rules.targets else { throw .invalid("account_list") }
            if audience == "account" { accounts = Array(accounts.prefix(1)) }
            accountType = try Self.accountType(fields)
            toAllDevices = try Self.bit(fields, "account_push_type")
        case "package_account_push", "package_token_push": package = try fields.needNumber("upload_id")
        case "tag": try readTags(fields)
        default: break
        }
        ignoresBadTokens = try Self.bit(fields, "ignore_invalid_token")
    }

    /// One of the vendor's samples has the account type as text.
    private static func accountType(_ fields: Fields) throws(Refusal) -> Int {
        if let text = fields["account_type"]?.stringValue {
            guard let number = Int(text) else { throw .invalid("account_type") }
            return number
        }
        return try fields.number("account_type") ?? 0
    }

    private static func bit(_ fields: Fields, _ name: String) throws(Refusal) -> Bool {
        guard let number = try fields.number(name) else { return false }
        guard [0, 1].contains(number) else { throw .invalid(name) }
        return number == 1
    }

    /// If both are given, the older list is ignored.
    private mutating func readTags(_ fields: Fields) throws(Refusal) {
        if let rules = try fields.objects("tag_rules"), !rules.isEmpty {
            for rule in rules { tagRules.append(try Self.rule(rule)) }
        } else {
            guard let list = try fields.object("tag_list") else { throw .missing("tag_rules") }
            let tags = try list.needTexts("tags")
            let word = try list.needText("op")
            let item = Item(
                type: "xg_user_define", tags: tags, needsAll: try Self.isAnd(word, "op"), isAnd: false, isNot: false)
            tagRules = [Rule(items: [item], isAnd: false, isNot: false)]
        }
        let count = tagRules.reduce(0) { $0 + $1.items.reduce(0) { $0 + $1.tags.count } }
        guard count <= Rules.tagsPerPush else { throw .invalid("tag_rules") }
    }

    private static func rule(_ fields: Fields) throws(Refusal) -> Rule {
        var items: [Item] = []
        for item in try fields.needObjects("tag_items") {
            let type = try item.needText("tag_type")
            guard type == "xg_user_define" || Rules.presetTags.contains(type) else { throw .invalid("tag_type") }
            items.append(
                Item(
                    type: type, tags: try item.needTexts("tags"),
                    needsAll: try isAnd(try item.needText("tags_operator"), "tags_operator"),
                    isAnd: try isAnd(try item.needText("items_operator"), "items_operator"),
                    isNot: try item.required("is_not", try item.flag("is_not"))))
        }
        return Rule(
            items: items, isAnd: try isAnd(try fields.needText("operator"), "operator"),
            isNot: try fields.required("is_not", try fields.flag("is_not")))
    }

    private static func isAnd(_ word: String, _ name: String) throws(Refusal) -> Bool {
        guard ["AND", "OR"].contains(word) else { throw .invalid(name) }
        return word == "AND"
    }

    // MARK: Options

    private mutating func readOptions(_ fields: Fields) throws(Refusal) {
        if let seconds = try fields.number("expire_time") {
            guard (0...Rules.lives.upperBound).contains(seconds) else { throw .invalid("expire_time") }
            life = seconds == 0 ? 0 : max(seconds, Rules.lives.lowerBound)
        }
        if let speed = try fields.number("push_speed"), !Rules.pushSpeed.contains(speed) {
            throw .invalid("push_speed")
        }
        sendTime = try fields.text("send_time")
        if let loop = try fields.object("loop_param") {
            self.loop = Loop(
                start: try loop.needText("startDate"), end: try loop.needText("endDate"),
                type: try loop.needNumber("loopType"), days: try Self.numbers(loop, "loopDayIndexs"),
                times: try loop.needTexts("dayTimes"))
        }
        guard takesTimes || (sendTime == nil && self.loop == nil) else { throw .invalid("send_time") }
        // The vendor's own libraries send 0 if there is none.
        collapse = try fields.number("collapse_id").flatMap { $0 == 0 ? nil : $0 }
        plan = try fields.text("plan_id")
        for rule in try fields.objects("channel_rules") ?? [] {
            let channel = try rule.needText("channel")
            guard Rules.channels.contains(channel), let isClosed = try rule.flag("disable") else {
                throw .invalid("channel_rules")
            }
            if isClosed { closed.insert(channel) }
        }
        if let type = try fields.number("tpns_online_push_type"), ![0, 1].contains(type) {
            throw .invalid("tpns_online_push_type")
        }
        for name in ["force_collapse", "supply_inapp_msg", "resend_by_sms"] { _ = try fields.flag(name) }
        isMultiPackage = try fields.flag("multi_pkg") ?? false
        hasGaps = try fields.flag("ntf_wt_attrs") ?? false
        if try fields.flag("resend_by_sms") == true {
            guard let sms = try fields.object("sms_info") else { throw .missing("sms_info") }
            if let seconds = try sms.number("delay_trigger_time"), seconds < 300 { throw .invalid("sms_info") }
        }
    }

    private static func numbers(_ fields: Fields, _ name: String) throws(Refusal) -> [Int] {
        guard let list = try fields.list(name) else { throw .missing(name) }
        let numbers = list.compactMap(\.intValue)
        guard numbers.count == list.count else { throw .unreadable }
        return numbers
    }

    // MARK: Message

    private mutating func read(_ message: Fields, _ isIOS: Bool, needsIOS: Bool) throws(Refusal) {
        title = try message.text("title")
        content = try message.text("content")
        media = try message.text("xg_media_resources")
        standardTitle = try message.text("default_title")
        standardContent = try message.text("default_content")
        if hasGaps {
            guard standardContent != nil else { throw .missing("default_content") }
            guard isIOS || standardTitle != nil else { throw .missing("default_title") }
        }
        thread = try message.text("thread_id")
        for name in ["thread_sumtext", "xg_media_audio_resources", "default_subtitle"] {
            _ = try message.text(name)
        }
        if let type = try (isIOS ? message : message.object("android"))?.number("show_type"), ![1, 2].contains(type) {
            throw .invalid("show_type")
        }
        for span in try message.objects("accept_time") ?? [] { try Self.check(span) }
        let platform = isIOS ? try message.object("ios") : try message.object("android")
        if let text = try platform?.text("custom_content") {
            guard case .object(let object) = try? JSONValue(parsing: Array(text.utf8)) else {
                throw .invalid("custom_content")
            }
            data = object
        }
        if isIOS {
            // This is the vendor's default.
            isMutable = isNotification
            if let aps = try platform?.object("aps") {
                try readApple(aps, needsAlert: needsIOS)
            } else if !isNotification || needsIOS {
                throw .missing("aps")
            }
        } else {
            sound = platform?["ring_raw"]?.stringValue
            channel = platform?["n_ch_id"]?.stringValue
            tap = Self.tap(of: Fields(platform?["action"]))
            badge = try platform?.number("badge_type")
            if let badge, !(-2...99).contains(badge) { throw .invalid("badge_type") }
        }
        guard isNotification else { return }
        // A push that only changes the badge needs no text.
        if isIOS, badge != nil, title == nil, content == nil { return }
        guard title?.isEmpty == false else { throw .missing("title") }
        guard content != nil else { throw .missing("content") }
    }

    /// Hours and minutes are texts.
    private static func check(_ span: Fields) throws(Refusal) {
        for name in ["start", "end"] {
            guard let moment = try span.object(name) else { throw .missing("accept_time") }
            guard let hour = Int(try moment.needText("hour")), let minute = Int(try moment.needText("min")),
                TimeOfDay(hour: hour, minute: minute).isValid
            else { throw .invalid("accept_time") }
        }
    }
}

extension [String] {
    /// The texts without duplicates, in order of first appearance.
    var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
