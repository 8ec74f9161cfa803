/// The messages that a device received, and its phone.
public struct Inbox: Sendable {
    /// All messages, oldest first.
    public private(set) var messages: [DeliveredMessage] = []
    /// The phone that is connected; nil for none. Held weakly: tests keep their phones.
    public private(set) weak var phone: (any ConnectedPhone)?

    /// An empty inbox without a phone.
    public init() {}

    /// Whether a phone reports what happens to a message; otherwise the simulator assumes an ideal phone.
    public var hasPhone: Bool { phone != nil }

    /// Connects a phone, in place of an earlier one.
    public mutating func connect(_ phone: any ConnectedPhone) { self.phone = phone }

    /// Disconnects a phone; false if it is not the one that is connected.
    public mutating func disconnect(_ phone: any ConnectedPhone) -> Bool {
        guard self.phone === phone else { return false }
        self.phone = nil
        return true
    }

    /// Adds a message, and passes it to the phone.
    public mutating func receive(_ message: DeliveredMessage) {
        messages.append(message)
        phone?.receive(message)
    }

    /// Removes a message, and takes it off the phone's screen.
    public mutating func withdraw(_ messageID: String) {
        messages.removeAll { $0.messageID == messageID }
        phone?.withdraw(messageID)
    }

    /// Whether a message arrived.
    public func has(_ messageID: String) -> Bool { messages.contains { $0.messageID == messageID } }
}
