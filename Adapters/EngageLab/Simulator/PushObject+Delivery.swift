import JiguangSimulation
import PushAdapter
import PushSimulation

/// The delivery of a push to a device.
extension PushObject {
    /// The message that an online device receives; nil for a token of Apple's other environment.
    func received(_ id: String, by state: SimulatedDevice) -> DeliveredMessage? {
        var received = DeliveredMessage(messageID: id)
        if liveActivity != nil || voip != nil {
            guard state.device.platform == .ios, isReachable(state.device) else { return nil }
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
        let hasNotification = notification != nil && isReachable(state.device)
        if hasNotification { show(in: &received, on: state) }
        // A custom message uses the vendor's own connection, which has no environments.
        received.custom = custom
        return hasNotification || received.custom != nil ? received : nil
    }
}
