public import PushSimulation

/// A device token: one app on one device, for one purpose.
public struct APNsRegistration: Sendable {
    /// What pushes to a token are for. Each purpose has its own topic.
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
        /// Questions for the place of the device.
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

    /// The device, whose id tests and inboxes use. Its environment is that of the token. Registrations with the same id
    /// share one inbox.
    public var device: VirtualDevice
    /// The token, in hexadecimal digits.
    public var token: String
    /// What pushes to the token are for.
    public var purpose: Purpose

    /// A token of a device.
    /// - Parameters:
    ///   - device: the device.
    ///   - token: the token; nil for the id of the device.
    ///   - purpose: what pushes to the token are for.
    public init(_ device: VirtualDevice, token: String? = nil, purpose: Purpose = .app) {
        self.device = device
        self.token = token ?? device.id
        self.purpose = purpose
    }
}
