import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

/// The state of one app.
struct AppState {
    var messages: [String: MessageState] = [:]
    var keys: [String: KeyState] = [:]
    var schedules: [JiguangSchedule] = []
    /// The id of this app's message in each group push.
    var groupMessages: [String: String] = [:]
    /// The mobile numbers of devices.
    var mobiles: [String: String] = [:]
    var files: [String: FileState] = [:]
    /// Plans with descriptions, test devices with names, images with addresses.
    var plans: [String: String] = [:]
    var testDevices: [String: String] = [:]
    var images: [String: [String: JSONValue]] = [:]
    /// The number of pushes to everyone, by day in China.
    var broadcasts: [Int: Int] = [:]
    private var lastMessageID = 18_103_084_512_345_677

    mutating func newMessageID() -> String {
        lastMessageID += 1
        return String(lastMessageID)
    }
}

/// An idempotency key and the response to the push that used it.
struct KeyState {
    var mintedAt: Date
    var type: String
    var answer: SimulatedResponse?
}

/// A push that took effect, with its counts.
struct MessageState {
    let push: PushObject
    let sentAt: Date
    /// The devices that the message targeted.
    let targets: Set<String>
    var androidReceived = 0
    var apnsSent = 0
    /// Nil unless the notification has `mutable-content`, which makes the app report.
    var apnsReceived: Int?
    var iosMessagesReceived = 0
    var liveActivitySent = 0
    var liveActivityReceived = 0
    var harmonySent = 0
    var harmonyReceived = 0
    var harmonyMessagesSent = 0
    var harmonyMessagesReceived = 0
    /// The devices on which the message arrived, and below those that have its notification or its custom message.
    private(set) var arrived: Set<String> = []
    private var notified: Set<String> = []
    private var handed: Set<String> = []
    /// The devices that showed the message; nil until a phone has it, because only phones report this.
    var displayed: Set<String>?
    /// The devices on which the user opened the message.
    private(set) var opened: Set<String> = []

    init(_ push: PushObject, sentAt: Date, targets: Set<String>) {
        self.push = push
        self.sentAt = sentAt
        self.targets = targets
        apnsReceived = push.isMutable ? 0 : nil
    }

    /// Whether the vendor knows that a device has the message.
    func isKnown(on device: String) -> Bool { arrived.contains(device) || opened.contains(device) }

    /// Counts what the vendor passes on for a device, even if the device cannot be reached.
    mutating func noteSending(to device: VirtualDevice) {
        switch device.platform {
        case .ios:
            if push.notifies(.ios) { apnsSent += 1 }
        case .harmony:
            if push.notifies(.harmony) { harmonySent += 1 }
            if push.custom != nil { harmonyMessagesSent += 1 }
        default: break
        }
    }

    /// Counts the arrival of a notification, a call or a Live Activity, once per device.
    mutating func noteArrival(of received: DeliveredMessage, on device: VirtualDevice) {
        guard notified.insert(device.id).inserted else { return }
        let isFirst = arrived.insert(device.id).inserted
        guard received.activity == nil else {
            liveActivityReceived += 1
            return
        }
        switch device.platform {
        // Without mutable-content, the app's extension does not run and cannot report.
        case .ios: if received.isMutable { apnsReceived = apnsReceived.map { $0 + 1 } }
        case .harmony: if push.notifies(.harmony) { harmonyReceived += 1 }
        default: if isFirst { androidReceived += 1 }
        }
    }

    /// Counts the arrival of a custom message in the app, once per device.
    mutating func noteCustomArrival(of received: DeliveredMessage, on device: VirtualDevice) {
        guard received.custom != nil, handed.insert(device.id).inserted else { return }
        let isFirst = arrived.insert(device.id).inserted
        switch device.platform {
        case .ios: iosMessagesReceived += 1
        case .harmony: harmonyMessagesReceived += 1
        // Android has one column for both kinds.
        default: if isFirst { androidReceived += 1 }
        }
    }

    mutating func noteDisplay(on device: String) { displayed = (displayed ?? []).union([device]) }

    /// Counts a click, and the display before it.
    mutating func noteClick(on device: String) {
        noteDisplay(on: device)
        opened.insert(device)
    }
}

struct FileState {
    var kind: String
    var name: String
    var ids: [String]
    var createdAt: Date
    var expiresAt: Date
}
