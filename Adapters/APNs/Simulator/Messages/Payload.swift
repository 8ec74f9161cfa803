import PushAdapter
import PushSimulation

/// The body of a push.
struct Payload {
    /// Nil if the body is not a JSON object.
    let fields: [String: JSONValue]?

    init(_ body: [UInt8]) {
        if let value = try? JSONValue(parsing: body), case .object(let fields) = value {
            self.fields = fields
        } else {
            fields = nil
        }
    }

    var aps: JSONValue? { fields?["aps"] }

    /// Everything beside `aps`.
    var own: [String: JSONValue] {
        var own = fields ?? [:]
        own["aps"] = nil
        return own
    }

    // MARK: Delivery

    /// The message that a device receives at a token with a purpose; nil for a body that it cannot read. The caller
    /// adds the change of a Live Activity.
    func delivered(
        as id: String, for purpose: APNsRegistration.Purpose, collapseID: String?, customKeys: CustomMessageKeys
    ) -> DeliveredMessage? {
        guard let fields else { return nil }
        var message = DeliveredMessage(messageID: id, extras: own)
        if purpose == .voip {
            message.extras = [:]
            message.call = fields
            return message
        }
        message.collapseID = collapseID
        show(in: &message)
        if !purpose.isActivity, !isVisible {
            message.custom = customKeys.message(in: message.extras)
            message.isCustomInPush = message.custom != nil
            message.extras = [:]
        }
        return message
    }

    private var isVisible: Bool { ["alert", "badge", "sound"].contains { aps?[$0] != nil } }

    private func show(in message: inout DeliveredMessage) {
        let alert = ShownAlert(aps?["alert"])
        (message.title, message.subtitle, message.alert) = (alert.title, alert.subtitle, alert.body)
        // In a Live Activity, the sound is part of the alert.
        let sound = aps?["sound"] ?? aps?["alert"]?["sound"]
        message.sound = sound?.stringValue ?? sound?["name"]?.stringValue
        message.badge = aps?["badge"]?.intValue
        message.category = aps?["category"]?.stringValue
        message.thread = aps?["thread-id"]?.stringValue
        message.interruptionLevel = aps?["interruption-level"]?.stringValue
        message.isMutable = aps?["mutable-content"]?.intValue == 1
        message.wakesApp = aps?["content-available"]?.intValue == 1
    }
}

/// The part of a payload that changes a Live Activity.
struct ActivityPayload {
    typealias Event = DeliveredMessage.ActivityChange.Event

    let event: Event
    /// Seconds since 1970.
    let timestamp: Int
    let content: [String: JSONValue]
    /// The type of the attributes, given at the start.
    let type: String?
    /// The channel that a new activity follows; nil for none.
    let channel: String?

    /// Nil for a payload that a device ignores because a field is missing.
    init?(_ payload: Payload) {
        guard let aps = payload.aps, let event = aps["event"]?.stringValue.flatMap(Event.init(rawValue:)),
            let timestamp = aps["timestamp"]?.intValue
        else { return nil }
        if event == .start {
            guard case .object? = aps["attributes"], aps["attributes-type"]?.stringValue != nil, aps["alert"] != nil
            else { return nil }
        }
        if case .object(let fields)? = aps["content-state"] {
            content = fields
        } else if event == .end {
            // The activity keeps its content.
            content = [:]
        } else {
            return nil
        }
        self.event = event
        self.timestamp = timestamp
        type = aps["attributes-type"]?.stringValue
        channel = aps["input-push-channel"]?.stringValue
    }

    func change(of activity: String) -> DeliveredMessage.ActivityChange {
        DeliveredMessage.ActivityChange(id: activity, event: event, content: content)
    }
}
