package import FoundationEssentials
import PushAdapter
package import PushSimulation

/// A message on its way to devices.
package struct HuaweiMessage: Sendable {
    /// A change of the number on the icon.
    package enum BadgeChange: Sendable {
        case set(Int)
        case add(Int)
    }

    /// The message as a device gets it. Its id is the request's.
    package var content: DeliveredMessage
    package var pushType = 0
    package var appID = ""
    package var bundleName = ""
    /// Comes back in receipts.
    package var tag = ""
    /// Until when it waits for a device.
    package var until = Date.distantPast
    /// The group of which a device that is offline keeps the newest; nil keeps all.
    package var group: Int?
    package var badge: BadgeChange?
    /// A device shows the first message with this id only.
    package var uniqueID: String?
    package var formID: Int?
    /// Whether it counts as marketing.
    package var isMarketing = false
    /// Whether limits of devices do not count it.
    package var isTest = false
    /// The result in receipts of a message that no device gets; nil delivers it.
    package var result: Int?

    package init(_ content: DeliveredMessage) { self.content = content }
}

/// The most that a device may get.
package struct DeviceCaps: Sendable {
    /// Marketing messages a day.
    package var marketing: Int
    /// Messages a day; nil for no limit.
    package var all: Int?
    /// Messages that wait; nil for no limit.
    package var stored: Int?
    /// Whether group 0 replaces everything that waits.
    package var zeroReplacesAll = false

    package init(marketing: Int, all: Int? = nil, stored: Int? = nil, zeroReplacesAll: Bool = false) {
        (self.marketing, self.all, self.stored, self.zeroReplacesAll) = (marketing, all, stored, zeroReplacesAll)
    }
}

/// The vendor's record of a token.
package struct Home: Sendable {
    /// The project or app that the token belongs to.
    package var owner: String
    /// Why the vendor refuses the token; nil takes it.
    package var refusal: String?
    /// The result in receipts of a device that gets nothing; nil delivers.
    package var result: Int?
    /// Messages that the user has tapped.
    package var opened: Set<String> = []
    fileprivate(set) package var waiting: [HuaweiMessage] = []
    fileprivate var shown: [String: Date] = [:]
}

/// The devices, their waiting messages, the counts of the day, and the receipts.
package struct Deliveries: Sendable {
    /// Results in receipts.
    package enum Result {
        package static let delivered = 0
        package static let replaced = 15
        package static let deviceCap = 102
        /// Held back by the vendor; may still be delivered.
        package static let heldBack = 201
        package static let classCap = 256
    }

    package var devices: [String: SimulatedDevice] = [:]
    package var homes: [String: Home] = [:]
    package var receipts: ReceiptLine
    package var counts: DayCounts
    private let uniqueFor: Double
    private let repeatResult: Int
    private var lastNumber = 0

    /// - Parameters:
    ///   - uniqueFor: the seconds for which a device remembers unique ids.
    ///   - repeatResult: the result in the receipt of a message that a device has shown already.
    package init(_ receipts: ReceiptLine, hoursAhead: Int, uniqueFor: Double = 0, repeatResult: Int = 0) {
        self.receipts = receipts
        counts = DayCounts(CalendarDay(utcOffset: .seconds(hoursAhead * 3600)))
        (self.uniqueFor, self.repeatResult) = (uniqueFor, repeatResult)
    }

    /// A number greater than all before, as text.
    package mutating func newRequestID(_ now: Date) -> String {
        lastNumber += 1
        return String(Int(now.timeIntervalSince1970)) + String(100_000_000 + lastNumber)
    }

    /// Adds or replaces an installation of an owner's app.
    package mutating func install(_ device: VirtualDevice, owner: String) {
        devices[device.id] = SimulatedDevice(device)
        homes[device.id] = Home(owner: owner)
    }

    /// Delivers a message to a token, or keeps it while the device is offline. A request counts whether the message is
    /// shown or not.
    package mutating func send(_ message: HuaweiMessage, to token: String, _ caps: DeviceCaps, at now: Date) {
        let cap = count(message, token, caps, now)
        if let result = homes[token]?.result ?? message.result ?? cap {
            report(message, token, result, now)
            if result == Result.heldBack { keep(message, token, caps, now) }
        } else if devices[token]?.device.isOnline == true {
            deliver(message, to: token, now)
        } else {
            keep(message, token, caps, now)
        }
    }

    /// Delivers the messages that waited for a device.
    package mutating func deliverWaiting(to token: String, at now: Date) {
        guard homes[token]?.result == nil, devices[token]?.device.isOnline == true else { return }
        let waiting = homes[token]?.waiting ?? []
        homes[token]?.waiting = []
        for message in waiting where message.until > now { deliver(message, to: token, now) }
    }

    /// Takes back messages that wait, or are shown and not tapped.
    package mutating func withdraw(from token: String, where isWanted: (DeliveredMessage) -> Bool) {
        homes[token]?.waiting.removeAll { isWanted($0.content) }
        let opened = homes[token]?.opened ?? []
        for message in devices[token]?.inbox.messages ?? []
        where isWanted(message) && !opened.contains(message.messageID) {
            devices[token]?.inbox.withdraw(message.messageID)
        }
    }

    /// Writes a receipt.
    package mutating func report(_ message: HuaweiMessage, _ token: String, _ result: Int, _ now: Date) {
        receipts.add(Receipt(token: token, result: result, message: message, date: now))
    }

    // MARK: Steps

    /// The cap that a message exceeds; nil for none.
    private mutating func count(_ message: HuaweiMessage, _ token: String, _ caps: DeviceCaps, _ now: Date) -> Int? {
        guard !message.isTest else { return nil }
        let all = counts.add("\(token) all", now)
        let marketing = message.isMarketing ? counts.add("\(token) marketing", now) : 0
        if let most = caps.all, all > most { return Result.deviceCap }
        return marketing > caps.marketing ? Result.classCap : nil
    }

    private mutating func keep(_ message: HuaweiMessage, _ token: String, _ caps: DeviceCaps, _ now: Date) {
        guard var waiting = homes[token]?.waiting.filter({ $0.until > now }) else { return }
        var replaced: [HuaweiMessage] = []
        if let group = message.group {
            let takesAll = group == 0 && caps.zeroReplacesAll
            replaced = waiting.filter { takesAll || $0.group == group }
            waiting.removeAll { takesAll || $0.group == group }
        }
        if let most = caps.stored, waiting.count >= max(1, most) { replaced.append(waiting.removeFirst()) }
        waiting.append(message)
        homes[token]?.waiting = waiting
        for message in replaced { report(message, token, Result.replaced, now) }
    }

    private mutating func deliver(_ message: HuaweiMessage, to token: String, _ now: Date) {
        if let id = message.uniqueID {
            if let last = homes[token]?.shown[id], now.timeIntervalSince(last) < uniqueFor {
                return report(message, token, repeatResult, now)
            }
            homes[token]?.shown[id] = now
        }
        var content = message.content
        if let change = message.badge {
            let number =
                switch change {
                case .set(let number): number
                case .add(let number): (devices[token]?.badge ?? 0) + number
                }
            devices[token]?.badge = number
            content.badge = number
        }
        devices[token]?.inbox.receive(content)
        report(message, token, Result.delivered, now)
    }
}
