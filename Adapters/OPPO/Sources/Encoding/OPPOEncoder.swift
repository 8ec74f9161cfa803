import PushAdapter

/// Writes messages in the vendor's form.
struct OPPOEncoder {
    let oppo: OPPO

    func encode(_ message: Message) throws(PushError) -> OPPOMessage {
        let notification = try message.onlyNotification(at: "OPPO")
        let options = try OPPOOptions.checked(in: message)
        var encoded = OPPOMessage(message: message)
        encoded.fields = options.fields ?? [:]
        try addTexts(of: notification, options, to: &encoded)
        Self.add(notification.android?.tap, to: &encoded)
        Self.add(extras: notification.android?.extras ?? notification.extras, to: &encoded)
        Self.add(lifetime: message.timeToLive, to: &encoded)
        encoded.fields["channel_id"] = notification.android?.channelID.map(JSONValue.string)
        try addClass(options, to: &encoded)
        try Self.add(options, to: &encoded)
        return encoded
    }

    /// Title and text, which the vendor demands. A text that is too long for the standard form is a long text.
    private func addTexts(
        of notification: Notification, _ options: OPPOOptions, to encoded: inout OPPOMessage
    ) throws(PushError) {
        let (title, body) = try notification.texts(orTitle: oppo.defaultTitle, at: OPPO.id, named: "OPPO")
        let style = options.style ?? (body.utf16.count > OPPOLimits.shortContent ? 2 : 1)
        encoded.fields.merge(["title": .string(title), "content": .string(body), "style": JSONValue(style)]) { $1 }
        encoded.amounts += [
            .amount(title.utf16.count, .oppoTitle, "the title"),
            .amount(body.utf16.count, style == 1 ? .oppoContent : .oppoLongContent, "the text"),
        ]
    }

    /// Adds the fields for a tap that opens the app, one of its pages, or a page on the web.
    private static func add(_ tap: TapAction?, to encoded: inout OPPOMessage) {
        let type =
            switch tap {
            case nil: 0
            case .intentAction: 1
            case .link: 2
            case .activity: 4
            case .intentURI: 5
            }
        encoded.fields["click_action_type"] = JSONValue(type)
        guard let value = tap?.value else { return }
        let isAddress = type == 2 || type == 5
        encoded.fields[isAddress ? "click_action_url" : "click_action_activity"] = .string(value)
        encoded.amounts.append(
            .amount(value.utf16.count, isAddress ? .oppoAddress : .oppoActivity, "the action of a tap"))
    }

    private static func add(extras: [String: JSONValue], to encoded: inout OPPOMessage) {
        guard !extras.isEmpty else { return }
        let text = jsonText(of: extras)
        encoded.fields["action_parameters"] = .string(text)
        encoded.amounts.append(.amount(text.utf16.count, .oppoParameters, "the extras"))
    }

    /// A life of zero is for devices that are on line only.
    private static func add(lifetime: Duration?, to encoded: inout OPPOMessage) {
        guard let lifetime else { return }
        // The bounds keep the number exact; the client refuses values beyond them.
        let seconds = max(0, min(lifetime.components.seconds, 1 << 40))
        encoded.fields["off_line"] = .bool(seconds > 0)
        if seconds > 0 { encoded.fields["off_line_ttl"] = JSONValue(Int(seconds)) }
    }

    /// The category and the template of the message's class. A category of the options wins.
    private func addClass(_ options: OPPOOptions, to encoded: inout OPPOMessage) throws(PushError) {
        let words = try MakerWords(encoded.message, oppo.capabilities)
        encoded.category = options.category ?? words?.word(at: .oppo)
        encoded.fields["category"] = encoded.category.map(JSONValue.string)
        guard let (id, template) = words?.template(at: .oppo) else { return }
        encoded.fields["private_msg_template_id"] = .string(id)
        encoded.fields["private_title_parameters"] = values(template.titleValues)
        encoded.fields["private_content_parameters"] = values(template.bodyValues)
    }

    private func values(_ texts: [String: String]) -> JSONValue? {
        guard !texts.isEmpty else { return Optional.none }
        let fields = texts.mapValues(JSONValue.string)
        return oppo.writesTemplateObjects ? .object(fields) : .string(Self.jsonText(of: fields))
    }

    private static func add(_ options: OPPOOptions, to encoded: inout OPPOMessage) throws(PushError) {
        guard options.notifyLevel == nil || encoded.category != nil else {
            throw PushError(
                .invalidArgument,
                "the oppo option notify_level needs a category; give the message a class, or the option category",
                operation: .send)
        }
        let numbers: [(name: String, value: Int?)] = [
            ("notify_level", options.notifyLevel), ("notify_id", options.notifyID), ("show_ttl", options.showTTL),
            ("network_type", options.networkType),
        ]
        for case (let name, let value?) in numbers { encoded.fields[name] = JSONValue(value) }
        if let text = options.subTitle {
            encoded.fields["sub_title"] = .string(text)
            encoded.amounts.append(.amount(text.utf16.count, .oppoSubTitle, "the option sub_title"))
        }
        if let time = options.showTTL, encoded.isMarketing {
            encoded.amounts.append(.amount(time, .oppoMarketingShown, "the option show_ttl of marketing"))
        }
    }

    private static func jsonText(of fields: [String: JSONValue]) -> String {
        String(decoding: JSONWriter.bytes(of: .object(fields)), as: UTF8.self)
    }
}
