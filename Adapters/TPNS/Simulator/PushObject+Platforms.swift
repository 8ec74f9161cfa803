import PushAdapter
import PushSimulation

/// The platform-specific parts of a push.
extension PushObject {
    mutating func readApple(_ aps: Fields, needsAlert: Bool) throws(Refusal) {
        badge = try aps.number("badge_type")
        if let badge, !(-2...Rules.largestBadge).contains(badge) { throw .invalid("badge_type") }
        interruptionLevel = try aps.text("interruption-level")
        if let interruptionLevel, !Rules.interruptionLevels.contains(interruptionLevel) {
            throw .invalid("interruption-level")
        }
        if let number = try aps.number("mutable-content") { isMutable = isNotification && number != 0 }
        let isAvailable = try aps.number("content-available")
        if isNotification {
            guard isAvailable ?? 0 == 0 else { throw .invalid("content-available") }
            sound = aps["sound"]?.stringValue ?? aps["sound"]?["name"]?.stringValue
            category = aps["category"]?.stringValue
            guard let alert = aps["alert"] else {
                if (title == nil && badge != nil) || !needsAlert { return }
                throw .missing("alert")
            }
            guard Fields(alert) != nil || alert.stringValue != nil else { throw .unreadable }
            subtitle = alert["subtitle"]?.stringValue
        } else {
            guard isAvailable == 1 else { throw .missing("content-available") }
            guard aps["alert"] == nil, aps["sound"] == nil, badge == nil else { throw .invalid("aps") }
        }
    }

    /// The target of a tap on Android: an activity (type 1, the default), a web page (2) or an intent (3).
    static func tap(of action: Fields?) -> TapAction? {
        let type = action?["action_type"]?.intValue ?? 1
        let target =
            switch type {
            case 2: Fields(action?["browser"])?["url"]
            case 3: action?["intent"]
            default: action?["activity"]
            }
        guard let text = target?.stringValue, !text.isEmpty else { return nil }
        return switch type {
        case 2: .link(text)
        case 3: .intentURI(text)
        default: .activity(text)
        }
    }
}
