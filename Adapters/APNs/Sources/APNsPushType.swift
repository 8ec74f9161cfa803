import PushAdapter

/// The purpose of a push. The vendor checks that it fits the topic; the device checks that it fits the payload.
///
/// Source: Sending notification requests to APNs, 2026.
public enum APNsPushType: String, Sendable, Hashable, Codable, CaseIterable {
    /// Shows, plays or badges something.
    case alert
    /// Wakes the app, and shows nothing.
    case background
    /// A call. Goes to a token for calls.
    case voip
    /// New data for a watch face. Goes to a token for complications.
    case complication
    /// A change in the app's files. Goes to a token for file providers.
    case fileProvider = "fileprovider"
    /// A message to a managed device.
    case mdm
    /// Starts, changes or ends a Live Activity. Goes to the activity's own token.
    case liveActivity = "liveactivity"
    /// A change in a Push to Talk channel. Goes to the token of the channel.
    case pushToTalk = "pushtotalk"
    /// Asks for the location. Goes to a location token. iOS and iPadOS.
    case location
    /// Reloads the app's widgets. Goes to a token for widgets.
    case widgets
    /// Reloads a control. Goes to the token of the control.
    case controls

    /// The suffix that the topic has after the bundle id; nil for none.
    var suffix: String? {
        switch self {
        case .alert, .background, .mdm: nil
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileProvider: ".pushkit.fileprovider"
        case .liveActivity: ".push-type.liveactivity"
        case .pushToTalk: ".voip-ptt"
        case .location: ".location-query"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// Suffixes that no bundle id ends with. Voip and complication are missing, because an app may well be called that.
    static let plainSuffixes = allCases.compactMap(\.suffix).filter { $0 != ".voip" && $0 != ".complication" }

    /// The limit of the payload's size.
    var payloadLimit: LimitKey { self == .voip ? .apnsCallBytes : .payloadBytes }

    /// The priorities that the vendor knows.
    static let allPriorities: Set = [1, 5, 10]

    /// The priorities that a push of this type may have.
    var priorities: Set<Int> {
        switch self {
        case .background: [5]
        case .liveActivity, .location: [5, 10]
        case .pushToTalk: [10]
        default: Self.allPriorities
        }
    }

    /// Whether the type needs a provider token. A certificate is not enough.
    var needsToken: Bool { [.location, .liveActivity, .fileProvider].contains(self) }
}
