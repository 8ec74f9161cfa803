/// Messages to test a rule with.
extension OptionRule {
    /// Whether the rule has something to say about the message.
    package func applies(to message: Message, of vendor: ProviderID) -> Bool {
        let given = option(in: message.options[vendor])
        return given != nil && (value == nil || given == value)
    }

    /// Whether the message breaks the rule.
    package func isBroken(by message: Message, of vendor: ProviderID) -> Bool {
        message.options[vendor].map { fault(of: message, $0) != nil } ?? false
    }

    /// Copies of a message to which the rule applies, with values that the rule accepts.
    package func kept(from message: Message, of vendor: ProviderID) -> [Message] {
        guard case .form(_, _, let accepted) = form else { return [] }
        return accepted.map { message.setting(path, to: $0, of: vendor) }
    }

    /// Copies of a message to which the rule applies that break the rule.
    /// - Parameter samples: messages with values of other options.
    package func broken(from message: Message, of vendor: ProviderID, samples: [Message]) -> [Message] {
        switch form {
        case .form(_, let refused, _): return refused.map { message.setting(path, to: $0, of: vendor) }
        case .needs(let conditions): return [conditions.reduce(message) { $1.removed(from: $0, of: vendor) }]
        case .excludes(let condition): return [condition.added(to: message, of: vendor, samples)]
        }
    }
}

extension OptionRule.Condition {
    /// A copy of a message that does not meet the condition.
    fileprivate func removed(from message: Message, of vendor: ProviderID) -> Message {
        var message = message
        switch self {
        case .notification:
            message.notification = nil
            message.custom = message.custom ?? CustomMessage(content: "data")
        case .custom:
            message.custom = nil
            message.notification = message.notification ?? Notification(title: "Title", body: "Hello")
        case .liveActivity:
            message.liveActivity = nil
            message.notification = message.notification ?? Notification(title: "Title", body: "Hello")
        case .platform(let platform): message.platforms = ([.ios, .android, .harmony] as Set).subtracting([platform])
        case .field: break
        case .option(let path, _): message = message.setting(path, to: .null, of: vendor)
        }
        return message
    }

    /// A copy of a message that meets the condition. The samples have values of options.
    fileprivate func added(to message: Message, of vendor: ProviderID, _ samples: [Message]) -> Message {
        var message = message
        switch self {
        case .notification: message.notification = message.notification ?? Notification(title: "Title", body: "Hello")
        case .custom: message.custom = message.custom ?? CustomMessage(content: "data")
        case .liveActivity, .platform: break
        case .field(let field): FieldRow.all.first { $0.field == field }?.examples.first?(&message)
        case .option(let path, let wanted):
            let keys = path.split(separator: ".").map(String.init)
            let sample = samples.lazy.compactMap { $0.options[vendor]?.value(at: keys) }.first
            message = message.setting(path, to: wanted ?? sample ?? .null, of: vendor)
        }
        return message
    }
}

extension Message {
    /// A copy without one option, and without objects that would be empty then.
    package func removing(_ option: [String], of vendor: ProviderID) -> Message {
        var copy = self
        copy.set((options[vendor] ?? .object([:])).removing(option[...]) ?? .object([:]), of: vendor)
        return copy
    }

    /// A copy with another value of one option. Null removes it.
    fileprivate func setting(_ path: String, to value: JSONValue, of vendor: ProviderID) -> Message {
        var copy = self
        let options = options[vendor] ?? .object([:])
        copy.set(options.setting(path.split(separator: ".").map(String.init)[...], to: value), of: vendor)
        return copy
    }
}

extension JSONValue {
    /// A copy without the value at a path; nil if nothing is left.
    fileprivate func removing(_ keys: ArraySlice<String>) -> JSONValue? {
        guard let key = keys.first else { return nil }
        guard case .object(var fields) = self, let inner = fields.removeValue(forKey: key) else { return self }
        if let rest = inner.removing(keys.dropFirst()) { fields[key] = rest }
        guard !fields.isEmpty else { return nil }
        return .object(fields)
    }

    fileprivate func setting(_ keys: ArraySlice<String>, to value: JSONValue) -> JSONValue {
        guard let key = keys.first else { return value }
        var fields: [String: JSONValue] = [:]
        if case .object(let own) = self { fields = own }
        let inner = (fields[key] ?? .object([:])).setting(keys.dropFirst(), to: value)
        if inner == .null { fields.removeValue(forKey: key) } else { fields[key] = inner }
        return .object(fields)
    }
}
