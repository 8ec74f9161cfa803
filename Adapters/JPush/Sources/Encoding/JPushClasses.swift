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
        options.thirdPartyChannel = try channels(words, under: options.thirdPartyChannel)
        try message.set(options)
        message.setHarmonyCategory(words.word(at: .harmony))
        return message
    }

    /// The given settings, and fields for each maker with a word or a template that the settings lack.
    private static func channels(
        _ words: MakerWords, under given: JPushChannels?
    ) throws(PushError) -> JPushChannels? {
        var channels = given ?? JPushChannels()
        func set<Value>(
            _ field: WritableKeyPath<JPushChannel.Fields, Value?>,
            of maker: WritableKeyPath<JPushChannels, JPushChannel?>, _ value: Value?
        ) {
            guard let value, channels[keyPath: maker]?.fields[keyPath: field] == nil else { return }
            var channel = channels[keyPath: maker] ?? JPushChannel()
            channel.fields[keyPath: field] = value
            channels[keyPath: maker] = channel
        }
        set(\.category, of: \.huawei, words.word(at: .huawei))
        set(\.importance, of: \.honor, words.word(at: .honor))
        set(\.category, of: \.oppo, words.word(at: .oppo))
        set(\.category, of: \.vivo, words.word(at: .vivo))
        set(\.channelID, of: \.xiaomi, words.word(at: .xiaomi))
        if let (id, template) = words.template(at: .xiaomi) {
            set(\.templateID, of: \.xiaomi, id)
            set(\.templateParameters, of: \.xiaomi, try MakerWords.xiaomiValues(of: template))
        }
        if let (id, template) = words.template(at: .oppo) {
            set(\.privateTemplateID, of: \.oppo, id)
            for (field, values) in [
                (\JPushChannel.Fields.privateTitleParameters, template.titleValues),
                (\.privateContentParameters, template.bodyValues),
            ] {
                let all = values.merging(channels.oppo?.fields[keyPath: field] ?? [:]) { $1 }
                channels.oppo?.fields[keyPath: field] = all.isEmpty ? nil : all
            }
        }
        return channels == JPushChannels() ? nil : channels
    }
}
