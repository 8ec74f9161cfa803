public import PushAdapter

/// A message as a person types it into a vendor's console.
public struct ConsoleMessage: Sendable, Hashable {
    /// The title; empty for none.
    public var title: String
    /// The text.
    public var body: String
    /// The number on the app's icon; nil leaves it as it is.
    public var badge: Badge?
    /// The device that it is for; nil for everyone.
    public var device: DeviceID?

    /// A message for one device, or for everyone.
    public init(title: String = "", body: String, badge: Badge? = nil, device: DeviceID? = nil) {
        self.title = title
        self.body = body
        self.badge = badge
        self.device = device
    }
}

extension ConsoleMessage {
    /// The message in the library's model. The badge is for Apple's devices.
    public var message: Message {
        let ios = badge.map { IOSNotification(badge: $0) }
        return Message(notification: Notification(title: title.isEmpty ? nil : title, body: body, ios: ios))
    }

    /// Who the message is for.
    public var audience: Audience { device.map { .devices([$0]) } ?? .everyone }
}

extension ConsoleMessage: CustomStringConvertible, CustomReflectable {
    /// Without the texts and the device.
    public var description: String { device == nil ? "a message for everyone" : "a message for one device" }
    /// Empty, so `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
