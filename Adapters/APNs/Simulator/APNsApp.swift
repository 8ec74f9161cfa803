public import PushSimulation

/// An app and the device tokens of its installations.
public struct APNsApp: Sendable {
    /// The bundle id without a suffix: `com.example.shop`. For device management, the topic of the certificate:
    /// `com.apple.mgmt.External.` and a UUID.
    public var bundleID: String
    /// The team that owns the app, ten characters.
    public var teamID: String
    /// The tokens that exist from the start.
    public var registrations: [APNsRegistration]
    /// Whether the app may broadcast to channels.
    public var hasBroadcasts = true

    /// Creates an app with broadcasts.
    /// - Parameters:
    ///   - bundleID: the bundle id.
    ///   - teamID: the team.
    ///   - devices: installations. The id of each is its token for notifications.
    public init(bundleID: String, teamID: String, devices: [VirtualDevice] = []) {
        self.bundleID = bundleID
        self.teamID = teamID
        registrations = devices.map { APNsRegistration($0) }
    }
}
