public import PushAdapter

/// A caller's own name for one of its clients: an app at a vendor, such as `jpush` or `tpns-ios`.
public struct RouteName: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
