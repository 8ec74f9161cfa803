import HuaweiDialect
import PushAdapter

/// A message on the wire without its target: the same for every slice of a list.
struct HuaweiMessage: Sendable {
    /// The fields of `message`, encoded as in an object but without the braces.
    var fields: [UInt8]
    /// The result of a review of the text outside of the vendor.
    var review: JSONValue?
    /// Whether it is a test message, which the vendor counts apart.
    var isTest: Bool

    /// The body of a request to a target, and its size without tokens.
    func body(to target: HuaweiTarget, isDryRun: Bool) throws(PushError) -> (bytes: [UInt8], size: Int) {
        let bytes = try write(target, isDryRun)
        guard case .tokens = target else { return (bytes, bytes.count) }
        return (bytes, try write(.tokens([]), isDryRun).count)
    }

    private func write(_ target: HuaweiTarget, _ isDryRun: Bool) throws(PushError) -> [UInt8] {
        try JSONWriter.bytes(reserving: fields.count + 64 + 160 * target.count) { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                if isDryRun { json.field("validate_only", true) }
                try json.field("message") { (json) throws(PushError) in
                    try json.object { json in
                        json.fields(encoded: fields)
                        switch target {
                        case .tokens(let devices): json.field("token", devices)
                        case .topic(let topic): json.field("topic", topic)
                        case .condition(let condition): json.field("condition", condition)
                        }
                    }
                }
                if let review { json.field("review", review) }
            }
        }
    }
}

/// Writes messages in the vendor's form.
struct HuaweiEncoder {
    typealias Fields = [String: JSONValue]

    let capabilities: Capabilities
    let defaultTitle: String?
    let launcherClass: String?

    func encode(_ message: Message) throws(PushError) -> HuaweiMessage {
        let options = try HuaweiOptions.fields(of: message)
        try message.checkShape(only: .android, at: "Huawei")
        guard message.liveActivity == nil, message.voip == nil else {
            throw PushError(
                .unsupported, "Huawei takes live views and calls on HarmonyOS 5 only; use the adapter harmony",
                operation: .send)
        }
        var android = HuaweiOptions.places.fields(of: .object(options), in: "message.android").fields
        android["ttl"] = message.timeToLive.map { .string("\($0.components.seconds)s") }
        android["urgency"] = try urgency(of: message)
        if android["category"] == nil {
            android["category"] = try word(of: message).map(JSONValue.string)
        }
        var data = try message.custom?.dataText()
        if let notification = message.notification {
            android["notification"] = .object(try fields(of: notification, android["notification"].fields))
            data = (notification.android?.extras ?? notification.extras).textOrNil
        }
        let fields = try JSONWriter.bytes(reserving: 1024) { json in
            if let data { json.field("data", data) }
            if !android.isEmpty { json.field("android", .object(android)) }
        }
        return HuaweiMessage(
            fields: fields, review: options["review"], isTest: android["target_user_type"] == 1)
    }

    /// The vendor's word for the class of a message, or for the app's default class. The vendor counts a message without
    /// a word as marketing, so service needs one, and marketing does not.
    private func word(of message: Message) throws(PushError) -> String? {
        guard let words = try MakerWords(message, capabilities) else { return nil }
        let word = words.word(at: .huawei)
        guard word == nil, words.isService else { return word }
        let category = words.messageClass.category
        guard category != .service else {
            throw PushError(
                .invalidArgument,
                "Huawei has no class for service in general, and would count the message as marketing; name a category, "
                    + "such as order")
        }
        throw PushError(
            .unsupported,
            "Huawei has no word for the category \(Redaction.quoted(category.rawValue)), and would count the message as "
                + "marketing; send another class, or add huawei.CATEGORY=WORD to categoryWords", operation: .send)
    }

    /// The vendor has it for data messages only. HIGH needs a right.
    private func urgency(of message: Message) throws(PushError) -> JSONValue? {
        guard let priority = message.deliveryPriority else { return nil }
        guard message.notification == nil else {
            throw MessageField.deliveryPriority.refusal(
                by: Huawei.id, "it sets the urgency of custom messages only; leave it out of a notification")
        }
        return priority == .high ? "HIGH" : "NORMAL"
    }

    private func fields(of notification: Notification, _ options: Fields) throws(PushError) -> Fields {
        let texts = try notification.texts(on: .android, defaultTitle: defaultTitle, at: "Huawei")
        let own = notification.android
        let image = own?.image ?? notification.image
        try Notification.checkPicture(image, at: "Huawei")
        var fields = options
        for (name, text) in [("title", texts.title), ("body", texts.body)] { Self.set(name, text, in: &fields) }
        fields["image"] = image.map(JSONValue.string)
        fields["channel_id"] = own?.channelID.map(JSONValue.string)
        fields["sound"] = own?.sound.map(JSONValue.string)
        fields["tag"] = own?.collapseID.map(JSONValue.string)
        fields["click_action"] = .object(try Self.click(own?.tap))
        fields["badge"] = try own?.badge.map { (badge) throws(PushError) in try self.badge(badge) }
        return fields
    }

    private static func set(_ name: String, _ text: Text, in fields: inout Fields) {
        switch text {
        case .plain(let text): fields[name] = .string(text)
        case .localized(let key, let arguments):
            fields["\(name)_loc_key"] = .string(key)
            if !arguments.isEmpty { fields["\(name)_loc_args"] = .array(arguments.map(JSONValue.string)) }
        }
    }

    /// The fields for a tap that opens the app, one of its pages, or a page on the web.
    private static func click(_ tap: TapAction?) throws(PushError) -> Fields {
        switch tap {
        case nil: return ["type": 3]
        case .intentURI(let uri): return ["type": 1, "intent": .string(uri)]
        case .intentAction(let action): return ["type": 1, "action": .string(action)]
        case .link(let address):
            guard address.lowercased().hasPrefix("https://") else {
                throw PushError(.invalidArgument, "android.tap.link: Huawei opens https addresses only")
            }
            return ["type": 2, "url": .string(address)]
        case let other?: throw MessageField.android("tap").form(other.name).refusal(by: Huawei.id)
        }
    }

    private func badge(_ badge: Badge) throws(PushError) -> JSONValue {
        guard let launcherClass else {
            throw PushError(
                .misconfigured, "Huawei demands the class of the app's start page with a badge; set launcherClass")
        }
        var fields: Fields = ["class": .string(launcherClass)]
        switch badge {
        case .set(let number):
            guard number <= 99 else {
                throw PushError(.invalidArgument, "android.badge is \(number); Huawei sets at most 99")
            }
            fields["set_num"] = JSONValue(integerLiteral: number)
        case .change(let number): fields["add_num"] = JSONValue(integerLiteral: number)
        }
        return .object(fields)
    }
}
