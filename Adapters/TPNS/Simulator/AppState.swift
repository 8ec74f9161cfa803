import FoundationEssentials
import PushAdapter
import PushSimulation

/// The state of one app.
struct AppState {
    let app: TPNSApp
    var devices: [String: DeviceState]
    var pushes: [String: PushState] = [:]
    /// All pushes in order of creation, and below the pushes that are still to be sent.
    var pushOrder: [String] = []
    var unsent: [String] = []
    var packages: [Int: [String]] = [:]
    var plans: [String: (name: String, description: String)] = [:]
    /// Writes that the vendor has confirmed but not yet applied.
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

    /// Binds an account. A device keeps the last account of each type. An account keeps its newest hundred devices.
    mutating func bind(_ account: String, _ type: Int, to device: String, clearsOthers: Bool) {
        lastBinding += 1
        if clearsOthers { devices[device]?.accounts = [:] }
        devices[device]?.accounts[type] = Binding(account: account, number: lastBinding)
        let holders = holders(of: account, type)
        for holder in holders.dropLast(Rules.devicesPerAccount) { devices[holder]?.accounts[type] = nil }
    }

    /// An action that the vendor takes on its own.
    enum Step {
        case write(@Sendable (inout AppState) -> Void)
        case push(String)
    }

    func isDue(_ now: Date) -> Bool {
        later.contains { $0.due <= now } || unsent.contains { (pushes[$0]?.date ?? .distantFuture) <= now }
    }

    /// Removes and returns the earliest due step. Of several with the same time, writes come before pushes, and each
    /// kind in the order of the requests.
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

    /// The devices of an account. The device bound last is at the end.
    func holders(of account: String, _ type: Int? = nil) -> [String] {
        let bound = devices.compactMap { id, device -> (id: String, number: Int)? in
            let numbers = device.accounts.filter { $0.value.account == account && (type == nil || $0.key == type) }
                .map(\.value.number)
            return numbers.max().map { (id, $0) }
        }
        return bound.sorted { $0.number < $1.number }.map(\.id)
    }

    /// Ends a push. Devices that wait for it no longer get it.
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
    /// Later bindings have greater numbers.
    var number: Int
}

struct DeviceState {
    var device: VirtualDevice
    var tags: Set<String> = []
    /// One account for each type.
    var accounts: [Int: Binding] = [:]
    var attributes: [String: String] = [:]
    /// The badge, kept by the server for badge type -2. The app sets it.
    var badge = 0
    /// Nil until the app reports the language.
    var language: String?
    var inbox = Inbox()
    /// Pushes that wait for the offline device, with their expiration times.
    var waiting: [(push: String, until: Date)] = []

    init(_ device: VirtualDevice) { self.device = device }
}

/// An accepted push.
struct PushState {
    var object: PushObject
    var status: String
    /// When the push is or was sent.
    var date: Date
    /// Nil until the push is sent.
    var targets: [String]?
    /// The devices that the push was delivered to.
    var sent: Set<String> = []
    /// The devices on which the push arrived. For a device with a phone, the phone must have reported it.
    var arrived: Set<String> = []
    /// The devices on which the user opened the push.
    var clicked: Set<String> = []
    /// The devices on which the user dismissed the push.
    var cleaned: Set<String> = []
    var collapseNumber: Int
    /// The earlier push that this one replaced.
    var replaced: String?
}
