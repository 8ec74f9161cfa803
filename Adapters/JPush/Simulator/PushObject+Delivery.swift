import JiguangSimulation
import PushAdapter
import PushSimulation

/// The delivery of a push to a device.
extension PushObject {
    /// Whether the push has a notification for a platform: the platform's own object or the common text.
    func notifies(_ platform: Platform) -> Bool {
        notification?["alert"] != nil || notification?[platform.wireName] != nil
    }

    /// The message that an online device receives; nil for none.
    func received(_ id: String, by state: SimulatedDevice) -> DeliveredMessage? {
        let platform = state.device.platform
        let isApple = platform == .ios
        var received = DeliveredMessage(messageID: id)
        if liveActivity != nil {
            received.activity =
                isApple ? activityChange.flatMap { state.tokens.allow($0, to: state.inbox) ? $0 : nil } : nil
            return received.activity == nil ? nil : received
        }
        if isApple, state.tokens.allowCalls(to: state.inbox), case .object(let payload) = notification?["voip"] {
            received.call = payload
        }
        // Only notifications depend on Apple's environment. A custom message uses the vendor's own connection.
        let hasNotification = isReachable(state.device) && notifies(platform)
        if hasNotification { show(in: &received, on: state) }
        received.custom = custom
        return hasNotification || received.call != nil || custom != nil ? received : nil
    }
}
