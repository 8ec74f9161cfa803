import PushAdapter

/// Errors of messages, targets and topics.
extension Refusal {
    private static let badArgument = Detail.code("INVALID_ARGUMENT")

    // MARK: JSON

    /// A body that does not match the schema. An empty path means the whole body.
    static func schema(_ text: String, at path: String) -> Refusal {
        Refusal(400, text, [.field(path.isEmpty ? nil : path, text)])
    }

    static let unreadable = schema("Invalid JSON payload received. Unable to parse it as an object.", at: "")

    static func unknownName(_ name: String, at path: String) -> Refusal {
        let place = path.isEmpty ? "" : " at '\(path)'"
        return schema("Invalid JSON payload received. Unknown name \"\(name)\"\(place): Cannot find field.", at: path)
    }

    static func wrongType(_ value: JSONValue, _ type: String, at path: String) -> Refusal {
        let shown = String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
        return schema("Invalid value at '\(path)' (\(type)), \(shown)", at: path)
    }

    static func wrongForm(_ complaint: String, _ type: String, at path: String) -> Refusal {
        let field = path.split(separator: ".").last ?? ""
        return schema("Invalid value at '\(path)' (\(type)), Field '\(field)', \(complaint)", at: path)
    }

    static func secondTarget(_ name: String) -> Refusal {
        schema(
            "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set '\(name)'",
            at: "message")
    }

    // MARK: Targets

    static let noTarget = field("message", "Recipient of the message is not set.")
    static let badTopic = field("message", "Topic name contains invalid characters.")
    static let badCondition = Refusal(400, "Request contains an invalid argument.")

    static func badToken(namesField: Bool) -> Refusal {
        let text = "The registration token is not a valid FCM registration token"
        return Refusal(400, text, [badArgument] + (namesField ? [.field("message.token", text)] : []))
    }

    static let unregistered = Refusal(404, "Requested entity was not found.", [.code("UNREGISTERED")])
    static let otherSender = Refusal(403, "SenderId mismatch", [.code("SENDER_ID_MISMATCH")])

    // MARK: Fields

    /// A bad value that the vendor finds after the schema check.
    static func field(_ path: String, _ text: String) -> Refusal {
        Refusal(400, text, [.field(path, text), badArgument])
    }

    static let tooLarge = Refusal(
        400, "Message is too large. The maximum is 4K (4096 bytes).", [.request, badArgument])

    // MARK: Devices

    static let deviceQuota = Refusal(
        429, "The device receives too many messages.", [.code("QUOTA_EXCEEDED")])
    static let topicQuota = Refusal(429, "Topic quota exceeded.", [.code("QUOTA_EXCEEDED")])

    static func credentials(isApple: Bool) -> Refusal {
        Refusal(
            401, "Auth error from APNS or Web Push Service",
            [.code("THIRD_PARTY_AUTH_ERROR")] + (isApple ? [.apns(403, "InvalidProviderToken")] : []))
    }

    static let appleTokenDisabled = Refusal(
        400, "APNs device token is disabled.", [badArgument, .apns(410, "Unregistered")])

    // MARK: Subscriptions

    static let notFound = Refusal(404, "Requested entity was not found.")
    static let unknownRegistration = topic(404, "The registration was not found.", "UNREGISTERED")
    static let notSubscribed = Refusal(404, "The subscription was not found.")
    static let subscribed = Refusal(409, "The subscription already exists.")
    static let tooManyTopics = topic(429, "The registration has too many topics.", "QUOTA_EXCEEDED")
    static let tooManyChanges = topic(429, "Quota exceeded.", "QUOTA_EXCEEDED")
    static func argument(_ text: String) -> Refusal { topic(400, text, "INVALID_ARGUMENT") }

    private static func topic(_ status: Int, _ text: String, _ code: String) -> Refusal {
        var refusal = Refusal(status, text)
        refusal.topicCode = code
        return refusal
    }
}
