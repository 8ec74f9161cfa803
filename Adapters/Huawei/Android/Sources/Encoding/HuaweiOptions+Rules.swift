import HuaweiDialect
import PushAdapter

extension HuaweiOptions {
    private static let shown = "android.notification."

    static let rules: [OptionRule] = [
        .number("android.collapse_key", -1...100), .oneOf("android.target_user_type", 0, 1),
        .needs("android.notification", .notification),
        .custom("android.category", "the vendor's word for the class; PLAY_VOICE for a custom message", refusing: [""])
        {
            $0 != "" && ($0 != "PLAY_VOICE" || $1.notification == nil)
        },
        .form(shown + "color", "#RRGGBB", refusing: ["red", "#12345g"]) {
            $0.stringValue?.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil
        },
        .excludes(shown + "default_sound", is: true, .field(.android("sound"))),
        .form(
            shown + "multi_lang_key", "an object of at most 3 languages for each key",
            refusing: [["key": ["a": "1", "b": "2", "c": "3", "d": "4"]], ["key": "text"]]
        ) { texts in
            Optional(texts).fields.values.allSatisfy { (1...3).contains(Optional($0).fields.count) }
        },
        .oneOf(shown + "style", 0, 1, 3), .needs(shown + "big_title", .option(shown + "style", 1)),
        .needs(shown + "big_body", .option(shown + "style", 1)),
        .needs(shown + "inbox_content", .option(shown + "style", 3)),
        .form(
            shown + "inbox_content", "1 to 5 lines of up to 1024 characters",
            refusing: [[], ["a", "b", "c", "d", "e", "f"], [.string(String(repeating: "a", count: 1025))]]
        ) { value in
            let lines = value.arrayValue ?? []
            return (1...5).contains(lines.count) && lines.allSatisfy { isShort($0, 1024) }
        },
        .oneOf(shown + "importance", "LOW", "NORMAL"),
        .form(
            shown + "vibrate_config", "1 to 10 durations",
            refusing: [[], .array(Array(repeating: "1s", count: 11))]
        ) { (1...10).contains($0.arrayValue?.count ?? 0) },
        .form(shown + "profile_id", "1 to 64 characters", refusing: ["", .string(String(repeating: "a", count: 65))]) {
            $0 != "" && isShort($0, 64)
        },
        .form(
            shown + "buttons", "1 to 3 objects with a name of 1 to 40 and data of up to 1024 characters",
            refusing: [
                [], [["name": "a"], ["name": "b"], ["name": "c"], ["name": "d"]], [["data": "d"]],
                [["name": .string(String(repeating: "a", count: 41))]],
                [["name": "a", "data": .string(String(repeating: "a", count: 1025))]],
            ], areButtons),
    ]

    /// The options are a part of the vendor's body, into which the encoder writes the fields of the model.
    static let places = OptionPlaces(of: Self.self, ["": ["review"], "message.android": ["android.*"]])

    private static func isShort(_ text: JSONValue, _ most: Int) -> Bool {
        (text.stringValue?.unicodeScalars.count ?? .max) <= most
    }

    private static func areButtons(_ value: JSONValue) -> Bool {
        let buttons = value.arrayValue ?? []
        return (1...3).contains(buttons.count)
            && buttons.allSatisfy { button in
                guard let name = button["name"], name != "" else { return false }
                return isShort(name, 40) && (button["data"].map { isShort($0, 1024) } ?? true)
            }
    }

    /// The options of a message as JSON, which is the vendor's form. Empty if the message has none.
    static func fields(of message: Message) throws(PushError) -> [String: JSONValue] {
        guard try message.options(HuaweiOptions.self) != nil else { return [:] }
        try message.check(rules, of: provider)
        return message.options[provider].fields
    }
}
