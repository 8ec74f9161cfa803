/// A delivery route to the device: the vendor's own connection, Apple's service, a phone maker's service.
public struct DeliveryChannel: TextIdentifier, CodingKeyRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The vendor's own connection to the device.
    public static let vendor: DeliveryChannel = "vendor"
    /// Apple's push service.
    public static let apns: DeliveryChannel = "apns"
    /// The service of an Android phone's maker.
    public static let manufacturer: DeliveryChannel = "manufacturer"
    /// A custom message to an app in the foreground.
    public static let app: DeliveryChannel = "app"
}
