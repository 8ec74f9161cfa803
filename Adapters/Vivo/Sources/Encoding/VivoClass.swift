import PushAdapter

/// The class of a message in the vendor's words: `classification` and `category`.
struct VivoClass {
    /// Whether it is a system message; an operational one is counted and shown less. A message without a class is
    /// operational, because the vendor punishes the opposite mistake.
    let isService: Bool
    /// Nil if neither the settings nor the model have a word.
    let category: String?

    /// Refuses a word that the vendor has for the other class, with `misconfigured` if it is of the settings, and with
    /// `invalidArgument` if the message has a category of another intent.
    init(_ message: Message, _ capabilities: Capabilities) throws(PushError) {
        let words = try MakerWords(message, capabilities)
        isService = words?.isService ?? false
        category = words?.word(at: .vivo)
        guard let category, Self.categories[!isService]?.contains(category) == true else { return }
        let given = words?.messageClass
        let isOfMessage = given?.category.intent.map { $0 != given?.intent } ?? false
        throw PushError(
            isOfMessage ? .invalidArgument : .misconfigured,
            "\(category) is vivo's category for \(isService ? "marketing" : "service") and the class of the message is "
                + "another; correct \(isOfMessage ? "it" : "categoryWords")", operation: .send)
    }

    /// The vendor's fields.
    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = ["classification": isService ? 1 : 0]
        fields["category"] = category.map(JSONValue.string)
        return fields
    }

    /// The vendor's categories, by whether they are of service. Source: vivo, classes of messages, 2023-04-03.
    private static let categories: [Bool: Set<String>] = [
        true: ["IM", "ACCOUNT", "TODO", "DEVICE_REMINDER", "ORDER", "SUBSCRIPTION"],
        false: ["NEWS", "CONTENT", "MARKETING", "SOCIAL"],
    ]
}
