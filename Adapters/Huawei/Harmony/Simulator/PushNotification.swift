import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushSimulation

/// `payload.notification` after every check.
struct PushNotification {
    private static let idBytes: Set<UInt8> = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=-_ ".utf8)

    let category: String
    let title: String
    let body: String
    let tap: TapAction?
    /// `clickAction.data`.
    let data: [String: JSONValue]
    let image: String?
    let sound: String?
    /// The id by which a later notification replaces this one, or a recall finds it; nil for a generated one.
    let notifyID: Int?
    let uniqueID: String?
    let badge: HuaweiMessage.BadgeChange?
    let isShownInForeground: Bool

    init(_ fields: Fields) throws(Refusal) {
        category = try fields.needText("category")
        title = try fields.needText("title")
        body = try fields.needText("body")
        (tap, data) = try Self.action(fields.needObject("clickAction"))
        image = try fields.address("image")
        sound = try fields.text("sound")
        _ = try fields.number("soundDuration", in: 1...60)
        let id = try fields.number("notifyId", in: -1...Int(Int32.max)) ?? -1
        notifyID = id < 0 ? nil : id
        uniqueID = try fields.text("appMessageId", most: 64)
        if let uniqueID, uniqueID.isEmpty || !uniqueID.utf8.allSatisfy(Self.idBytes.contains) {
            throw .illegal("appMessageId is wrong")
        }
        _ = try fields.text("profileId", most: 64)
        badge = try Self.badge(fields.object("badge"))
        isShownInForeground = try fields.flag("foregroundShow") ?? true
        let style = try fields.number("style", of: [0, 1, 3])
        let lines = try fields.lines("inboxContent", most: 3)
        if style == 3, lines == nil { throw .illegal("inboxContent is missing") }
    }

    /// Only a live view may have the actions 3 and 5.
    private static func action(_ fields: Fields) throws(Refusal) -> (TapAction?, [String: JSONValue]) {
        let type = try fields.required("actionType", fields.number("actionType", of: [0, 1]))
        _ = try fields.object("data")
        let data = fields.values("data")
        let texts = (action: try fields.text("action") ?? "", uri: try fields.text("uri") ?? "")
        guard type == 1 else { return (nil, data) }
        if !texts.action.isEmpty { return (.intentAction(texts.action), data) }
        guard !texts.uri.isEmpty else { throw .illegal("clickAction needs action or uri") }
        let isWeb = texts.uri.hasPrefix("https://") || texts.uri.hasPrefix("http://")
        return (isWeb ? .link(texts.uri) : .intentURI(texts.uri), data)
    }

    private static func badge(_ fields: Fields?) throws(Refusal) -> HuaweiMessage.BadgeChange? {
        let added = try fields?.number("addNum", in: 1...99)
        if let number = try fields?.number("setNum", in: 0...99) { return .set(number) }
        return added.map { .add($0) }
    }
}

extension PushContent {
    /// The message that devices get.
    func message(
        _ id: String, _ project: HarmonyProject, _ settings: HarmonySimulatorSettings, _ now: Date
    ) -> HuaweiMessage {
        var message = HuaweiMessage(content(id, project, settings))
        message.pushType = type.rawValue
        message.appID = project.clientID
        message.bundleName = project.bundleName
        message.tag = tag
        message.until = now.addingTimeInterval(Double(life))
        message.group = group
        message.badge = notification?.badge
        message.uniqueID = notification?.uniqueID
        message.formID = form?.id
        message.isMarketing = type == .alert && message.content.category == MessageCategory.marketing
        message.isTest = isTest
        return message
    }

    private func content(
        _ id: String, _ project: HarmonyProject, _ settings: HarmonySimulatorSettings
    ) -> DeliveredMessage {
        var content = DeliveredMessage(messageID: id)
        if let notification {
            content.title = notification.title
            content.alert = notification.body
            content.category = MessageCategory.effective(notification.category, rights: project.categories)
            content.tap = notification.tap
            content.extras = notification.data
            content.image = notification.image
            content.sound = notification.sound
            content.collapseID = notification.notifyID.map { String($0) }
            content.goesToOpenApp = !notification.isShownInForeground
        }
        if let extraData {
            let object = (try? JSONValue(parsing: Array(extraData.utf8))).flatMap(\.fields)
            if type == .call {
                content.call = object ?? ["extraData": .string(extraData)]
            } else {
                let parts = object?[settings.customKeys.content] == nil ? nil : object
                content.custom =
                    parts.flatMap { settings.customKeys.message(in: $0) } ?? CustomMessage(content: extraData)
            }
        }
        content.activity = liveView?.change
        if let form { content.extras = form.data }
        return content
    }
}

extension JSONValue {
    /// The fields of an object; nil for any other value.
    fileprivate var fields: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }
}
