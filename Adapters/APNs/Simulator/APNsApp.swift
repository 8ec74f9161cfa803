public import PushSimulation

/// An app, and the device tokens that Apple gave to its installations.
public struct APNsApp: Sendable {
    /// The bundle id, without a suffix: `com.example.shop`. For device management, the topic of its certificate:
    /// `com.apple.mgmt.External.` and a UUID.
    public var bundleID: String
    /// The team that owns the app, ten characters.
    public var teamID: String
    /// The tokens that exist from the start.
    public var registrations: [APNsRegistration]
    /// Whether the app has the capability for broadcasts to channels.
    public var hasBroadcasts = true

    /// An app with broadcasts.
    /// - Parameters:
    ///   - bundleID: the bundle id.
    ///   - teamID: the team.
    ///   - devices: installations whose ids are their tokens for notifications.
    public init(bundleID: String, teamID: String, devices: [VirtualDevice] = []) {
        self.bundleID = bundleID
        self.teamID = teamID
        registrations = devices.map { APNsRegistration($0) }
    }
}
