import PushAdapter

extension PushClient {
    /// What a send of the message leaves out without a refusal.
    func remarks(on message: Message) -> [String] {
        let ignored = FieldRow.all.compactMap { row -> String? in
            guard row.isGiven(message), let reason = capabilities.ignoredFields[row.field] else { return nil }
            return "\(provider.id) ignores the message field \(row.field): \(reason)"
        }
        return ignored + (roles.remarks?(message) ?? []) + [shown(message)].compactMap(\.self)
    }

    /// The notifications a day that phone makers show of the message's class; nil if they show all.
    private func shown(_ message: Message) -> String? {
        guard message.notification != nil,
            let given = message.messageClass ?? capabilities.classes.defaultClass
        else { return nil }
        let rows = capabilities.classQuotas.filter { row in
            row.holder == .device && row.overflow == .dropped && row.intent == given.intent && row.category == nil
        }
        guard !rows.isEmpty else { return nil }
        let numbers = rows.map { "\($0.maker) \($0.limit)" }.joined(separator: ", ")
        return
            "phone makers show a device so many notifications of \(given.intent.rawValue) a day, and drop further ones: "
            + numbers
    }
}
