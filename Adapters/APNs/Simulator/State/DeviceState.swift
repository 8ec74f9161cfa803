import FoundationEssentials
import PushSimulation

/// A device and its received messages.
struct DeviceState {
    /// The Live Activity of an app.
    struct Activity: Hashable {
        let app: String
        let id: String
    }

    /// The bundle id of the device's first app.
    let app: String
    var device: VirtualDevice
    var inbox = Inbox()
    /// Nil until the app reports the language.
    var language: String?
    var tokens: Set<String> = []
    /// The timestamp of each activity's newest change.
    private var timestamps: [Activity: Int] = [:]

    init(_ device: VirtualDevice, app: String) {
        self.device = device
        self.app = app
    }

    /// Whether the device shows a change of a Live Activity; if so, keeps its timestamp.
    mutating func accepts(_ change: ActivityPayload, of activity: Activity, _ now: Date) -> Bool {
        guard change.isCurrent(after: timestamps[activity], now) else { return false }
        timestamps[activity] = change.timestamp
        return true
    }
}

/// All devices and their tokens.
struct DeviceTable {
    /// By their ids.
    var devices: [String: DeviceState] = [:]
    /// By token, in lower case.
    private(set) var tokens: [String: TokenState] = [:]

    /// Adds a token, or replaces it. A new token is alive.
    mutating func add(_ registration: APNsRegistration, to app: String, activity: String? = nil) {
        let token = registration.token.lowercased()
        if let old = tokens[token] { devices[old.device]?.tokens.remove(token) }
        let state = TokenState(registration, app: app, activity: activity)
        tokens[token] = state
        devices[state.device, default: DeviceState(registration.device, app: app)].tokens.insert(token)
    }

    subscript(token: String) -> TokenState? { tokens[token.lowercased()] }

    /// Changes a token. Does nothing for an unknown one.
    mutating func change(_ token: String, _ edit: (inout TokenState) -> Void) {
        let token = token.lowercased()
        guard var state = tokens[token] else { return }
        edit(&state)
        tokens[token] = state
    }

    mutating func changeAll(of device: String, _ edit: (inout TokenState) -> Void) {
        for token in devices[device]?.tokens ?? [] { change(token, edit) }
    }

    /// The tokens of a device with their states.
    func states(of device: String) -> [(token: String, state: TokenState)] {
        (devices[device]?.tokens ?? []).compactMap { token in tokens[token].map { (token, $0) } }
    }
}
