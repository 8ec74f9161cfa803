import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushSimulation

/// `message` after every check of its fields.
struct AndroidMessage {
    static let serviceCategories = MessageCategory.service.union(["MISS_CALL"])
    private static let longestLife = 1_296_000.0

    /// Nil for a data message.
    let notification: AndroidNotification?
    let data: String?
    let category: String?
    /// Seconds.
    let life: Double
    let group: Int?
    let isUrgent: Bool
    let isTest: Bool
    let tag: String

    init(_ message: Fields, _ settings: HuaweiSimulatorSettings) throws(Refusal) {
        let android = try message.object("android")
        life = try Self.life(android?["ttl"])
        let key = try Self.collapseKey(android?["collapse_key"])
        group = key < 0 ? nil : key
        isUrgent = try android?.text("urgency", of: ["HIGH", "NORMAL"]) == "HIGH"
        isTest = try android?.number("target_user_type", of: [0, 1]) == 1
        tag = try android?.text("bi_tag") ?? ""
        _ = try android?.text("receipt_id")
        category = try android?.text("category")
        let datas = (try android?.text("data"), try message.text("data"))
        data = datas.0 ?? datas.1
        let (common, own) = (try message.object("notification"), try android?.object("notification"))
        if common != nil || own != nil {
            // The action has no place in the common notification.
            guard let own else { throw .illegal("android.notification is missing") }
            notification = try AndroidNotification(own, common)
        } else {
            notification = nil
        }
        guard notification != nil || data?.isEmpty == false else { throw .illegal("notification and data are missing") }
        try checkCategory(settings)
        for text in [notification?.title, notification?.body, data].compactMap({ $0 })
        where settings.sensitiveWords.contains(where: text.contains) { throw .sensitiveWords }
    }

    private func checkCategory(_ settings: HuaweiSimulatorSettings) throws(Refusal) {
        guard let category else { return }
        let isKnown =
            MessageCategory.service.contains(category) || category == MessageCategory.marketing
            || category == "MISS_CALL" && settings.knowsMissedCalls
        guard isKnown || settings.acceptsUnknownCategories else { throw .illegal("category is unknown") }
        if category == MessageCategory.voice, notification != nil { throw .illegal("voice is for data messages") }
    }

    /// Seconds as text, such as `86400s`, as the vendor's samples write them.
    private static func life(_ value: JSONValue?) throws(Refusal) -> Double {
        guard let value else { return 86_400 }
        let text = value.stringValue ?? ""
        let digits = ["s", "S"].contains(text.suffix(1)) ? text.dropLast() : text[...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let life = Double(digits),
            life > 0, life <= longestLife
        else { throw .expiry }
        return life
    }

    private static func collapseKey(_ value: JSONValue?) throws(Refusal) -> Int {
        guard let value else { return -1 }
        guard let key = value.intValue, (-1...100).contains(key) else { throw .collapseKey }
        return key
    }

    // MARK: Delivery

    /// The message that devices get.
    func message(
        _ id: String, _ app: HuaweiApp, _ settings: HuaweiSimulatorSettings, _ now: Date
    ) -> HuaweiMessage {
        var content = DeliveredMessage(messageID: id)
        let category = MessageCategory.effective(category, rights: app.categories)
        let isMarketing = notification != nil && category == MessageCategory.marketing
        let object = data.flatMap { try? JSONValue(parsing: Array($0.utf8)) }.flatMap(\.fields)
        if let notification {
            notification.show(in: &content)
            content.category = category
            content.extras = object ?? [:]
            if isMarketing, settings.silencesMarketing { content.sound = nil }
        } else if let data {
            let parts = object?[settings.customKeys.content] == nil ? nil : object
            content.custom = parts.flatMap { settings.customKeys.message(in: $0) } ?? CustomMessage(content: data)
        }
        var message = HuaweiMessage(content)
        message.appID = app.clientID
        message.bundleName = app.packageName
        message.tag = tag
        message.until = now.addingTimeInterval(life)
        message.group = group
        message.badge = notification?.badge
        message.isMarketing = isMarketing
        message.isTest = isTest
        return message
    }
}

extension JSONValue {
    /// The fields of an object; nil for any other value.
    fileprivate var fields: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }
}
