import PushAdapter

extension HonorOptions {
    private static let shown = "android.notification."

    static let rules: [OptionRule] = [
        .oneOf("android.targetUserType", 0, 1), .needs("android.notification", .notification),
        .oneOf(shown + "importance", "LOW", "NORMAL"), .oneOf(shown + "style", 0, 1),
        .form(
            shown + "notifyId", "-1 to 2147483647, as a number or a text",
            refusing: [-2, 2_147_483_648, "seven", true]
        ) { $0.identifier.flatMap { Int($0) }.map { (-1...Int(Int32.max)).contains($0) } ?? false },
        .form(shown + "when", "a text or a number", refusing: ["", true, ["now"]]) { $0.identifier?.isEmpty == false },
        .form(
            shown + "buttons", "1 to 3 objects with a name of 1 to 40 and data of up to 1024 characters",
            refusing: [
                [], [["name": "a"], ["name": "b"], ["name": "c"], ["name": "d"]], [["data": "d"]],
                [["name": .string(String(repeating: "a", count: 41))]],
                [["name": "a", "data": .string(String(repeating: "a", count: 1025))]],
                [["name": "a", "actionType": 3]], [["name": "a", "intentType": 2]],
            ], areButtons),
    ]

    /// The options are a part of the vendor's body, into which the encoder writes the fields of the model. The style
    /// brings two further fields.
    static let places = OptionPlaces(
        of: Self.self,
        ["android": ["android.*"], "android.notification": ["android.notification.*"]],
        elsewhere: [shown + "style"])

    private static func areButtons(_ value: JSONValue) -> Bool {
        let buttons = value.arrayValue ?? []
        return (1...3).contains(buttons.count) && buttons.allSatisfy(isButton)
    }

    private static func isButton(_ button: JSONValue) -> Bool {
        guard let name = button["name"], name != "" else { return false }
        return isShort(name, 40) && (button["data"].map { isShort($0, 1024) } ?? true)
            && (button["actionType"].map { [0, 1, 2].contains($0) } ?? true)
            && (button["intentType"].map { [0, 1].contains($0) } ?? true)
    }

    private static func isShort(_ text: JSONValue, _ most: Int) -> Bool {
        (text.stringValue?.unicodeScalars.count ?? .max) <= most
    }

    /// The options of a message as JSON, which is the vendor's form. Nil if the message has none.
    static func checked(in message: Message) throws(PushError) -> JSONValue? {
        guard try message.options(HonorOptions.self) != nil else { return nil }
        try message.check(rules, of: provider)
        return message.options[provider]
    }
}

extension HonorOptions {
    /// Whether a message is one of the vendor's test messages.
    static func isTest(_ message: Message) -> Bool {
        message.options[provider]?["android"]?["targetUserType"] == 1
    }

    /// The style of the notification; nil leaves it to the vendor.
    static func style(_ options: JSONValue?) -> JSONValue? {
        guard let style = options?["android"]?["notification"]?["style"], style != .null else { return .none }
        return .some(style)
    }
}
