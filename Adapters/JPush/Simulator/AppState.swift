import FoundationEssentials
import PushCore
import PushSimulation

/// Everything the simulator knows about one app.
struct AppState {
    var devices: [String: DeviceState]
    var messages: [String: MessageState] = [:]
    var keys: [String: KeyState] = [:]
    var schedules: [ScheduleState] = []
    /// This app's message of each group push.
    var groupMessages: [String: String] = [:]
    var files: [String: FileState] = [:]
    /// Plans and their descriptions, test devices and their names, images and their addresses.
    var plans: [String: String] = [:]
    var testDevices: [String: String] = [:]
    var images: [String: [String: JSONValue]] = [:]
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
    /// Kept by the server to apply `+1` and `-1`.
    var badge = 0
    var inbox: [DeliveredMessage] = []
    /// Live Activities that the app registered.
    var liveActivities: Set<String> = []
    /// Messages that wait while the device is offline.
    var pending: [PendingMessage] = []

    init(_ device: VirtualDevice) { self.device = device }
}

/// An idempotency key and the response to the push that used it.
struct KeyState {
    var mintedAt: Date
    var type: String
    var answer: SimulatedResponse?
}

/// A push that took effect, with its counts.
struct MessageState {
    var sentAt: Date
    /// The devices that it targeted.
    var targets: Set<String> = []
    var androidReceived = 0
    var apnsSent = 0
    /// Nil unless the notification asked the app to report, by `mutable-content`.
    var apnsReceived: Int?
    var iosMessagesReceived = 0
    var liveActivityReceived = 0
    var harmonySent = 0
    var harmonyReceived = 0
    var harmonyMessagesSent = 0
    var harmonyMessagesReceived = 0
}

/// A message that waits for a device.
struct PendingMessage {
    var push: PushObject
    var messageID: String
    var expiresAt: Date
}

struct ScheduleState {
    var id: String
    var name: String
    var isEnabled: Bool
    var trigger: JSONValue
    var push: [String: JSONValue]
    var doneUntil: Date
    /// Messages it has sent, as the vendor lists them.
    var sent: [JSONValue] = []
}

struct FileState {
    var kind: String
    var name: String
    var ids: [String]
    var createdAt: Date
    var expiresAt: Date
}
