import PushAdapter

/// What a push is for. The vendor checks that it fits the topic, and the device that it fits the payload.
///
/// Source: Sending notification requests to APNs, 2026.
public enum APNsPushType: String, Sendable, Hashable, Codable, CaseIterable {
    /// Shows, plays or badges something.
    case alert
    /// Wakes the app, and shows nothing.
    case background
    /// A call, to a token for calls.
    case voip
    /// New data for a watch face, to a token for it.
    case complication
    /// A change in the app's files, to a token for it.
    case fileProvider = "fileprovider"
    /// A message to a managed device.
    case mdm
    /// Starts, changes or ends a Live Activity, by a token of its own.
    case liveActivity = "liveactivity"
    /// A change in a Push to Talk channel, to a token of the channel.
    case pushToTalk = "pushtotalk"
    /// Asks for the location, by a token for it. iOS and iPadOS.
    case location
    /// Reloads the app's widgets, by a token for them.
    case widgets
    /// Reloads a control, by a token of it.
    case controls

    /// What the topic has behind the bundle id; nil for nothing.
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

    /// The suffixes that are no part of a bundle id. An app may well be called voip or complication.
    static let plainSuffixes = allCases.compactMap(\.suffix).filter { $0 != ".voip" && $0 != ".complication" }

    /// The limit of the payload.
    var payloadLimit: LimitKey { self == .voip ? .apnsCallBytes : .payloadBytes }

    /// The priorities that the vendor knows.
    static let allPriorities: Set = [1, 5, 10]

    /// The priorities that it may have.
    var priorities: Set<Int> {
        switch self {
        case .background: [5]
        case .liveActivity, .location: [5, 10]
        case .pushToTalk: [10]
        default: Self.allPriorities
        }
    }

    /// Whether it needs a provider token, and a certificate does not do.
    var needsToken: Bool { [.location, .liveActivity, .fileProvider].contains(self) }
}
