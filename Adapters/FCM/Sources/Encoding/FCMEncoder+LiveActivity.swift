import FoundationEssentials
import PushAdapter

/// Live Activities, which the vendor passes on to Apple.
extension FCMEncoder {
    /// Header fields of APNs, with the values that a Live Activity may have.
    private static let headerRules: [(name: String, advice: String, isMet: @Sendable (String) -> Bool)] = [
        ("apns-priority", "give 5 or 10", { ["5", "10"].contains($0) }),
        ("apns-push-type", "give liveactivity", { $0 == "liveactivity" }),
        (
            "apns-topic", "give the bundle id with .push-type.liveactivity",
            { $0.hasSuffix(".push-type.liveactivity") }
        ),
    ]

    /// Encodes a change of a Live Activity: Apple's payload and the token of the activity. Other platforms get nothing.
    ///
    /// Source: Get started with Live Activity, Firebase, 2026.
    func encode(
        _ activity: JSONValue, of message: Message
    ) throws(PushError) -> Encoded {
        guard message.features == [.contentLiveActivity] else {
            throw PushError(
                .unsupported, "an FCM message with a Live Activity has nothing else; send two messages",
                operation: .send)
        }
        let options = try FCMOptions.fields(of: message)
        if let name = ["android", "android_v2", "webpush"].first(where: { options[$0].isGiven }) {
            throw PushError(
                .invalidArgument,
                "the FCM option \(name) does not fit: only Apple's devices have Live Activities; remove it")
        }
        var apns = options["apns"].fields
        guard apns["live_activity_token"].isGiven else {
            throw PushError(
                .invalidArgument,
                "a Live Activity has a token of its own: set the FCM option apns.live_activity_token, and send to the "
                    + "device that shows it")
        }
        var payload = apns["payload"].fields
        var aps = payload["aps"].fields
        let update = try LiveActivityUpdate(activity, at: now)
        for (name, value) in update.fields(at: now) { try aps.set(name, value) }
        payload["aps"] = .object(aps)
        apns["payload"] = .object(payload)
        let headers = try headers(message, apns["headers"].fields)
        try Self.check(headers)
        apns["headers"] = headers.objectOrNil
        var parts: Fields = ["apns": .object(apns)]
        parts["fcm_options"] = options["fcm_options"].fields.objectOrNil
        return Encoded(
            fields: try JSONWriter.bytes { $0.fields(of: .object(parts)) }, payloadBytes: 0,
            appleBytes: JSONWriter.bytes(of: .object(payload)).count, isOfActivity: true)
    }

    private static func check(_ headers: Fields) throws(PushError) {
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard let rule = headerRules.first(where: { $0.name == name.lowercased() }),
                !rule.isMet(value.stringValue ?? "")
            else { continue }
            throw PushError(
                .invalidArgument,
                "the FCM option apns.headers.\(name) does not fit a Live Activity: \(rule.advice)")
        }
    }
}
