extension Message {
    /// Sets Huawei's category of the notification on HarmonyOS, unless it has one, or has no text for HarmonyOS.
    public mutating func setHarmonyCategory(_ category: String?) {
        guard let category, let notification, notification.harmony?.category == nil,
            let text = notification.harmony?.body ?? notification.body, text != .plain("")
        else { return }
        var harmony = notification.harmony ?? HarmonyNotification()
        harmony.category = category
        self.notification?.harmony = harmony
    }
}

extension [String: JSONValue] {
    /// These fields with others over them: the others win, key by key, also inside an object that both have.
    public func overlaid(by others: [String: JSONValue]) -> [String: JSONValue] {
        merging(others) { own, other in
            guard case .object(let own) = own, case .object(let other) = other else { return other }
            return .object(own.overlaid(by: other))
        }
    }
}
