import PushAdapter

/// The class of a message in the vendor's fields. Only those fields of phone makers are written that were seen at work;
/// the vendor's page does not list the others. Source: AppPush reference, 2026-03-11; integrators' requests.
enum EngageLabClasses {
    /// The makers whose words the vendor passes on. vivo gets the intent only.
    static let makers: Set<ProviderID> = [.huawei, .harmony]

    /// The message with the fields of its class. Values that it has already, in its options or for HarmonyOS, win.
    static func applied(to message: Message, _ capabilities: Capabilities) throws(PushError) -> Message {
        guard let words = try MakerWords(message, capabilities) else { return message }
        var message = message
        var options = try message.options(EngageLabOptions.self) ?? EngageLabOptions()
        let intent = words.isService ? 1 : 0
        options.classification = options.classification ?? intent
        if words.makers.contains(.huawei) {
            var makers: [String: JSONValue] = ["vivo": ["classification": JSONValue(integerLiteral: intent)]]
            makers["huawei"] = words.word(at: .huawei).map { ["category": .string($0)] }
            options.thirdPartyChannel = makers.overlaid(by: options.thirdPartyChannel ?? [:])
        }
        try message.set(options)
        message.setHarmonyCategory(words.word(at: .harmony))
        return message
    }
}
