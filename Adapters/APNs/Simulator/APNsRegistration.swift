public import PushSimulation

/// A device token: one app on one device, for one purpose.
public struct APNsRegistration: Sendable {
    /// The purpose of a token. Each purpose has its own topic.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// Notifications and background pushes.
        case app
        /// Calls.
        case voip
        /// Complications of a watch face.
        case complication
        /// Changes of files at a file provider.
        case fileProvider
        /// A channel of Push to Talk that the user joined.
        case pushToTalk
        /// Location requests.
        case location
        /// Widgets.
        case widgets
        /// Controls.
        case controls
        /// Changes of one Live Activity.
        case liveActivity
        /// Starts of Live Activities.
        case pushToStart
        /// Device management.
        case mdm
    }

    /// The device. Tests and inboxes use its id, and its environment is the token's environment. Registrations with the
    /// same device id share one inbox.
    public var device: VirtualDevice
    /// The token, in hexadecimal digits.
    public var token: String
    /// The purpose of the token.
    public var purpose: Purpose

    /// Creates a token of a device.
    /// - Parameters:
    ///   - device: the device.
    ///   - token: the token; nil to use the device's id.
    ///   - purpose: the purpose of the token.
    public init(_ device: VirtualDevice, token: String? = nil, purpose: Purpose = .app) {
        self.device = device
        self.token = token ?? device.id
        self.purpose = purpose
    }
}
