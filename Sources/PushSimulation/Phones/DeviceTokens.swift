public import PushAdapter

/// The tokens that a phone uploaded, for vendors that need them to reach it.
public struct DeviceTokens: Sendable {
    /// Live Activities that can be updated, by the app's own ids.
    public var activities: Set<String> = []
    /// Types of Live Activities that a push may start.
    private var startable: Set<String> = []
    private var hasVoIP = false

    /// No tokens.
    public init() {}

    /// Keeps a token; one of a Live Activity that has ended removes the activity.
    public mutating func keep(_ token: DeviceToken) {
        switch token {
        case .voip: hasVoIP = true
        case .liveActivityStart(let attributes, _): startable.insert(attributes)
        case .liveActivityUpdate(let id, nil): activities.remove(id)
        case .liveActivityUpdate(let id, _): activities.insert(id)
        }
    }

    /// Whether calls reach the device. A phone needs the token for them; a device without a phone counts as having it.
    public func allowCalls(to inbox: Inbox) -> Bool { !inbox.hasPhone || hasVoIP }

    /// Whether a change of a Live Activity reaches the device. A phone needs a token for the type of an activity that
    /// starts.
    public func allow(_ change: DeliveredMessage.ActivityChange, to inbox: Inbox) -> Bool {
        !inbox.hasPhone || change.event != .start || startable.contains(change.id)
    }
}
