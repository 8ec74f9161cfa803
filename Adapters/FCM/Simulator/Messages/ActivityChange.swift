import FoundationEssentials
import PushAdapter
import PushSimulation

/// A change of a Live Activity. Apple delivers it to the device.
struct ActivityChange {
    typealias Event = DeliveredMessage.ActivityChange.Event

    /// Apple's token of the activity, or the push-to-start token.
    let token: String
    let event: Event
    /// Seconds since 1970.
    let timestamp: Int
    let content: [String: JSONValue]
    /// The type of the attributes, given at the start.
    let type: String?

    /// Nil for a message that a device ignores because a value has the wrong form.
    init?(token: String, _ aps: JSONValue?) {
        guard let event = aps?["event"]?.stringValue.flatMap(Event.init), let timestamp = aps?["timestamp"]?.intValue
        else { return nil }
        self.token = token.lowercased()
        self.event = event
        self.timestamp = timestamp
        content = (aps?["content-state"]).asObject
        type = aps?["attributes-type"]?.stringValue
    }

    /// Whether a device shows the change. It ignores changes older than the last one, and changes from the future.
    func isCurrent(after last: Int?, _ now: Date) -> Bool {
        guard Double(timestamp) - now.timeIntervalSince1970 <= Rules.activityLead else { return false }
        return event == .start || timestamp >= last ?? timestamp
    }

    func shown(as activity: String) -> DeliveredMessage.ActivityChange {
        DeliveredMessage.ActivityChange(id: activity, event: event, content: content)
    }
}

extension OutgoingMessage {
    /// Apple's token of a Live Activity; nil for any other message.
    var activity: String? { self["apns.live_activity_token"]?.stringValue }
}
