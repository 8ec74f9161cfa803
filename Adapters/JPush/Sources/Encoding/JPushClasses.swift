import PushAdapter

/// The class of a message in the vendor's fields: its own classification, and a word for each phone maker that it passes
/// messages to. Source: Push API v3 and its page of message classes, 2025-04; community Go SDK 1.0.8, 2026-07.
enum JPushClasses {
    /// The makers whose words the vendor passes on.
    static let makers: Set<ProviderID> = [.huawei, .harmony, .honor, .xiaomi, .oppo, .vivo]

    /// The message with the fields of its class. Values that it has already, in its options or for HarmonyOS, win.
    static func applied(to message: Message, _ capabilities: Capabilities) throws(PushError) -> Message {
        guard let words = try MakerWords(message, capabilities) else { return message }
        var message = message
        var options = try message.options(JPushOptions.self) ?? JPushOptions()
        options.classification = options.classification ?? (words.isService ? 1 : 0)
        options.thirdPartyChannel = try fields(words).overlaid(by: options.thirdPartyChannel ?? [:])
        try message.set(options)
        message.setHarmonyCategory(words.word(at: .harmony))
        return message
    }

    /// An object for each maker with a word or a template.
    private static func fields(_ words: MakerWords) throws(PushError) -> [String: JSONValue] {
        var makers: [ProviderID: [String: JSONValue]] = [:]
        for (maker, field) in [
            (ProviderID.huawei, "category"), (.honor, "importance"), (.oppo, "category"), (.vivo, "category"),
            (.xiaomi, "channel_id"),
        ] {
            makers[maker, default: [:]][field] = words.word(at: maker).map(JSONValue.string)
        }
        if let (id, template) = words.template(at: .xiaomi) {
            makers[.xiaomi, default: [:]]["mi_template_id"] = .string(id)
            makers[.xiaomi, default: [:]]["mi_template_param"] = .string(try MakerWords.xiaomiValues(of: template))
        }
        if let (id, template) = words.template(at: .oppo) {
            makers[.oppo, default: [:]]["private_msg_template_id"] = .string(id)
            for (field, values) in [
                ("private_title_parameters", template.titleValues), ("private_content_parameters", template.bodyValues),
            ] where !values.isEmpty {
                makers[.oppo, default: [:]][field] = .object(values.mapValues(JSONValue.string))
            }
        }
        let given = makers.filter { !$0.value.isEmpty }
        return Dictionary(uniqueKeysWithValues: given.map { ($0.key.rawValue, JSONValue.object($0.value)) })
    }
}
