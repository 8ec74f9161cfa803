import FoundationEssentials
import PushSimulation

/// A device and what it received.
struct DeviceState {
    /// The Live Activity of an app.
    struct Activity: Hashable {
        let app: String
        let id: String
    }

    /// The bundle id of its first app.
    let app: String
    var device: VirtualDevice
    var inbox = Inbox()
    /// Nil until the app reports it.
    var language: String?
    var tokens: Set<String> = []
    /// The timestamps of the newest changes.
    private var timestamps: [Activity: Int] = [:]

    init(_ device: VirtualDevice, app: String) {
        self.device = device
        self.app = app
    }

    /// Whether the device shows a change of a Live Activity: not one that is older than the last, and not one from the
    /// future.
    mutating func accepts(_ change: ActivityPayload, of activity: Activity, _ now: Date) -> Bool {
        guard Double(change.timestamp) - now.timeIntervalSince1970 <= Rules.activityLead else { return false }
        if change.event != .start, let last = timestamps[activity], change.timestamp < last { return false }
        timestamps[activity] = change.timestamp
        return true
    }
}

/// All devices and their tokens.
struct DeviceTable {
    /// By their ids.
    var devices: [String: DeviceState] = [:]
    /// By the token, in small letters.
    private(set) var tokens: [String: TokenState] = [:]

    /// Adds a token, in place of one that is the same. A new one is alive.
    mutating func add(_ registration: APNsRegistration, to app: String, activity: String? = nil) {
        let token = registration.token.lowercased()
        if let old = tokens[token] { devices[old.device]?.tokens.remove(token) }
        let state = TokenState(registration, app: app, activity: activity)
        tokens[token] = state
        devices[state.device, default: DeviceState(registration.device, app: app)].tokens.insert(token)
    }

    subscript(token: String) -> TokenState? { tokens[token.lowercased()] }

    /// Changes a token if it is known.
    mutating func change(_ token: String, _ edit: (inout TokenState) -> Void) {
        let token = token.lowercased()
        guard var state = tokens[token] else { return }
        edit(&state)
        tokens[token] = state
    }

    /// Changes all tokens of a device.
    mutating func changeAll(of device: String, _ edit: (inout TokenState) -> Void) {
        for token in devices[device]?.tokens ?? [] { change(token, edit) }
    }

    /// The tokens of a device with what is known of them.
    func states(of device: String) -> [(token: String, state: TokenState)] {
        (devices[device]?.tokens ?? []).compactMap { token in tokens[token].map { (token, $0) } }
    }
}
