import PushAdapter

/// A message on the wire without its tokens: the same for every slice of a list.
struct HonorMessage: Sendable {
    let message: Message
    /// The fields of the body, encoded as in an object but without the braces.
    let fields: [UInt8]
    /// Whether it is a test message, which the vendor counts apart.
    let isTest: Bool

    /// The body of a request.
    func body(to devices: [DeviceID]) throws(PushError) -> [UInt8] {
        try JSONWriter.bytes(reserving: fields.count + 32 + 160 * devices.count) { (json) throws(PushError) in
            try json.object { json in
                json.fields(encoded: fields)
                json.field("token", devices)
            }
        }
    }
}

/// Writes messages in the vendor's form.
struct HonorEncoder {
    typealias Fields = [String: JSONValue]

    let honor: Honor

    func encode(_ message: Message) throws(PushError) -> HonorMessage {
        try message.checkHasOneContent(at: "Honor")
        let options = try HonorOptions.checked(in: message)
        var body: Fields = [:]
        body["data"] = message.custom.map { .string($0.content) }
        var android = Self.fields(HonorOptions.places.fields(of: options, in: "android"))
        android["ttl"] = message.timeToLive.map { .string("\($0.components.seconds)s") }
        if let notification = message.notification {
            let texts = try texts(of: notification)
            body["notification"] = .object(texts)
            body["data"] = Self.data(of: notification)
            android["notification"] = .object(try look(of: message, notification, texts, options))
        }
        if !android.isEmpty { body["android"] = .object(android) }
        let fields = try JSONWriter.bytes(reserving: 1024) { json in
            for (name, value) in body.sorted(by: { $0.key < $1.key }) { json.field(name, value) }
        }
        return HonorMessage(message: message, fields: fields, isTest: HonorOptions.isTest(message))
    }

    private static func fields(_ value: JSONValue?) -> Fields {
        if case .object(let fields)? = value { fields } else { [:] }
    }

    /// The vendor takes a text there, which is JSON beside a notification.
    private static func data(of notification: Notification) -> JSONValue? {
        let extras = notification.android?.extras ?? notification.extras
        guard !extras.isEmpty else { return .none }
        return .some(.string(String(decoding: JSONWriter.bytes(of: .object(extras)), as: UTF8.self)))
    }

    /// Title, text and picture.
    private func texts(of notification: Notification) throws(PushError) -> Fields {
        let given = try notification.plainTitle(on: .android, at: Honor.id)
        guard let title = (given == "" ? nil : given) ?? honor.defaultTitle else {
            throw PushError(
                .invalidArgument, "Honor demands a title; give the notification one, or set defaultTitle",
                operation: .send)
        }
        let body = try notification.plainBody(on: .android, at: Honor.id)
        guard !body.isEmpty else {
            throw PushError(.invalidArgument, "Honor demands a text; give the notification a body", operation: .send)
        }
        var fields: Fields = ["title": .string(title), "body": .string(body)]
        fields["image"] = try Self.picture(notification.android?.image ?? notification.image)
        return fields
    }

    private static func picture(_ address: String?) throws(PushError) -> JSONValue? {
        guard let address else { return .none }
        guard address.lowercased().hasPrefix("https://") else {
            throw PushError(
                .invalidArgument, "Honor takes pictures over https only; change the address of the image",
                operation: .send)
        }
        return .some(.string(address))
    }

    private func look(
        of message: Message, _ notification: Notification, _ texts: Fields, _ options: JSONValue?
    ) throws(PushError) -> Fields {
        var fields = Self.fields(HonorOptions.places.fields(of: options, in: "android.notification"))
        if fields["importance"] == nil {
            fields["importance"] = try MakerWords(message, honor.capabilities)?.word(at: .honor).map(JSONValue.string)
        }
        guard fields["importance"] != "LOW" || texts["image"] == nil else {
            throw PushError(
                .invalidArgument, "Honor takes no picture in a message of marketing; remove the image", operation: .send
            )
        }
        if let style = HonorOptions.style(options) {
            fields["style"] = style
            if style == 1 { (fields["bigTitle"], fields["bigBody"]) = (texts["title"], texts["body"]) }
        }
        let own = notification.android
        fields["tag"] = own?.collapseID.map(JSONValue.string)
        fields["clickAction"] = .object(try Self.action(own?.tap))
        fields["badge"] = try own?.badge.map { (badge) throws(PushError) in .object(try self.badge(badge)) }
        return fields
    }

    /// The fields for a tap that opens the app, one of its pages, or a page on the web.
    private static func action(_ tap: TapAction?) throws(PushError) -> Fields {
        switch tap {
        case nil: return ["type": 3]
        case .intentURI(let uri): return ["type": 1, "intent": .string(uri)]
        case .intentAction(let action): return ["type": 1, "action": .string(action)]
        case .link(let address):
            guard address.lowercased().hasPrefix("https://") else {
                throw PushError(
                    .invalidArgument, "android.tap.link: Honor opens https addresses only", operation: .send)
            }
            return ["type": 2, "url": .string(address)]
        case let other?: throw MessageField.android("tap").form(other.name).refusal(by: Honor.id)
        }
    }

    private func badge(_ badge: Badge) throws(PushError) -> Fields {
        guard let launcherClass = honor.launcherClass else {
            throw PushError(
                .misconfigured, "Honor demands the class of the app's start page with a badge; set launcherClass")
        }
        var fields: Fields = ["badgeClass": .string(launcherClass)]
        switch badge {
        case .set(let number):
            guard number <= 99 else {
                throw PushError(
                    .invalidArgument, "android.badge is \(number); Honor sets at most 99", operation: .send)
            }
            fields["setNum"] = JSONValue(integerLiteral: number)
        case .change(let number): fields["addNum"] = JSONValue(integerLiteral: number)
        }
        return fields
    }
}
