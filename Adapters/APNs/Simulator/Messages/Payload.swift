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
        message.show(aps: aps)
        if !purpose.isActivity, !isVisible {
            message.custom = customKeys.message(in: message.extras)
            message.isCustomInPush = message.custom != nil
            message.extras = [:]
        }
        return message
    }

    private var isVisible: Bool { ["alert", "badge", "sound"].contains { aps?[$0] != nil } }

    /// The change of a Live Activity; nil for a payload that a device ignores because a field is missing.
    var activity: ActivityPayload? {
        guard let activity = ActivityPayload(aps: aps) else { return nil }
        guard activity.event != .end else { return activity }
        guard activity.content != nil else { return nil }
        guard activity.event == .start else { return activity }
        guard case .object? = aps?["attributes"], activity.type != nil, aps?["alert"] != nil else { return nil }
        return activity
    }

    /// The channel that a new activity follows; nil for none.
    var channel: String? { aps?["input-push-channel"]?.stringValue }
}
