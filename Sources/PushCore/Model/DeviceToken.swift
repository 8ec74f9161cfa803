/// A token that the system gave the app for one kind of push.
public enum DeviceToken: Sendable, Hashable {
    /// For VoIP pushes.
    case voip([UInt8])
    /// For starting Live Activities with one type of attributes.
    case liveActivityStart(attributes: String, [UInt8])
    /// For updating one Live Activity, by the app's own id for it; nil means that it has ended.
    case liveActivityUpdate(id: String, [UInt8]?)
}

extension DeviceToken: CustomStringConvertible, CustomReflectable {
    /// The kind, without the token.
    public var description: String {
        switch self {
        case .voip: "a VoIP token"
        case .liveActivityStart: "a token that starts Live Activities"
        case .liveActivityUpdate: "a token of a Live Activity"
        }
    }
    /// Empty, so that `dump` too shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
