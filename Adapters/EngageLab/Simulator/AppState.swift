import FoundationEssentials
import JiguangSimulation
import PushAdapter
import PushSimulation

/// The state of one app at one data center.
struct AppState {
    var messages: [String: MessageState] = [:]
    /// The response to the first successful push with each key.
    var keys: [String: (answer: JSONValue, usedAt: Date)] = [:]
    var schedules: [JiguangSchedule] = []
    /// The tokens that registered devices, by device. The apps registered the others.
    var tokens: [String: String] = [:]
    /// Devices with a pending deletion.
    var deletions: [(device: String, date: Date)] = []
    var plans: [String: PlanState] = [:]
    /// Addresses of voice files by language.
    var voices: [String: String] = [:]
    private var lastMessageID = 90_210_000
    private var lastDevice = 0

    /// An id of 19 hex digits, with the platform's digit in third place, as in known samples. Never repeats an id.
    mutating func newDeviceID(_ platform: String, isTaken: (String) -> Bool) -> String {
        var id = ""
        repeat {
            lastDevice += 1
            id = (platform == "ios" ? "171" : "170") + String(lastDevice, radix: 16).padded(to: 16)
        } while isTaken(id)
        return id
    }

    mutating func newMessageID() -> String {
        lastMessageID += 1
        return String(lastMessageID)
    }
}

/// A push that took effect, with its results.
struct MessageState {
    var push: PushObject
    var sentAt: Date
    var targets: [String]
    /// The result on each device.
    var fates: [String: Fate]
    var isRecalled = false

    struct Fate {
        var status: String
        var channel: String
        var date: Date
        var errorCode = 0
        var isDelivered = false
        var isImpression = false
        var isClick = false
    }
}

struct PlanState {
    var description: String
    var createdAt: Date
    var lastUsedAt: Date?
    var messages: [(id: String, date: Date)] = []
}

/// A bucket of calls that refills over time.
struct CallBucket {
    private var level: Double
    private var filledAt: Date
    private let capacity: Double

    init(_ capacity: Int) {
        self.capacity = Double(capacity)
        level = Double(capacity)
        filledAt = .distantPast
    }

    /// Takes one call; returns false if there is none.
    mutating func take(_ now: Date) -> Bool {
        level = filled(now)
        filledAt = max(filledAt, now)
        guard level >= 1 else { return false }
        level -= 1
        return true
    }

    /// The available calls. Takes none.
    func remaining(_ now: Date) -> Int { Int(filled(now)) }

    private func filled(_ now: Date) -> Double {
        min(capacity, level + max(0, now.timeIntervalSince(filledAt)) * capacity)
    }
}
