import PushAdapter

/// Writes messages in the vendor's form.
struct VivoEncoder {
    private typealias Fields = [String: JSONValue]

    let vivo: Vivo

    func encode(_ message: Message) throws(PushError) -> VivoMessage {
        let notification = try message.onlyNotification(at: "vivo")
        let options = try VivoOptions.checked(in: message)
        let classes = try VivoClass(message, vivo.capabilities)
        let isTest = vivo.isTest(options)
        var draft = Draft(fields: Self.fields(of: message).merging(classes.fields) { $1 })
        draft.fields["appId"] = JSONValue(integerLiteral: vivo.appID)
        draft.fields["pushMode"] = isTest ? 1 : 0
        draft.fields["timeToLive"] = try Self.life(of: message)
        try addTexts(of: notification, to: &draft)
        try Self.addExtras(of: notification, to: &draft)
        try Self.add(notification.android?.tap, to: &draft)
        try Self.add(notification.android?.badge, to: &draft)
        return VivoMessage(
            message: message, options: options, fields: draft.json, amounts: draft.amounts,
            isService: classes.isService, isTest: isTest)
    }

    /// The options that are fields of the body. The vendor demands an alert; 4 is both.
    private static func fields(of message: Message) -> Fields {
        let given = VivoOptions.places.fields(of: message.options[Vivo.id], in: "")
        guard case .object(let fields)? = given else { return ["notifyType": 4] }
        return ["notifyType": 4].merging(fields) { $1 }
    }

    /// Fields, and the inputs that the client checks against the limits.
    private struct Draft {
        var fields: Fields
        var amounts: [Input] = []

        /// Without braces.
        var json: [UInt8] { Array(JSONWriter.bytes(of: .object(fields)).dropFirst().dropLast()) }
    }

    /// Title and text, which the vendor demands.
    private func addTexts(of notification: Notification, to draft: inout Draft) throws(PushError) {
        let (title, content) = try notification.texts(orTitle: vivo.defaultTitle, at: Vivo.id, named: "vivo")
        draft.fields["title"] = .string(title)
        draft.fields["content"] = .string(content)
        draft.amounts += [
            .amount(length(of: title), .vivoTitle, "the \(vivo.textMeasure) of the title"),
            .amount(length(of: content), .vivoContent, "the \(vivo.textMeasure) of the text"),
        ]
    }

    private func length(of text: String) -> Int {
        switch vivo.textMeasure {
        case .characters: text.utf16.count
        case .units: text.utf16.reduce(0) { $0 + ($1 < 0x80 ? 1 : 2) }
        }
    }

    private static func life(of message: Message) throws(PushError) -> JSONValue? {
        guard let life = message.timeToLive?.components.seconds else { return .none }
        let least = VivoLimits.shortestLife.single
        guard life >= least else {
            throw PushError(
                .invalidArgument,
                "timeToLive is \(life) s, and vivo keeps a message for \(least) s or more; give a longer time, or leave "
                    + "it out", operation: .send)
        }
        return JSONValue(integerLiteral: Int(life))
    }

    /// Extras. The vendor takes only texts.
    private static func addExtras(of notification: Notification, to draft: inout Draft) throws(PushError) {
        let extras = notification.android?.extras ?? notification.extras
        if let key = extras.filter({ $0.value.stringValue == nil }).keys.min() {
            throw PushError(
                .invalidArgument,
                "the extras have a value under \(Redaction.quoted(key)) that is no text, and vivo takes texts only; "
                    + "write it as one", operation: .send)
        }
        if !extras.isEmpty { draft.fields["clientCustomMap"] = .object(extras) }
        let characters = extras.reduce(0) { $0 + $1.key.utf16.count + ($1.value.stringValue?.utf16.count ?? 0) }
        draft.amounts += [
            .amount(extras.count, .vivoExtras, "the extras"),
            .amount(characters, .vivoExtraCharacters, "the characters of the extras"),
        ]
    }

    /// Adds the fields for a tap that opens the app, a page on the web, or a page of the app.
    private static func add(_ tap: TapAction?, to draft: inout Draft) throws(PushError) {
        switch tap {
        case nil: draft.fields["skipType"] = 1
        case .link: draft.fields["skipType"] = 2
        case .intentURI: draft.fields["skipType"] = 4
        case let other?: throw MessageField.android("tap").form(other.name).refusal(by: Vivo.id)
        }
        guard let address = tap?.value else { return }
        draft.fields["skipContent"] = .string(address)
        draft.amounts.append(.amount(address.utf16.count, .vivoSkipContent, "the address that a tap opens"))
    }

    private static func add(_ badge: Badge?, to draft: inout Draft) throws(PushError) {
        guard let badge else { return }
        guard case .change(let number) = badge else {
            throw MessageField.android("badge").form("set").refusal(by: Vivo.id)
        }
        guard number == 1 else {
            throw PushError(
                .invalidArgument, "the message field android.badge adds \(number), and vivo adds 1 only; give +1",
                operation: .send)
        }
        draft.fields["addBadge"] = true
    }
}
