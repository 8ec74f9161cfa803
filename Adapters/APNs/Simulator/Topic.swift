/// A topic that belongs to an app.
struct Topic {
    /// What follows the bundle id.
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

    /// Whether it is the topic of a certificate for device management.
    var isManagement: Bool { suffix == .none && bundleID.hasPrefix("com.apple.mgmt.") }

    init(_ bundleID: String, _ suffix: Suffix = .none) {
        self.bundleID = bundleID
        self.suffix = suffix
    }

    /// Nil for a topic of no app. A bundle id that ends like a suffix is an app's own topic.
    init?(_ text: String, isApp: (String) -> Bool) {
        let found = Suffix.allCases.lazy.filter { text.hasSuffix($0.rawValue) }.map { suffix in
            Topic(String(text.dropLast(suffix.rawValue.count)), suffix)
        }.first { isApp($0.bundleID) }
        guard let found else { return nil }
        self = found
    }
}

/// The types of pushes, by their names in `apns-push-type`.
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

    /// The end of the topic that pushes to such a token need.
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
