import HuaweiSimulation
import PushAdapter
import PushSimulation

/// `message.android.notification` over `message.notification`, after every check.
struct AndroidNotification {
    private static let visibilities: Set<String> = ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]

    let title: String
    let body: String
    let image: String?
    let sound: String?
    let channel: String?
    let group: String?
    let tap: TapAction?
    let badge: HuaweiMessage.BadgeChange?
    /// The value by which a later notification replaces this one.
    let replacementID: String?
    let isShownInForeground: Bool

    init(_ own: Fields, _ common: Fields?) throws(Refusal) {
        title = try Self.text("title", own, common)
        body = try Self.text("body", own, common)
        let images = (try own.address("image"), try common?.address("image"))
        image = images.0 ?? images.1
        let isDefault = try own.flag("default_sound") ?? false
        sound = try own.text("sound") ?? (isDefault ? "default" : nil)
        channel = try own.text("channel_id")
        group = try own.text("group")
        tap = try Self.action(own.needObject("click_action"))
        badge = try Self.badge(own.object("badge"))
        let number = try own.number("notify_id")
        replacementID = try own.text("tag") ?? number.map { String($0) }
        isShownInForeground = try own.flag("foreground_show") ?? true
        try Self.checkLook(own)
        try Self.checkTexts(own)
    }

    private static func text(_ name: String, _ own: Fields, _ common: Fields?) throws(Refusal) -> String {
        let texts = (try own.text(name), try common?.text(name))
        // The app translates a key, which stands in for a text.
        let key = try own.text("\(name)_loc_key")
        guard let text = texts.0 ?? texts.1 ?? key, !text.isEmpty else { throw .illegal("\(name) is missing") }
        return text
    }

    private static func action(_ fields: Fields) throws(Refusal) -> TapAction? {
        let texts = (intent: try fields.text("intent") ?? "", action: try fields.text("action") ?? "")
        switch try fields.number("type", of: [1, 2, 3]) {
        case 1 where !texts.intent.isEmpty: return .intentURI(texts.intent)
        case 1 where !texts.action.isEmpty: return .intentAction(texts.action)
        case 1: throw .illegal("click_action needs intent or action")
        case 2: return .link(try fields.required("url", fields.address("url")))
        case 3: return nil
        default: throw .illegal("click_action.type is missing")
        }
    }

    /// Without a number, the badge goes up by one.
    private static func badge(_ fields: Fields?) throws(Refusal) -> HuaweiMessage.BadgeChange? {
        guard let fields else { return nil }
        _ = try fields.needText("class")
        let added = try fields.number("add_num", in: 1...99)
        if let number = try fields.number("set_num", in: 0...99) { return .set(number) }
        return .add(added ?? 1)
    }

    private static func checkLook(_ own: Fields) throws(Refusal) {
        if let color = try own.text("color") {
            let digits = color.dropFirst()
            guard color.hasPrefix("#"), digits.count == 6, digits.allSatisfy(\.isHexDigit) else {
                throw .illegal("color is wrong")
            }
        }
        _ = try own.text("importance", of: ["LOW", "NORMAL"])
        _ = try own.text("visibility", of: visibilities)
        guard try own.list("vibrate_config")?.count ?? 0 <= 10 else { throw .illegal("vibrate_config is too long") }
        _ = try own.object("light_settings")
        _ = try own.text("profile_id", most: 64)
        for name in ["icon", "when"] { _ = try own.text(name) }
    }

    private static func checkTexts(_ own: Fields) throws(Refusal) {
        let style = try own.number("style", of: [0, 1, 3])
        let lines = try own.lines("inbox_content", most: 5)
        let big = (title: try own.text("big_title"), body: try own.text("big_body"))
        if style == 1, big.title == nil || big.body == nil { throw .illegal("big_title or big_body is missing") }
        if style == 3, lines == nil { throw .illegal("inbox_content is missing") }
        for name in ["title_loc_key", "body_loc_key"] { _ = try own.text(name) }
        for name in ["title_loc_args", "body_loc_args"] { _ = try own.texts(name) }
        _ = try own.object("multi_lang_key")
        let languages = own.values("multi_lang_key").values.compactMap { texts -> Set<String>? in
            if case .object(let texts) = texts { Set(texts.keys) } else { nil }
        }
        guard languages.reduce(into: Set(), { $0.formUnion($1) }).count <= 3 else {
            throw .illegal("multi_lang_key has more than three languages")
        }
        let buttons = try own.objects("buttons") ?? []
        guard buttons.count <= 3 else { throw .illegal("more than three buttons") }
        for button in buttons {
            _ = try button.required("name", button.text("name", most: 40))
            _ = try button.text("data", most: 1024)
        }
    }

    /// Writes the parts that a phone shows.
    func show(in content: inout DeliveredMessage) {
        content.title = title
        content.alert = body
        content.image = image
        content.sound = sound
        content.channel = channel
        content.thread = group
        content.tap = tap
        content.collapseID = replacementID
        content.goesToOpenApp = !isShownInForeground
    }
}
