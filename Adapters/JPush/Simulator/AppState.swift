import FoundationEssentials
import PushCore
import PushSimulation

/// Everything the simulator knows of one app.
struct AppState {
    var devices: [String: DeviceState]
    var messages: [String: MessageState] = [:]
    var keys: [String: KeyState] = [:]
    /// Pushes to everyone, by day in China.
    var broadcasts: [Int: Int] = [:]
    private var lastMessageID = 18_103_084_512_345_677

    init(devices: [VirtualDevice]) {
        self.devices = Dictionary(devices.map { ($0.id, DeviceState($0)) }, uniquingKeysWith: { _, last in last })
    }

    mutating func newMessageID() -> String {
        lastMessageID += 1
        return String(lastMessageID)
    }
}

struct DeviceState {
    var device: VirtualDevice
    var tags: Set<String> = []
    var alias: String?
    var mobile: String?
    /// Kept by the server for `+1` and `-1`.
    var badge = 0
    var inbox: [DeliveredMessage] = []

    init(_ device: VirtualDevice) { self.device = device }
}

/// An idempotency key and the answer to the push that used it.
struct KeyState {
    var mintedAt: Date
    var type: String
    var answer: SimulatedResponse?
}

/// A push that was carried out, with what became of it.
struct MessageState {
    var sentAt: Date
    var androidReceived = 0
    var apnsSent = 0
    /// Nil unless the notification asked the app to report, by `mutable-content`.
    var apnsReceived: Int?
    var iosMessagesReceived = 0
    var harmonySent = 0
    var harmonyReceived = 0
    var harmonyMessagesSent = 0
    var harmonyMessagesReceived = 0
}
