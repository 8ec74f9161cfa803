import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// A channel of an app that the vendor approved.
public struct XiaomiChannel: Sendable {
    /// The class of a channel's messages.
    public enum Kind: Sendable, Hashable {
        /// Public messages: a few per device and day, stored for one day.
        case `public`
        /// Private messages: no quota, stored for ten days. They need a template.
        case `private`
        /// Messages to which the user subscribes on the phone. They have the rights of private ones.
        case subscription
    }

    /// The class.
    public var kind: Kind
    /// The names of the variables of each template, by template id.
    public var templates: [String: Set<String>]

    /// A channel with its templates.
    public init(_ kind: Kind, templates: [String: Set<String>] = [:]) {
        (self.kind, self.templates) = (kind, templates)
    }
}

/// An app for Xiaomi's phones: credentials, channels, quotas and devices.
public struct XiaomiApp: Sendable {
    /// The package name.
    public var packageName: String
    /// The app secret.
    public var secret: Secret
    /// The approved channels by id.
    public var channels: [String: XiaomiChannel]
    /// The installations that exist from the start. Their ids are regids.
    public var devices: [VirtualDevice]
    /// The aliases of installations, oldest first, by regid. Only the SDK on the phone sets them.
    public var aliases: [String: [String]] = [:]
    /// The accounts of installations, by regid. Only the SDK on the phone sets them.
    public var accounts: [String: Set<String>] = [:]

    /// Whether the app moved fully to the classes of 2026. Sends without an approved channel then fail.
    public var isStrict = false
    /// Devices with the app and notifications on. Fewer than 10,000 count as 10,000.
    public var enabledDevices = 0
    /// The public class's quota a day, as a multiple of the devices: 2; 3 for licensed news; 1.5 if many users close
    /// the notifications.
    public var publicFactor = 2.0
    /// Public messages per device and day: 5; 8 for licensed news; 3 if many users close the notifications.
    public var publicPerDevice = 5
    /// The address of receipts from the console, for messages that have none.
    public var receiptURL: String?

    /// Creates an app that has not moved to the classes.
    public init(
        packageName: String, secret: Secret, channels: [String: XiaomiChannel] = [:], devices: [VirtualDevice] = []
    ) {
        (self.packageName, self.secret, self.channels, self.devices) = (packageName, secret, channels, devices)
    }

    /// The sends per second, by the number of devices.
    var requestsPerSecond: Int {
        let bands = [(10_000_000, 3000), (5_000_000, 2500), (1_000_000, 2000), (100_000, 1000)]
        return bands.first { enabledDevices >= $0.0 }?.1 ?? 500
    }

    /// The messages of a class a day; nil for no quota.
    func quota(of kind: XiaomiChannel.Kind?, least base: Int) -> Int? {
        let devices = max(base, enabledDevices)
        return switch kind {
        case nil: devices
        case .public: Int(Double(devices) * publicFactor)
        case .private, .subscription: nil
        }
    }

    /// The messages of a class per device and day; nil for no cap.
    func cap(of kind: XiaomiChannel.Kind?) -> Int? {
        switch kind {
        case nil: 1
        case .public: publicPerDevice
        case .private, .subscription: nil
        }
    }
}
