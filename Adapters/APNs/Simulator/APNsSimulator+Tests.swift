public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// Views for tests, and controls for devices, apps and keys.
extension APNsSimulator {
    /// The messages that a device received, oldest first.
    public func inbox(of device: String) -> [DeliveredMessage] { table.devices[device]?.inbox.messages ?? [] }

    /// The devices that received a message, by its `apns-id` or `apns-request-id`.
    public func receivers(of message: String) -> [String] {
        table.devices.filter { $0.value.inbox.has(message) }.keys.sorted()
    }

    /// The number of open connections.
    public var connectionCount: Int { connections.count }

    // MARK: Devices

    /// Adds a device token to an app, or replaces the same token. Does nothing for an unknown app.
    public func add(_ registration: APNsRegistration, to app: String) {
        if apps[app] != nil { table.add(registration, to: app) }
    }

    /// Removes a token's app from its device, together with all tokens of the app there. Apple notices late: see
    /// ``APNsSimulatorSettings/pushesUntilUnregistered`` and ``APNsSimulatorSettings/unregisteredDelay``.
    public func uninstall(_ token: String, at now: Date) {
        guard let removed = table[token] else { return }
        table.changeAll(of: removed.device) { state in
            guard state.app == removed.app, state.end == nil else { return }
            state.end = .removal(now)
            state.waiting = nil
        }
        apps[removed.app]?.unsubscribe(removed.device)
    }

    /// Ends a token. Apple then refuses it with `ExpiredToken`.
    public func expire(_ token: String, at now: Date) {
        table.change(token) { state in
            state.end = .expiry(now)
            state.waiting = nil
        }
    }

    /// Takes a device offline, or brings it online, where it receives the waiting messages.
    public func setOnline(_ isOnline: Bool, _ device: String, at now: Date) {
        guard let wasOnline = table.devices[device]?.device.isOnline, wasOnline != isOnline else { return }
        table.devices[device]?.device.isOnline = isOnline
        if isOnline { handWaiting(to: device, now) }
    }

    // MARK: Apps and keys

    /// Adds an app, or replaces the app with the same bundle id and its channels. Connections that are already in use
    /// may not push to a new app.
    public func add(_ app: APNsApp) {
        apps[app.bundleID] = AppState(app)
        for registration in app.registrations { table.add(registration, to: app.bundleID) }
    }

    /// Adds a topic to a key that is limited to topics. Connections that already use the key may not push to the new
    /// topic.
    public func addTopic(_ bundleID: String, to key: String) { signers[key]?.topics?.insert(bundleID) }

    /// Revokes a key. Apple then refuses its tokens.
    public func revokeKey(_ key: String) {
        signers[key] = nil
        checkedTokens = checkedTokens.filter { $0.value.keyID != key }
    }

    // MARK: Channels

    /// The ids of an app's channels, the oldest first.
    public func channels(of app: String) -> [String] { apps[app]?.channelIDs ?? [] }

    /// Enables broadcasts for an app, or disables them and deletes all channels.
    public func setBroadcasts(isEnabled: Bool, of app: String) {
        apps[app]?.hasBroadcasts = isEnabled
        if !isEnabled { apps[app]?.channels = [:] }
    }

    /// Lets a Live Activity of a device follow a channel. Apps do so when they start an activity themselves.
    public func follow(_ channel: String, of app: String, on device: String, as activity: String) {
        subscribe(device, to: channel, of: app, as: activity)
    }
}
