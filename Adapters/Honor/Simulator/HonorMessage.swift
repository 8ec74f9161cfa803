import PushAdapter
import PushSimulation

/// The body of a send after every check of its fields.
struct HonorMessage {
    /// Nil for a message that the app reads: a pass-through.
    let notification: HonorNotification?
    let data: String?
    /// Seconds.
    let life: Double
    let isTest: Bool

    init(_ body: Fields, _ settings: HonorSimulatorSettings) throws(Refusal) {
        let android = try body.object("android")
        let (common, own) = (try body.object("notification"), try android?.object("notification"))
        if common != nil || own != nil {
            // The action has no place in the common notification.
            guard let own else { throw .structure("android.notification is missing") }
            notification = try HonorNotification(own, common)
        } else {
            notification = nil
        }
        data = try body.text("data")
        life = try Self.life(android)
        isTest = try android?.number("targetUserType", in: 0...1) == 1
        _ = try android?.text("biTag")
        try check(settings)
    }

    private func check(_ settings: HonorSimulatorSettings) throws(Refusal) {
        guard notification != nil || data?.isEmpty == false else { throw .parameters("notification and data") }
        if notification != nil, data != nil, values == nil { throw .parameters("data is not a JSON object") }
        if notification?.image != nil, !isService(settings) { throw .pictureInMarketing }
        for text in [notification?.title, notification?.body, data].compactMap({ $0 })
        where settings.sensitiveWords.contains(where: text.contains) { throw .sensitiveContent }
    }

    /// Seconds as text, such as `86400s`.
    private static func life(_ android: Fields?) throws(Refusal) -> Double {
        guard let text = try android?.text("ttl") else { return 86_400 }
        guard text.hasSuffix("s"), text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let life = Int(text.dropLast()), (1...1_296_000).contains(life)
        else { throw .parameters("ttl") }
        return Double(life)
    }

    /// Whether the message asks for the class of service messages.
    func isService(_ settings: HonorSimulatorSettings) -> Bool {
        notification?.isService ?? settings.isServiceByDefault
    }

    /// The fields of `data`; nil for data that is no JSON object.
    private var values: [String: JSONValue]? {
        guard case .object(let values)? = data.flatMap({ try? JSONValue(parsing: Array($0.utf8)) }) else { return nil }
        return values
    }

    // MARK: Delivery

    /// The message as a phone receives it.
    func content(_ id: String, _ settings: HonorSimulatorSettings) -> DeliveredMessage {
        var content = DeliveredMessage(messageID: id)
        if let notification {
            notification.show(in: &content)
            content.extras = values ?? [:]
        } else if let data {
            let parts = values?[settings.customKeys.content] == nil ? nil : values
            content.custom = parts.flatMap { settings.customKeys.message(in: $0) } ?? CustomMessage(content: data)
        }
        return content
    }
}
