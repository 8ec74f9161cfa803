import FoundationEssentials
import PushAdapter
import PushSimulation

/// Everything the simulator knows about one app.
struct AppState {
    let app: TPNSApp
    var devices: [String: DeviceState]
    var pushes: [String: PushState] = [:]
    /// Pushes in the order of their creation, and those that are still to be sent.
    var pushOrder: [String] = []
    var unsent: [String] = []
    var packages: [Int: [String]] = [:]
    var plans: [String: (name: String, description: String)] = [:]
    /// Writes that the vendor has answered but not yet applied.
    var later: [(due: Date, write: @Sendable (inout AppState) -> Void)] = []
    /// When each content last went to each broad audience.
    var recent: [[UInt8]: Date] = [:]
    var statistics = RateWindow(seconds: 3600)
    var planWindow = RateWindow(seconds: 86_400)
    private var lastBinding = 0

    init(_ app: TPNSApp) {
        self.app = app
        devices = Dictionary(app.devices.map { ($0.id, DeviceState($0)) }, uniquingKeysWith: { _, last in last })
        packages = app.packages
    }

    var isIOS: Bool { app.platform == .ios }

    /// Binds an account. A device keeps the last account of each type, an account keeps its newest hundred devices.
    mutating func bind(_ account: String, _ type: Int, to device: String, clearsOthers: Bool) {
        lastBinding += 1
        if clearsOthers { devices[device]?.accounts = [:] }
        devices[device]?.accounts[type] = Binding(account: account, number: lastBinding)
        let holders = holders(of: account, type)
        for holder in holders.dropLast(Rules.devicesPerAccount) { devices[holder]?.accounts[type] = nil }
    }

    /// Something that the vendor does on its own.
    enum Step {
        case write(@Sendable (inout AppState) -> Void)
        case push(String)
    }

    func isDue(_ now: Date) -> Bool {
        later.contains { $0.due <= now } || unsent.contains { (pushes[$0]?.date ?? .distantFuture) <= now }
    }

    /// Removes and returns the earliest step that is due; of two with the same time, the one requested first.
    mutating func nextDue(_ now: Date) -> Step? {
        let write = later.indices.min { later[$0].due < later[$1].due }
        let push = unsent.indices.min { date(of: unsent[$0]) < date(of: unsent[$1]) }
        let writeDate = write.map { later[$0].due } ?? .distantFuture
        let pushDate = push.map { date(of: unsent[$0]) } ?? .distantFuture
        guard min(writeDate, pushDate) <= now else { return nil }
        if writeDate <= pushDate, let write { return .write(later.remove(at: write).write) }
        return push.map { .push(unsent.remove(at: $0)) }
    }

    private func date(of push: String) -> Date { pushes[push]?.date ?? .distantFuture }

    /// Devices of an account, the one bound last at the end.
    func holders(of account: String, _ type: Int? = nil) -> [String] {
        let bound = devices.compactMap { id, device -> (id: String, number: Int)? in
            let numbers = device.accounts.filter { $0.value.account == account && (type == nil || $0.key == type) }
                .map(\.value.number)
            return numbers.max().map { (id, $0) }
        }
        return bound.sorted { $0.number < $1.number }.map(\.id)
    }

    /// Ends a push; devices that wait for it no longer get it.
    mutating func end(_ push: String, as status: String) {
        pushes[push]?.status = status
        unsent.removeAll { $0 == push }
        for device in devices.keys { devices[device]?.waiting.removeAll { $0.push == push } }
    }

    /// All custom tags of the app.
    var tags: Set<String> { devices.values.reduce(into: []) { $0.formUnion($1.tags) } }
}

struct Binding {
    var account: String
    /// Later ones are greater.
    var number: Int
}

struct DeviceState {
    var device: VirtualDevice
    var tags: Set<String> = []
    /// By type, one of each.
    var accounts: [Int: Binding] = [:]
    var attributes: [String: String] = [:]
    /// Kept by the server for badge type -2; the app sets it.
    var badge = 0
    /// Nil until the app reports it.
    var language: String?
    var inbox = Inbox()
    /// Pushes that wait while the device is offline, with the time when they expire.
    var waiting: [(push: String, until: Date)] = []

    init(_ device: VirtualDevice) { self.device = device }
}

/// A push that was accepted.
struct PushState {
    var object: PushObject
    var status: String
    /// When it is sent, or was.
    var date: Date
    /// Nil until it is sent.
    var targets: [String]?
    /// The devices that it was delivered to.
    var sent: Set<String> = []
    /// The devices on which it arrived: where a phone is connected, those whose phones said so.
    var arrived: Set<String> = []
    /// The devices on which the user opened it.
    var clicked: Set<String> = []
    /// The devices on which the user removed it.
    var cleaned: Set<String> = []
    var collapseNumber: Int
    /// The earlier push whose place it took.
    var replaced: String?
}

/// Counts calls in a window that begins with the first call.
struct RateWindow {
    let seconds: Double
    private var start = Date.distantPast
    private var calls = 0

    init(seconds: Double) { self.seconds = seconds }

    /// Counts a call and returns true if it fits in the window.
    mutating func take(_ limit: Int, _ now: Date) -> Bool {
        // Calls in flight together may arrive in another order than their clocks say.
        if now.timeIntervalSince(start) >= seconds {
            start = now
            calls = 0
        }
        guard calls < limit else { return false }
        calls += 1
        return true
    }

    /// How many calls still fit, without counting one.
    func remaining(_ limit: Int, _ now: Date) -> Int {
        now.timeIntervalSince(start) >= seconds ? limit : max(0, limit - calls)
    }
}
