/// How to choose a data center.
public enum DataCenterSelection: Sendable {
    /// The vendor's own default.
    case standard
    /// By name or alias: the `siteName` of device SDKs.
    case named(String)
    /// Addresses of the caller's own, for example a simulator's.
    case custom(DataCenter)
    /// From the app key.
    case derived(any DataCenterResolver)
}
