import FoundationEssentials
import PushAdapter
import PushSimulation

/// A message after every check that needs no app.
struct OPPOMessage: Sendable {
    private static let latest = Int(Int32.max)

    let title: String?
    let subtitle: String?
    let content: String?
    let tap: TapAction?
    /// The app's data.
    let parameters: [String: JSONValue]
    /// Seconds for which it waits for a phone; nil if it does not.
    let life: Double?
    /// Seconds for which a phone shows it.
    let showLife: Int?
    /// When phones stop showing it.
    let end: Date?
    let channel: String?
    let category: String?
    let level: Int?
    let template: String?
    let titleValues: [String: JSONValue]
    let contentValues: [String: JSONValue]
    let notifyID: Int?
    /// The id by which the vendor recognizes a repetition.
    let ownID: String?
    let receipts: ReceiptOrder?
    let image: String?
    /// Whether it has parts that need a right.
    let usesExtras: Bool

    /// - Parameter isStored: whether it is for a broadcast, the only one that can have a big picture.
    init(_ fields: Fields, _ settings: OPPOSimulatorSettings, isStored: Bool) throws(Refusal) {
        let style = try fields.number("style", in: 1...4) ?? 1
        guard isStored || style != 3 else { throw .illegal("style 3 is for broadcasts") }
        template = fields["private_msg_template_id"]
        let length = style == 2 ? 128 : style == 1 ? settings.contentLength : 50
        title = try fields.text("title", atMost: 50)
        content = try fields.text("content", atMost: length)
        subtitle = try fields.text("sub_title", atMost: 10)
        guard template != nil || title != nil else { throw .missing("title") }
        guard template != nil || content != nil else { throw .missing("content") }
        titleValues = try fields.object("private_title_parameters") ?? [:]
        contentValues = try fields.object("private_content_parameters") ?? [:]
        tap = try Self.tap(fields)
        _ = try fields.text("action_parameters", atMost: 4000)
        parameters = try fields.object("action_parameters") ?? [:]
        let seconds = try fields.number("off_line_ttl", in: 0...settings.longestLife) ?? 3600
        life = try fields.flag("off_line") ?? true ? Double(seconds) : nil
        showLife = try fields.number("show_ttl", in: 0...86_400)
        end = try Self.end(fields)
        _ = try fields.number("network_type", in: 0...1)
        channel = fields["channel_id"]
        category = fields["category"]
        level = try fields.number("notify_level", in: 1...16)
        if let level, ![1, 2, 16].contains(level) { throw .illegal("notify_level") }
        notifyID = try fields.number("notify_id", in: 0...Self.latest)
        ownID = fields["app_message_id"]
        receipts = try ReceiptOrder(fields, settings)
        image = Self.pictures.lazy.compactMap { fields[$0] }.first
        usesExtras = Self.extras.contains { fields[$0] != nil }
    }

    private static let pictures = ["big_picture_url", "medium_picture_url", "small_picture_url"]
    private static let extras = pictures + ["buttons", "intelligentIntent", "deleteIntentData"]

    // MARK: Checks

    private static func tap(_ fields: Fields) throws(Refusal) -> TapAction? {
        let activity = try fields.text("click_action_activity", atMost: 500)
        let url = try fields.text("click_action_url", atMost: 2000)
        func need(_ value: String?, _ name: String) throws(Refusal) -> String {
            guard let value else { throw .missing(name) }
            return value
        }
        switch try fields.number("click_action_type", in: 0...5) ?? 0 {
        case 0: return nil
        case 1: return .intentAction(try need(activity, "click_action_activity"))
        case 2: return .link(try need(url, "click_action_url"))
        case 4: return .activity(try need(activity, "click_action_activity"))
        case 5: return .intentURI(try need(url, "click_action_url"))
        default: throw .illegal("click_action_type")
        }
    }

    /// The end of the time in which phones show the message.
    private static func end(_ fields: Fields) throws(Refusal) -> Date? {
        guard try fields.number("show_time_type", in: 0...1) == 1 else { return nil }
        let start = try fields.number("show_start_time", in: 0...Int.max)
        let end = try fields.number("show_end_time", in: 0...Int.max)
        guard let start, let end else { throw .missing("show_start_time, show_end_time") }
        guard start < end else { throw .illegal("show_end_time") }
        return Date(timeIntervalSince1970: Double(end) / 1000)
    }

    /// The texts of a template with the message's values; nil if the values do not fit.
    func texts(_ template: OPPOTemplate) -> (title: String, content: String)? {
        guard let title = OPPOTemplate.fill(template.title, titleValues),
            let content = OPPOTemplate.fill(template.content, contentValues)
        else { return nil }
        return (title, content)
    }

    /// The message as a phone receives it.
    func delivered(as id: String, _ texts: (title: String, content: String)?) -> DeliveredMessage {
        var message = DeliveredMessage(messageID: id, alert: texts?.content ?? content, title: texts?.title ?? title)
        message.subtitle = subtitle
        message.extras = parameters
        message.channel = channel
        message.category = category
        message.image = image
        message.tap = tap
        message.collapseID = notifyID.map { String($0) }
        return message
    }
}
