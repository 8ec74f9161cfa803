public import PushAdapter

/// An app installation that a simulator knows.
public struct VirtualDevice: Sendable, Hashable {
    /// Its id at the vendor.
    public var id: String
    /// The operating system that it runs.
    public var platform: Platform
    /// Whether it is connected; an offline device receives nothing.
    public var isOnline: Bool
    /// The Apple environment that its token belongs to.
    public var environment: AppEnvironment

    /// A connected installation, by default in Apple's production environment.
    public init(
        _ id: String, _ platform: Platform, isOnline: Bool = true, environment: AppEnvironment = .production
    ) {
        self.id = id
        self.platform = platform
        self.isOnline = isOnline
        self.environment = environment
    }
}
