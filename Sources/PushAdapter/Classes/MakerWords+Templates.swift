extension MakerWords {
    /// The message's template and its id at a maker; nil if it has none there.
    public func template(at maker: ProviderID) -> (id: String, template: MessageClass.Template)? {
        guard makers.contains(maker), let template = messageClass.template, let id = template.ids[maker] else {
            return nil
        }
        return (id, template)
    }

    /// The values of a template in Xiaomi's form: the JSON text of one object for title and text.
    ///
    /// Refuses with `invalidArgument` more than 9 values, a value that is not 1 to 128 characters without emoji and
    /// symbols, and a name with one value in the title and another in the text.
    public static func xiaomiValues(of template: MessageClass.Template) throws(PushError) -> String {
        func refusal(_ text: String) -> PushError {
            PushError(.invalidArgument, "the message field \(MessageField.template): \(text)")
        }
        var values = template.titleValues
        for (name, value) in template.bodyValues.sorted(by: { $0.key < $1.key }) {
            guard (values[name] ?? value) == value else {
                throw refusal(
                    "Xiaomi has one value for \(Redaction.quoted(name)); give the same in the title and in the text")
            }
            values[name] = value
        }
        guard values.count <= 9 else { throw refusal("Xiaomi takes at most 9 values, not \(values.count)") }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where !isXiaomiValue(value) {
            throw refusal(
                "Xiaomi takes 1 to 128 characters without emoji as the value of \(Redaction.quoted(name))")
        }
        return String(decoding: JSONWriter.bytes(of: .object(values.mapValues(JSONValue.string))), as: UTF8.self)
    }

    private static func isXiaomiValue(_ value: String) -> Bool {
        let isBlank = value.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        return !isBlank && value.utf16.count <= 128
            && value.unicodeScalars.allSatisfy { scalar in
                !scalar.properties.isEmojiPresentation
                    && ![.otherSymbol, .unassigned].contains(scalar.properties.generalCategory)
            }
    }
}
