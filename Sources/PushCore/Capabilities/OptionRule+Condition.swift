extension OptionRule {
    /// Something in a message that an option needs or excludes.
    public enum Condition: Sendable, Hashable {
        /// A notification.
        case notification
        /// A custom message.
        case custom
        /// A Live Activity.
        case liveActivity
        /// The message goes to the platform.
        case platform(Platform)
        /// The message sets the field.
        case field(MessageField)
        /// Another option, by its path: any value, or only this one.
        case option(String, JSONValue? = nil)
    }
}

extension OptionRule.Condition {
    /// Its name in a sentence.
    var name: String {
        switch self {
        case .notification: "a notification in the message"
        case .custom: "a custom message"
        case .liveActivity: "a Live Activity in the message"
        case .platform(let platform): "the platform \(platform) in the message"
        case .field(let field): "the message field \(field)"
        case .option(let path, nil), .option(let path, true): "the option \(path)"
        case .option(let path, let value?): "the option \(path) \(value.identifier ?? "\(value.boolValue ?? false)")"
        }
    }

    func isMet(by message: Message, _ options: JSONValue) -> Bool {
        switch self {
        case .notification: return message.notification != nil
        case .custom: return message.custom != nil
        case .liveActivity: return message.liveActivity != nil
        case .platform(let platform): return message.platforms?.contains(platform) ?? true
        case .field(let field): return FieldRow.all.contains { $0.field == field && $0.isGiven(message) }
        case .option(let path, let wanted):
            let given = options.value(at: path.split(separator: ".").map(String.init))
            return given != nil && (wanted == nil || given == wanted)
        }
    }
}
