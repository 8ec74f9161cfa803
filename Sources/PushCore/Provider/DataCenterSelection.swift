/// How to choose a data center.
public enum DataCenterSelection: Sendable {
    /// The vendor's own default.
    case standard
    /// By name or alias: the `siteName` of device SDKs.
    case named(String)
    /// The caller's own addresses, for example a simulator's.
    case custom(DataCenter)
    /// From the app key.
    case derived(any DataCenterResolver)
}
