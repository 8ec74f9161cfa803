/// Which of Apple's two push environments an app was built for.
public enum AppEnvironment: String, Sendable, Hashable, Codable {
    /// For apps from the App Store, from TestFlight and from ad hoc distribution.
    case production
    /// For apps that Xcode installed on a device.
    case development
}
