public import PushAdapter
public import PushSimulation

/// An app for Honor's phones: the values of the console that a backend needs, its rights and its devices.
public struct HonorApp: Sendable {
    /// The app id, which stands in the path of a send.
    public var appID: String
    /// The client id, with which a backend gets access tokens. It is not the app id.
    public var clientID: String
    /// The client secret. The app secret is for phones only.
    public var clientSecret: Secret
    /// The installations that exist from the start. Their ids are push tokens.
    public var devices: [VirtualDevice]

    /// Whether the app may choose the class of its messages. If not, all notifications are marketing.
    public var maySendService = true
    /// Whether the app may send messages without a notification. If not, 80200022.
    public var mayPassThrough = true
    /// Marketing notifications a device and day: 2, or 5 for licensed news.
    public var marketingPerDay = 2
    /// Test messages a day.
    public var testMessagesPerDay = 1000
    /// Requests per second, or devices if the settings say so.
    public var ratePerSecond = 3000

    /// Creates an app with every right.
    public init(appID: String, clientID: String, clientSecret: Secret, devices: [VirtualDevice] = []) {
        (self.appID, self.clientID, self.clientSecret, self.devices) = (appID, clientID, clientSecret, devices)
    }
}
