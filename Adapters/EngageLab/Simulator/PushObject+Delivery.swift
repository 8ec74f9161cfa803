import PushAdapter
import PushSimulation

/// The delivery of a push to a device.
extension PushObject {
    /// The message that an online device receives; nil for a token of Apple's other environment.
    func received(_ id: String, by state: DeviceState) -> DeliveredMessage? {
        let platform = state.device.platform
        let isApple = platform == .ios
        let isReachable = !isApple || (state.device.environment == .production) == isProduction
        var received = DeliveredMessage(messageID: id)
        if liveActivity != nil || voip != nil {
            guard isApple, isReachable else { return nil }
            if let activityChange {
                guard state.tokens.allow(activityChange, to: state.inbox) else { return nil }
                received.activity = activityChange
            }
            if case .object(let payload) = voip {
                guard state.tokens.allowCalls(to: state.inbox) else { return nil }
                received.call = payload
            }
            return received
        }
        if hasNotification, isReachable {
            write(to: &received, for: platform)
            if badge(on: platform) != nil { received.badge = state.badge }
        }
        // A custom message uses the vendor's own connection, which has no environments.
        received.custom = custom
        return hasNotification && isReachable || received.custom != nil ? received : nil
    }

    // MARK: Parts

    /// The change of the number on a device's icon. The vendor counts it for Apple's devices; the phone maker counts it
    /// for others.
    func badge(on platform: Platform) -> BadgeChange? {
        guard platform != .ios else { return badge }
        let own = notification?[platform.wireName]
        if let number = own?["badge_set_num"]?.intValue { return .set(number) }
        return own?["badge_add_num"]?.intValue.map(BadgeChange.add)
    }

    /// Writes the look, sound and action of the notification. A platform's object has only keys of that platform.
    private func write(to received: inout DeliveredMessage, for platform: Platform) {
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
        received.tap = own?["intent"]?["url"]?.stringValue.map(Self.tap)
        received.collapseID = platform == .ios ? collapseID : nil
        received.interruptionLevel = own?["interruption-level"]?.stringValue
        received.isMutable = platform == .ios && isMutable
        received.wakesApp = own?["content-available"] == true
        if case .object(let extras) = own?["extras"] { received.extras = extras }
    }

    /// The action of an intent's address. An address has a scheme; anything else is the name of an action.
    private static func tap(_ address: String) -> TapAction {
        address.contains(":") ? .intentURI(address) : .intentAction(address)
    }

    /// The custom message. An object as content becomes JSON text.
    private var custom: CustomMessage? {
        guard let content = message?["msg_content"] else { return nil }
        var custom = CustomMessage(
            content: content.stringValue ?? String(decoding: JSONWriter.bytes(of: content), as: UTF8.self),
            title: message?["title"]?.stringValue, contentType: message?["content_type"]?.stringValue)
        if case .object(let extras) = message?["extras"] { custom.extras = extras }
        return custom
    }

    private var activityChange: DeliveredMessage.ActivityChange? {
        guard let ios = liveActivity?["ios"], case .object(let content) = ios["content-state"],
            let event = DeliveredMessage.ActivityChange.Event(rawValue: ios["event"]?.stringValue ?? "")
        else { return nil }
        let type = ios["attributes-type"]?.stringValue
        let activity = audience["live_activity_id"]?.first
        let id = event == .start ? type ?? activity : activity ?? type
        return DeliveredMessage.ActivityChange(id: id ?? "", event: event, content: content)
    }
}
