import FoundationEssentials
import PushAdapter
import PushSimulation

/// A message after every check that needs no app.
struct XiaomiMessage: Sendable {
    private static let longestLife = 1_000 * 86_400_000
    private static let latestID = Int(Int32.max)

    let title: String?
    let description: String?
    /// Decoded once more after the form, because callers encode it.
    let payload: String
    let isPassThrough: Bool
    let playsSound: Bool
    let notifyID: Int
    let tap: TapAction?
    /// Seconds; nil for the class's own.
    let life: Double?
    /// Nil for now.
    let sendAt: Date?
    let jobKey: String?
    let badge: Int?
    let receipts: ReceiptOrder?
    let extras: [String: String]

    init(_ form: Form, _ settings: XiaomiSimulatorSettings, at now: Date) throws(Refusal) {
        extras = form.extras
        isPassThrough = try form.number("pass_through", in: 0...1) == 1
        title = try Self.text("title", form, below: 50, isNeeded: !isPassThrough)
        description = try Self.text("description", form, below: 128, isNeeded: !isPassThrough)
        payload = Self.decoded(try form.need("payload"))
        guard payload.utf8.count <= settings.payloadBytes else { throw .payload }
        let type = try form.number("notify_type", in: -1...7) ?? -1
        playsSound = type & 1 == 1
        notifyID = try form.number("notify_id", in: 0...Self.latestID) ?? 0
        life = try form.number("time_to_live", in: 0...Self.longestLife).map { Double($0) / 1000 }
        sendAt = try form.number("time_to_send", in: 0...Int.max).map { Date(timeIntervalSince1970: Double($0) / 1000) }
        if let sendAt, sendAt.timeIntervalSince(now) > settings.scheduleDays * 86_400 {
            throw .illegal("time_to_send is too late")
        }
        badge = try form.number("extra.badge", in: 0...Int.max)
        jobKey = try Self.jobKey(form["extra.jobkey"], settings)
        tap = isPassThrough ? nil : try Self.tap(form, settings)
        receipts = try ReceiptOrder(form, settings)
        for name in ["extra.only_send_once", "extra.notify_foreground"] { _ = try form.number(name, in: 0...1) }
        if let speed = try form.number("extra.flow_control", in: 1...Int.max), (2..<3000).contains(speed) {
            throw .illegal("flow_control is wrong")
        }
        guard extras.reduce(0, { $0 + $1.key.count + $1.value.count }) < settings.extraLength else { throw .extras }
    }

    var channel: String? { extras["channel_id"] }
    /// Whether a phone that is offline never gets it.
    var isOnlineOnly: Bool { extras["only_send_once"] == "1" }

    /// Whether the message leaves out a phone with these traits, such as its locale and model. A phone without the
    /// trait is in no list.
    func leavesOut(_ traits: [String: String]) -> Bool {
        ["locale", "model", "app_version", "connpt"].contains { name in
            let isListed = { (list: String) in
                list.split(separator: ",").contains { $0 == traits[name] ?? "" }
            }
            return extras[name].map { !isListed($0) } ?? false || extras["\(name)_not_in"].map(isListed) ?? false
        }
    }

    // MARK: Checks

    private static func text(_ name: String, _ form: Form, below most: Int, isNeeded: Bool) throws(Refusal) -> String? {
        guard let text = isNeeded ? try form.need(name) : form[name] else { return nil }
        guard text.unicodeScalars.count < most else { throw .illegal("\(name) is too long") }
        guard text.contains(where: { !$0.isWhitespace }) else { throw .illegal("\(name) is blank") }
        return text
    }

    private static func decoded(_ text: String) -> String {
        PercentEncoding.decode(text.replacing("+", with: "%20")) ?? text.replacing("%", with: "\u{FFFD}")
    }

    private static func jobKey(_ key: String?, _ settings: XiaomiSimulatorSettings) throws(Refusal) -> String? {
        guard let key else { return nil }
        let isSign = { (sign: Character) in sign.isASCII && (sign.isLetter || sign.isNumber) || "_-".contains(sign) }
        guard (1...settings.jobKeyLength).contains(key.count), key.allSatisfy(isSign), key.first != "_" else {
            throw .illegal("jobkey is wrong")
        }
        return key
    }

    private static func tap(_ form: Form, _ settings: XiaomiSimulatorSettings) throws(Refusal) -> TapAction? {
        switch try form.number("extra.notify_effect", in: 1...3) {
        case 2: return .intentURI(try form.need("extra.intent_uri"))
        case 3: return .link(try form.need("extra.web_uri"))
        case nil where settings.demandsNotifyEffect: throw .missing("extra.notify_effect")
        default: return nil
        }
    }

    // MARK: Delivery

    /// The message as a phone receives it.
    func content(_ id: String) -> DeliveredMessage {
        guard !isPassThrough else { return DeliveredMessage(messageID: id, custom: CustomMessage(content: payload)) }
        var content = DeliveredMessage(messageID: id, alert: description, title: title, badge: badge)
        content.extras = extras.filter { !Self.ownNames.contains($0.key) }.mapValues { .string($0) }
        if case .object(let data) = try? JSONValue(parsing: Array(payload.utf8)) {
            content.extras.merge(data) { $1 }
        }
        content.sound = playsSound ? extras["sound_uri"] ?? "default" : nil
        content.channel = channel
        content.image = extras["notification_bigPic_uri"]
        content.tap = tap
        content.collapseID = String(notifyID)
        content.goesToOpenApp = extras["notify_foreground"] == "0"
        return content
    }

    /// The extras that the vendor reads. All others are the app's.
    private static let ownNames: Set<String> = [
        "notify_effect", "intent_uri", "web_uri", "channel_id", "channel_name", "channel_description", "template_id",
        "template_param", "jobkey", "only_send_once", "flow_control", "sound_uri", "ticker", "notify_foreground",
        "badge", "locale", "locale_not_in", "model", "model_not_in", "app_version", "app_version_not_in", "connpt",
        "connpt_not_in", "notification_style_type", "notification_bigPic_uri", "miui.focus.param", "callback",
        "callback.param", "callback.type",
    ]
}
