import PushAdapter

/// The one target of a message.
enum FCMTarget {
    case token(String)
    case installation(String)
    case topic(String)
    case condition(String)

    /// The target's key in a message, and its value.
    var field: (name: String, value: String) {
        switch self {
        case .token(let text): ("token", text)
        case .installation(let text): ("fid", text)
        case .topic(let text): ("topic", text)
        case .condition(let text): ("condition", text)
        }
    }

    /// Whether the target may be several devices.
    var isBroad: Bool {
        switch self {
        case .token, .installation: false
        case .topic, .condition: true
        }
    }
}
