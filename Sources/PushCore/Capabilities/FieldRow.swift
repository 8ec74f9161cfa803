/// A row of the model's table of message fields. The client checks messages by the table, the kit tests adapters with
/// it, and the pages are generated from it.
package struct FieldRow: Sendable {
    /// A change of a message that sets the field.
    package typealias Edit = @Sendable (inout Message) -> Void

    /// The field, or one form of its values.
    package let field: MessageField
    /// The rule for its values, for people; nil if every value of the type is allowed.
    package let rule: String?
    /// Edits that set the field to a good value; several if its values differ in kind.
    package let examples: [Edit]
    /// Edits that set the field to a value that the rule refuses.
    package let violations: [Edit]
    /// Whether a message sets the field.
    package let isGiven: @Sendable (Message) -> Bool
    /// Why the rule refuses a message; nil for a good one.
    let fault: @Sendable (Message) -> PushError?

    /// Refuses a value that breaks the rule of its field, with `invalidArgument` or `tooLong`.
    package static func check(_ message: Message) throws(PushError) {
        for row in all {
            if let fault = row.fault(message) { throw fault }
        }
    }
}

/// A part of a message that has fields of its own.
struct FieldOwner<Owner: Sendable>: Sendable {
    let read: @Sendable (Message) -> Owner?
    /// Changes the part; creates it if the message has none.
    let edit: @Sendable (inout Message, (inout Owner) -> Void) -> Void

    /// The row of a field.
    func row<Value: Sendable>(
        _ field: MessageField, _ path: any WritableKeyPath<Owner, Value?> & Sendable, _ rule: FieldRule<Value>? = nil,
        examples: [Value], where isMeant: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> FieldRow {
        let value: @Sendable (Message) -> Value? = { message in
            read(message)?[keyPath: path].flatMap { isMeant($0) ? $0 : nil }
        }
        func edits(_ values: [Value]) -> [FieldRow.Edit] {
            values.map { value in { message in edit(&message) { $0[keyPath: path] = value } } }
        }
        return FieldRow(
            field: field, rule: rule?.summary, examples: edits(examples),
            violations: edits(rule?.violations.filter(isMeant) ?? []), isGiven: { value($0) != nil },
            fault: { message in
                guard let rule, let value = value(message), let fault = rule.fault(value) else { return nil }
                return PushError(fault.kind, "the message field \(field) \(fault.text); give \(rule.summary)")
            })
    }

    func text(_ field: MessageField, _ path: any WritableKeyPath<Owner, Text?> & Sendable) -> [FieldRow] {
        [
            row(field, path, examples: [.plain("Another text")]),
            row(
                field.form("localized"), path, .key,
                examples: [.localized(key: "KEY"), .localized(key: "KEY", arguments: ["1", "2"])],
                where: \.isLocalized),
        ]
    }

    func tap(_ field: MessageField, _ path: any WritableKeyPath<Owner, TapAction?> & Sendable) -> [FieldRow] {
        let forms: [(rule: FieldRule<TapAction>, example: TapAction)] = [
            (.link, .link("https://example.com/order/7")), (.uri, .intentURI("myapp://order/7")),
            (.name(TapAction.intentAction), .intentAction("com.example.ORDER")),
            (.name(TapAction.activity), .activity("com.example.OrderActivity")),
        ]
        return forms.map { rule, example in
            row(field.form(example.name), path, rule, examples: [example]) { $0.name == example.name }
        }
    }

    /// The rows of a badge on an icon of Android or HarmonyOS.
    func badge(_ field: MessageField, _ path: any WritableKeyPath<Owner, Badge?> & Sendable) -> [FieldRow] {
        [
            row(field.form("set"), path, .makerBadge, examples: [.set(7)]) { !$0.isChange },
            row(field.form("add"), path, .makerIncrement, examples: [.change(by: 1)], where: \.isChange),
        ]
    }
}
