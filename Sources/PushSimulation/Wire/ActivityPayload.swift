public import FoundationEssentials
public import PushAdapter

/// The fields of a Live Activity in a payload for an Apple device.
public struct ActivityPayload: Sendable {
    /// The kind of the change.
    public let event: DeliveredMessage.ActivityChange.Event
    /// Seconds since 1970.
    public let timestamp: Int
    /// The content, nil for none.
    public let content: [String: JSONValue]?
    /// The type of the attributes, given at the start.
    public let type: String?

    /// How far ahead of a device's clock a change may be, in seconds.
    private static let lead = 8 * 3600.0

    /// Reads `aps`; nil if it has no event or no timestamp, which a device ignores.
    public init?(aps: JSONValue?) {
        guard let event = aps?["event"]?.stringValue.flatMap(DeliveredMessage.ActivityChange.Event.init(rawValue:)),
            let timestamp = aps?["timestamp"]?.intValue
        else { return nil }
        self.event = event
        self.timestamp = timestamp
        type = aps?["attributes-type"]?.stringValue
        if case .object(let fields) = aps?["content-state"] { content = fields } else { content = nil }
    }

    /// Whether a device shows the change. It ignores a change that is more than eight hours ahead, and an update or an
    /// end that is older than the last change. A start is never too old.
    public func isCurrent(after last: Int?, _ now: Date) -> Bool {
        guard Double(timestamp) - now.timeIntervalSince1970 <= Self.lead else { return false }
        return event == .start || timestamp >= last ?? timestamp
    }

    /// The change as the device gets it. Without content, an activity keeps its own.
    public func change(of activity: String) -> DeliveredMessage.ActivityChange {
        DeliveredMessage.ActivityChange(id: activity, event: event, content: content ?? [:])
    }
}

extension DeliveredMessage {
    /// Writes the fields of `aps` that a device reads: texts, sound, badge and the rest, without a Live Activity.
    public mutating func show(aps: JSONValue?) {
        show(ShownAlert(aps?["alert"]))
        // In a Live Activity, the sound is part of the alert.
        let sound = aps?["sound"] ?? aps?["alert"]?["sound"]
        self.sound = sound?.stringValue ?? sound?["name"]?.stringValue
        badge = aps?["badge"]?.intValue
        category = aps?["category"]?.stringValue
        thread = aps?["thread-id"]?.stringValue
        interruptionLevel = aps?["interruption-level"]?.stringValue
        isMutable = aps?["mutable-content"]?.intValue == 1
        wakesApp = aps?["content-available"]?.intValue == 1
    }

    /// Writes the texts of an alert.
    public mutating func show(_ alert: ShownAlert) {
        (title, subtitle, self.alert) = (alert.title, alert.subtitle, alert.body)
    }
}
