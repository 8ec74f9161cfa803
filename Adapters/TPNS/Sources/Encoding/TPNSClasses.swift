import PushAdapter

/// The class of a message in the vendor's fields for phone makers. Source: Push API and the guide to message classes,
/// 2024-01.
enum TPNSClasses {
    /// The makers whose words the vendor passes on. Xiaomi and OPPO get channels of the app.
    static let makers: Set<ProviderID> = [.huawei, .xiaomi, .oppo, .vivo]

    /// The message with the fields of its class. Values in its options win.
    static func applied(to message: Message, _ capabilities: Capabilities) throws(PushError) -> Message {
        guard let words = try MakerWords(message, capabilities) else { return message }
        let fields: [(name: String, value: String?)] = [
            ("hw_category", words.word(at: .huawei)), ("xm_ch_id", words.channel(at: .xiaomi)),
            ("oppo_ch_id", words.channel(at: .oppo)),
            // 1 is for messages of the system, 0 for those of operation.
            ("vivo_ch_id", words.channel(at: .vivo) ?? (words.isService ? "1" : "0")),
        ]
        var message = message
        var options = try message.options(TPNSOptions.self) ?? TPNSOptions()
        let written = fields.compactMap { field in field.value.map { (field.name, JSONValue.string($0)) } }
        options.android = Dictionary(uniqueKeysWithValues: written).overlaid(by: options.android ?? [:])
        try message.set(options)
        return message
    }
}
