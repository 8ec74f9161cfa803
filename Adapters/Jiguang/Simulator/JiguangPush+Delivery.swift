package import PushAdapter
package import PushSimulation

/// The delivery of a push to a device.
extension JiguangPush {
    /// Whether a device's token belongs to the environment of the push. Only Apple's do.
    package func isReachable(_ device: VirtualDevice) -> Bool {
        device.platform != .ios || (device.environment == .production) == isProduction
    }

    /// The change of the number on a device's icon. The vendor counts it for Apple's devices; the phone maker counts it
    /// for others.
    package func badge(on platform: Platform) -> BadgeChange? {
        guard platform != .ios else { return badge }
        let own = notification?[platform.wireName]
        if let number = own?["badge_set_num"]?.intValue { return .set(number) }
        return own?["badge_add_num"]?.intValue.map(BadgeChange.add)
    }

    /// Writes the notification for a device: its look, sound and action, and the badge. A platform's object has only
    /// keys of that platform.
    package func show(in received: inout DeliveredMessage, on state: SimulatedDevice) {
        let platform = state.device.platform
        let own = notification?[platform.wireName]
        // The platform's own alert replaces the common one.
        let alert = ShownAlert(own?["alert"] ?? notification?["alert"])
        let text = alert.body
        // An empty text hides a notification. On an Apple device, the title still shows.
        received.alert = text == "" ? nil : text
        if platform == .ios || text != "" {
            received.title = own?["title"]?.stringValue ?? alert.title
        }
        received.subtitle = alert.subtitle
        received.sound = own?["sound"]?.stringValue ?? own?["sound"]?["name"]?.stringValue
        received.category = own?["category"]?.stringValue
        received.thread = own?["thread-id"]?.stringValue
        received.channel = own?["channel_id"]?.stringValue
        received.image = own?["big_pic_path"]?.stringValue
        received.tap =
            own?["intent"]?["url"]?.stringValue.map(Self.tap)
            ?? own?["uri_activity"]?.stringValue.map(TapAction.activity)
            ?? own?["uri_action"]?.stringValue.map(TapAction.intentAction)
        received.collapseID = platform == .ios ? collapseID : nil
        received.interruptionLevel = own?["interruption-level"]?.stringValue
        received.isMutable = platform == .ios && isMutable
        received.wakesApp = Self.isOn(own?["content-available"])
        if case .object(let extras) = own?["extras"] { received.extras = extras }
        if badge(on: platform) != nil { received.badge = state.badge }
    }

    /// The action of an intent's address. An address has a scheme; anything else is the name of an action.
    private static func tap(_ address: String) -> TapAction {
        address.contains(":") ? .intentURI(address) : .intentAction(address)
    }

    /// The change of a Live Activity; nil for any other push.
    package var activityChange: DeliveredMessage.ActivityChange? {
        guard let ios = liveActivity?["ios"], case .object(let content) = ios["content-state"],
            let event = DeliveredMessage.ActivityChange.Event(rawValue: ios["event"]?.stringValue ?? "")
        else { return nil }
        let type = ios["attributes-type"]?.stringValue
        let activity = audience["live_activity_id"]?.first
        let id = event == .start ? type ?? activity : activity ?? type
        return DeliveredMessage.ActivityChange(id: id ?? "", event: event, content: content)
    }
}
