/// A topic that belongs to an app.
struct Topic {
    /// The part after the bundle id.
    enum Suffix: String, CaseIterable {
        case none = ""
        case voip = ".voip"
        case complication = ".complication"
        case fileProvider = ".pushkit.fileprovider"
        case liveActivity = ".push-type.liveactivity"
        case pushToTalk = ".voip-ptt"
        case location = ".location-query"
        case widgets = ".push-type.widgets"
        case controls = ".push-type.controls"
    }

    let bundleID: String
    let suffix: Suffix

    var text: String { bundleID + suffix.rawValue }

    /// Whether this is the topic of a device-management certificate.
    var isManagement: Bool { suffix == .none && bundleID.hasPrefix("com.apple.mgmt.") }

    init(_ bundleID: String, _ suffix: Suffix = .none) {
        self.bundleID = bundleID
        self.suffix = suffix
    }

    /// Nil if the topic belongs to no app. If a bundle id ends like a suffix, the topic is the app's own.
    init?(_ text: String, isApp: (String) -> Bool) {
        let found = Suffix.allCases.lazy.filter { text.hasSuffix($0.rawValue) }.map { suffix in
            Topic(String(text.dropLast(suffix.rawValue.count)), suffix)
        }.first { isApp($0.bundleID) }
        guard let found else { return nil }
        self = found
    }
}

/// The push types, by their names in `apns-push-type`.
enum PushType: String {
    case alert
    case background
    case voip
    case complication
    case fileprovider
    case mdm
    case liveactivity
    case pushtotalk
    case location
    case widgets
    case controls

    private var suffix: Topic.Suffix {
        switch self {
        case .alert, .background, .mdm: .none
        case .voip: .voip
        case .complication: .complication
        case .fileprovider: .fileProvider
        case .liveactivity: .liveActivity
        case .pushtotalk: .pushToTalk
        case .location: .location
        case .widgets: .widgets
        case .controls: .controls
        }
    }

    func fits(_ topic: Topic) -> Bool { topic.suffix == suffix && topic.isManagement == (self == .mdm) }
}

extension APNsRegistration.Purpose {
    var isActivity: Bool { self == .liveActivity || self == .pushToStart }

    /// The topic suffix that pushes to such a token need.
    var suffix: Topic.Suffix {
        switch self {
        case .app, .mdm: .none
        case .voip: .voip
        case .complication: .complication
        case .fileProvider: .fileProvider
        case .pushToTalk: .pushToTalk
        case .location: .location
        case .widgets: .widgets
        case .controls: .controls
        case .liveActivity, .pushToStart: .liveActivity
        }
    }
}
