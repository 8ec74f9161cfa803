import PushAdapter

/// Writes messages in the vendor's form.
struct XiaomiEncoder {
    let xiaomi: Xiaomi

    func encode(_ message: Message) throws(PushError) -> XiaomiMessage {
        try message.checkHasOneContent(at: "Xiaomi")
        let options = try XiaomiOptions.checked(in: message)
        var encoded = XiaomiMessage(message: message, options: options)
        encoded.form.add("restricted_package_name", xiaomi.packageName)
        if let custom = message.custom {
            encoded.form.add("pass_through", "1")
            Self.add(payload: custom.content, to: &encoded)
        } else if let notification = message.notification {
            try add(notification, to: &encoded)
        }
        if let type = options.notifyType { encoded.form.add("notify_type", String(type)) }
        if let time = message.timeToLive {
            // The bounds keep the product in range; the client refuses values beyond them.
            encoded.form.add("time_to_live", String(max(0, min(time.components.seconds, 1 << 40)) * 1000))
        }
        encoded.extra.merge(options.extra ?? [:]) { $1 }
        return encoded
    }

    private func add(_ notification: Notification, to encoded: inout XiaomiMessage) throws(PushError) {
        let (title, body) = try notification.texts(orTitle: xiaomi.defaultTitle, at: Xiaomi.id, named: "Xiaomi")
        encoded.form.add("pass_through", "0")
        encoded.form.add("title", title)
        encoded.form.add("description", body)
        encoded.amounts = [
            .amount(title.utf16.count, .xiaomiTitle, "the title"),
            .amount(body.utf16.count, .xiaomiDescription, "the text"),
        ]
        let data = JSONWriter.bytes(of: .object(notification.android?.extras ?? notification.extras))
        Self.add(payload: String(decoding: data, as: UTF8.self), to: &encoded)
        encoded.extra = try Self.action(notification.android?.tap)
        encoded.extra["badge"] = try notification.android?.badge.map(Self.number)
        try add(notification.android?.channelID, to: &encoded)
    }

    /// The app that reads the payload decodes it once more than the form.
    private static func add(payload: String, to encoded: inout XiaomiMessage) {
        encoded.form.add("payload", PercentEncoding.encode(payload))
    }

    /// The fields for a tap that opens the app, one of its pages, or a page on the web.
    private static func action(_ tap: TapAction?) throws(PushError) -> [String: String] {
        switch tap {
        case nil: return ["notify_effect": "1"]
        case .intentURI(let uri): return ["notify_effect": "2", "intent_uri": uri]
        case .link(let address): return ["notify_effect": "3", "web_uri": address]
        case let other?: throw MessageField.android("tap").form(other.name).refusal(by: Xiaomi.id)
        }
    }

    private static func number(_ badge: Badge) throws(PushError) -> String {
        guard case .set(let number) = badge else {
            throw MessageField.android("badge").form("add").refusal(by: Xiaomi.id)
        }
        return String(number)
    }

    /// The channel and the template of the message's class. A channel of the notification wins.
    private func add(_ channel: String?, to encoded: inout XiaomiMessage) throws(PushError) {
        let words = try MakerWords(encoded.message, xiaomi.capabilities)
        encoded.extra["channel_id"] = channel ?? words?.channel(at: .xiaomi)
        encoded.intent = words?.messageClass.intent
        guard let (id, template) = words?.template(at: .xiaomi) else { return }
        encoded.extra["template_id"] = id
        encoded.extra["template_param"] = try MakerWords.xiaomiValues(of: template)
    }
}
