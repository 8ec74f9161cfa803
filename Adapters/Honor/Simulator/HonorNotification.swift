import PushAdapter
import PushSimulation

/// `android.notification` over `notification`, after every check.
struct HonorNotification {
    /// A change of the number on the icon.
    enum BadgeChange {
        case set(Int)
        case add(Int)

        /// The number after the change.
        func number(after old: Int) -> Int {
            switch self {
            case .set(let number): number
            case .add(let number): old + number
            }
        }
    }

    let title: String
    let body: String
    let image: String?
    /// `importance` is `NORMAL`; nil without the field.
    let isService: Bool?
    let tap: TapAction?
    let badge: BadgeChange?
    let group: String?
    /// The value by which a later notification replaces this one.
    let replacementID: String?

    init(_ own: Fields, _ common: Fields?) throws(Refusal) {
        title = try Self.text("title", own, common)
        body = try Self.text("body", own, common)
        let images = (try own.address("image"), try common?.address("image"))
        image = images.0 ?? images.1
        isService = try own.text("importance", of: ["LOW", "NORMAL"]).map { $0 == "NORMAL" }
        guard let action = try own.object("clickAction") else { throw .structure("clickAction is missing") }
        tap = try Self.tap(action)
        badge = try Self.badge(own.object("badge"))
        group = try own.text("group")
        let number = try own.number("notifyId")
        replacementID = try own.text("tag") ?? number.flatMap { $0 == -1 ? nil : String($0) }
        try Self.checkStyle(own, title, body)
        for button in try own.objects("buttons") ?? [] { try Self.check(button) }
        guard try own.list("buttons")?.count ?? 0 <= 3 else { throw .parameters("more than three buttons") }
    }

    private static func text(_ name: String, _ own: Fields, _ common: Fields?) throws(Refusal) -> String {
        let texts = (try own.text(name), try common?.text(name))
        guard let text = texts.0 ?? texts.1, !text.isEmpty else { throw .parameters("\(name) is missing") }
        return text
    }

    private static func tap(_ action: Fields) throws(Refusal) -> TapAction? {
        let texts = (intent: try action.text("intent") ?? "", action: try action.text("action") ?? "")
        switch try action.needNumber("type") {
        case 1 where !texts.intent.isEmpty: return .intentURI(texts.intent)
        case 1 where !texts.action.isEmpty: return .intentAction(texts.action)
        case 1: throw .parameters("clickAction needs intent or action")
        case 2: return .link(try action.required("url", action.address("url")))
        case 3: return nil
        default: throw .parameters("clickAction.type is unknown")
        }
    }

    private static func badge(_ fields: Fields?) throws(Refusal) -> BadgeChange? {
        guard let fields else { return nil }
        _ = try fields.needText("badgeClass")
        let added = try fields.number("addNum", in: 1...99)
        if let number = try fields.number("setNum", in: 0...99) { return .set(number) }
        return .add(try fields.required("addNum", added))
    }

    /// The long texts of style 1 are the short ones.
    private static func checkStyle(_ own: Fields, _ title: String, _ body: String) throws(Refusal) {
        let big = (title: try own.text("bigTitle"), body: try own.text("bigBody"))
        if try own.number("style", in: 0...1) == 1, big != (title, body) {
            throw .parameters("bigTitle and bigBody are not title and body")
        }
        // Clients disagree about the type.
        if let time = own["when"], time.stringValue == nil, time.intValue == nil { throw .parameters("when") }
    }

    private static func check(_ button: Fields) throws(Refusal) {
        _ = try button.required("name", button.text("name", most: 40))
        _ = try button.required("actionType", button.number("actionType", in: 0...2))
        _ = try button.number("intentType", in: 0...1)
        _ = try button.text("intent")
        _ = try button.text("data", most: 1024)
    }

    /// Writes the parts that a phone shows.
    func show(in content: inout DeliveredMessage) {
        content.title = title
        content.alert = body
        content.image = image
        content.tap = tap
        content.thread = group
        content.collapseID = replacementID
    }
}
