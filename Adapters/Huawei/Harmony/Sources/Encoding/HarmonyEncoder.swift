import HuaweiDialect
import PushAdapter

/// The kinds of messages, by the vendor's numbers.
enum HarmonyPushType: Int {
    case alert = 0
    case form = 1
    case voice = 2
    case background = 6
    case liveView = 7
    case call = 10
}

/// A message on the wire without its tokens: the same for every slice of a list.
struct HarmonyMessage: Sendable {
    var type: HarmonyPushType
    var payload: [String: JSONValue]
    var pushOptions: [String: JSONValue]

    /// Whether it is a test message, which reaches fewer devices.
    var isTest: Bool { pushOptions["testMessage"] == true }

    /// A repeated update of a live view has a version that the device has already, so it changes nothing.
    var isVersioned: Bool { type == .liveView && payload["operation"] == 1 && payload["version"].isGiven }

    /// The body for some devices, and its size without their tokens. Only an alert carries a key.
    func body(
        to devices: [DeviceID], key: IdempotencyKey? = nil
    ) throws(PushError) -> (bytes: [UInt8], size: Int) {
        var payload = payload
        if let key {
            var notification = payload["notification"].fields
            notification["appMessageId"] = .string(key.value)
            payload["notification"] = .object(notification)
        }
        let fields = try JSONWriter.bytes(reserving: 1024) { json in
            json.field("payload", .object(payload))
            if !pushOptions.isEmpty { json.field("pushOptions", .object(pushOptions)) }
        }
        func whole(_ devices: [DeviceID]) throws(PushError) -> [UInt8] {
            try JSONWriter.bytes(reserving: fields.count + 128 * devices.count) { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in
                    json.fields(encoded: fields)
                    try json.field("target") { (json) throws(PushError) in
                        try json.object { json in json.field("token", devices) }
                    }
                }
            }
        }
        return (try whole(devices), try whole([]).count)
    }
}

/// Writes messages in the vendor's form.
struct HarmonyEncoder {
    typealias Fields = [String: JSONValue]

    let capabilities: Capabilities
    let defaultTitle: String?

    func encode(_ message: Message) throws(PushError) -> HarmonyMessage {
        let options = try HarmonyOptions.fields(of: message)
        try message.checkShape(only: .harmony, at: "HarmonyOS")
        var pushOptions = HarmonyOptions.places.fields(of: .object(options), in: "pushOptions").fields
        pushOptions["ttl"] = message.timeToLive.map { JSONValue(integerLiteral: Int($0.components.seconds)) }
        let (type, payload) = try content(of: message, options)
        return HarmonyMessage(type: type, payload: payload, pushOptions: pushOptions)
    }

    private func content(
        of message: Message, _ options: Fields
    ) throws(PushError) -> (type: HarmonyPushType, payload: Fields) {
        if let notification = message.notification {
            let word = try category(of: message, options)
            var payload: Fields = ["notification": .object(try fields(of: notification, word, options))]
            payload["extraData"] = options["extraData"]
            return (payload["extraData"] == nil ? .alert : .voice, payload)
        }
        if let activity = message.liveActivity { return (.liveView, try Self.liveView(activity)) }
        if let call = message.voip {
            let text = call.stringValue ?? String(decoding: JSONWriter.bytes(of: call), as: UTF8.self)
            return (.call, ["extraData": .string(text)])
        }
        var payload = HarmonyOptions.places.fields(of: .object(options), in: "payload").fields
        payload["extraData"] = .string(try message.custom?.dataText() ?? "")
        return (.background, payload)
    }

    // MARK: Notifications

    private func fields(
        of notification: Notification, _ category: String, _ options: Fields
    ) throws(PushError) -> Fields {
        let texts = try notification.texts(on: .harmony, defaultTitle: defaultTitle, at: "HarmonyOS")
        try Notification.checkPicture(notification.image, at: "HarmonyOS")
        let own = notification.harmony
        var fields = HarmonyOptions.places.fields(of: .object(options), in: "payload.notification").fields
        fields["category"] = .string(category)
        for (name, text) in [("title", texts.title), ("body", texts.body)] {
            guard let plain = text.plain else {
                throw MessageField.harmony(name).form("localized").refusal(by: Harmony.id)
            }
            fields[name] = .string(plain)
        }
        fields["clickAction"] = .object(try Self.click(own?.tap, own?.extras ?? notification.extras))
        fields["image"] = notification.image.map(JSONValue.string)
        fields["sound"] = own?.sound.map(JSONValue.string)
        fields["notifyId"] = own?.collapseID.map { JSONValue(integerLiteral: $0) }
        switch own?.badge {
        case nil: break
        case .set(let number):
            guard number <= 99 else {
                throw PushError(.invalidArgument, "harmony.badge is \(number); HarmonyOS sets at most 99")
            }
            fields["badge"] = ["setNum": JSONValue(integerLiteral: number)]
        case .change(let number): fields["badge"] = ["addNum": JSONValue(integerLiteral: number)]
        }
        return fields
    }

    /// The fields for a tap that opens the app, or one of its pages by an action or a URI.
    private static func click(_ tap: TapAction?, _ extras: Fields) throws(PushError) -> Fields {
        var fields: Fields = ["actionType": tap == nil ? 0 : 1]
        switch tap {
        case nil: break
        case .intentAction(let action): fields["action"] = .string(action)
        case .intentURI(let uri): fields["uri"] = .string(uri)
        case let other?: throw MessageField.harmony("tap").form(other.name).refusal(by: Harmony.id)
        }
        fields["data"] = extras.objectOrNil
        return fields
    }

    // MARK: Classes

    private static let voice = "PLAY_VOICE"

    /// The vendor's word for the class: from the options, else from the notification, else by the message's class or
    /// the app's default.
    private func category(of message: Message, _ options: Fields) throws(PushError) -> String {
        let given = options["notification"]?["category"]?.stringValue ?? message.notification?.harmony?.category
        let speaks = options["extraData"].isGiven
        if speaks, given ?? Self.voice == Self.voice { return Self.voice }
        let word = if let given { given } else { try word(of: message) }
        guard !speaks, word != Self.voice else {
            throw PushError(
                .invalidArgument,
                "a notification of the category PLAY_VOICE has the harmony option extraData, and no other has; set "
                    + "both or neither")
        }
        return word
    }

    private func word(of message: Message) throws(PushError) -> String {
        guard let words = try MakerWords(message, capabilities) else {
            throw PushError(
                .invalidArgument,
                "HarmonyOS demands a class of every notification; give the message a class, such as service:order, or "
                    + "set defaultClass")
        }
        if let word = words.word(at: .harmony) { return word }
        let category = words.messageClass.category
        guard category != .service else {
            throw PushError(
                .invalidArgument, "HarmonyOS has no class for service in general; name a category, such as order")
        }
        throw PushError(
            .unsupported,
            "HarmonyOS has no word for the category \(Redaction.quoted(category.rawValue)); send another class, or add "
                + "harmony.CATEGORY=WORD to categoryWords", operation: .send)
    }

    // MARK: Live views

    /// A change of a live view, as the vendor's own JSON. Refuses what the vendor would drop without a word.
    private static func liveView(_ activity: JSONValue) throws(PushError) -> Fields {
        func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the live view: \(text)") }
        guard case .object(let fields) = activity, let id = fields["activityId"]?.intValue else {
            throw refusal(
                "HarmonyOS takes its own form, not Apple's: an object with activityId, operation and activityData")
        }
        guard Int32(exactly: id) != nil else { throw refusal("activityId is a number of 32 bits") }
        guard let operation = fields["operation"]?.intValue, (0...2).contains(operation) else {
            throw refusal("operation is 0 to create, 1 to update or 2 to end it")
        }
        if operation == 0, !created.contains(fields["event"]?.stringValue ?? "") {
            throw refusal("a server creates live views of the events \(created.joined(separator: ", ")) only")
        }
        if let version = fields["version"], (version.intValue ?? -1) < 0 {
            throw refusal("version is a whole number, 0 or more")
        }
        if let data = fields["activityData"], data["notificationData"] == nil {
            throw refusal("activityData needs notificationData")
        }
        return fields
    }

    private static let created = ["FLIGHT", "TAXI", "TRAIN"]
}
