public import FoundationEssentials
public import PushAdapter

/// A device as most vendors know it. A simulator keeps more about a device in a dictionary of its own.
public struct SimulatedDevice: Sendable {
    /// The installation.
    public var device: VirtualDevice
    /// Its tags.
    public var tags: Set<String> = []
    /// Its alias; nil for none.
    public var alias: String?
    /// Its accounts.
    public var accounts: Set<Account> = []
    /// Its attributes.
    public var attributes: [String: String] = [:]
    /// The badge, where the vendor's server counts it.
    public var badge = 0
    /// Nil until the app reports the language.
    public var language: String?
    /// The messages that it received, and its phone.
    public var inbox = Inbox()
    /// The messages that wait until it is online, oldest first.
    public var waiting: [WaitingMessage] = []
    /// When it last went offline; nil while that is unknown.
    public var lastOnlineAt: Date?
    /// The tokens that its phone uploaded.
    public var tokens = DeviceTokens()

    /// A new installation, as the vendor knows it at first.
    public init(_ device: VirtualDevice) { self.device = device }

    /// The vendor's data about the device.
    public var snapshot: DeviceSnapshot {
        var snapshot = DeviceSnapshot(
            tags: tags, alias: alias, accounts: accounts, attributes: attributes, inbox: inbox.messages)
        snapshot.device = device
        snapshot.badge = badge
        snapshot.language = language
        snapshot.activities = tokens.activities
        return snapshot
    }

    /// Receives a message, or keeps it until a moment if it is offline; nil keeps it not at all. Returns whether it
    /// received it.
    @discardableResult
    public mutating func receive(_ message: DeliveredMessage, orKeepUntil end: Date?) -> Bool {
        if device.isOnline {
            inbox.receive(message)
        } else if let end {
            waiting.append(WaitingMessage(message.messageID, until: end, content: message))
        }
        return device.isOnline
    }

    /// Withdraws a message that waits or has arrived.
    public mutating func forget(_ messageID: String) {
        waiting.removeAll { $0.messageID == messageID }
        if inbox.has(messageID) { inbox.withdraw(messageID) }
    }

    /// Keeps the badge, the language or the token of a phone's report. Ignores any other report.
    /// - Parameters:
    ///   - report: the phone's report.
    ///   - badges: the badges that the SDK accepts; ignores any other.
    public mutating func keep(_ report: PhoneReport, badges: ClosedRange<Int> = Int.min...Int.max) {
        switch report {
        case .badge(let number): if badges.contains(number) { badge = number }
        case .token(let token): tokens.keep(token)
        case .language(let language): self.language = language
        case .delivered, .customDelivered, .displayed, .opened, .dismissed: break
        }
    }
}

/// A message that waits for an offline device.
public struct WaitingMessage: Sendable {
    /// The vendor's id of the message.
    public var messageID: String
    /// The moment until which it waits.
    public var until: Date
    /// The message that the device receives; nil if the vendor decides on it when the device is online.
    public var content: DeliveredMessage?

    /// A message that waits until a moment.
    public init(_ messageID: String, until: Date, content: DeliveredMessage? = nil) {
        self.messageID = messageID
        self.until = until
        self.content = content
    }
}

extension [String: SimulatedDevice] {
    /// The installations that exist from the start, by their ids.
    public init(_ devices: [VirtualDevice]) {
        self.init(devices.map { ($0.id, SimulatedDevice($0)) }, uniquingKeysWith: { _, last in last })
    }

    /// Drops the messages that have waited until a moment, and returns them.
    /// - Parameter next: when the first message that waits is over; nothing is over before.
    @discardableResult
    package mutating func dropExpired(
        until now: Date, next: inout Date
    ) -> [(device: String, message: WaitingMessage)] {
        guard next <= now else { return [] }
        let expired = flatMap { id, device in device.waiting.filter { $0.until <= now }.map { (id, $0) } }
        for (id, _) in expired { self[id]?.waiting.removeAll { $0.until <= now } }
        next = values.flatMap(\.waiting).map(\.until).min() ?? .distantFuture
        return expired
    }
}
