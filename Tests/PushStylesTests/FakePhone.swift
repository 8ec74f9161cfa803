import Dispatch
import FoundationEssentials
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushSimulation
import PushStyles

/// A phone that records its calls. It fires nothing by itself; the test calls its app.
final class FakePhone: Phone {
    struct State: Sendable {
        weak var app: (any PhoneApp)?
        var records: [PhoneRecord] = []
        var pending: [PhoneNotification.Request] = []
        var delivered: [PhoneNotification] = []
        var alerts: [String] = []
        var receipts: [String] = []
        var categories: [NotificationCategory] = []
        var isAllowed: Bool?
        var icon = 0
    }

    let systemVersion: Int
    private let clock: any PushClock
    private let state = Locked(State())

    init(systemVersion: Int, clock: any PushClock) {
        self.systemVersion = systemVersion
        self.clock = clock
    }

    var now: State { state.withLock { $0 } }
    /// The lines of the SDK's log.
    var lines: [String] {
        now.records.compactMap { record -> String? in
            guard case .log(let line) = record else { return nil }
            return line
        }
    }

    func setIcon(_ number: Int) { state.withLock { $0.icon = number } }

    /// Shows a notification whose trigger is met.
    func fire(_ identifier: String) {
        state.withLock { state in
            guard let index = state.pending.firstIndex(where: { $0.id == identifier }) else { return }
            let request = state.pending.remove(at: index)
            state.delivered.insert(PhoneNotification(request, date: clock.date), at: 0)
            if let badge = request.content.badge { state.icon = badge }
        }
    }

    // MARK: Phone

    func install(_ app: (any PhoneApp)?) { state.withLock { $0.app = app } }

    var isNotificationAllowed: Bool? { now.isAllowed }

    func requestPermission() {
        state.withLock { $0.isAllowed = true }
        now.app?.didRequestPermission(isAllowed: true)
    }

    func setCategories(_ categories: [NotificationCategory]) { state.withLock { $0.categories = categories } }

    func add(_ request: PhoneNotification.Request) throws(PushError) {
        if case .date(let date) = request.trigger, date <= clock.date {
            throw PushError(.invalidArgument, "the date has passed")
        }
        if case .timeInterval(let time, let repeats) = request.trigger {
            guard time > .zero, !repeats || time >= .seconds(60) else {
                throw PushError(.invalidArgument, "the interval is too short")
            }
        }
        state.withLock { state in
            state.pending.removeAll { $0.id == request.id }
            state.delivered.removeAll { $0.id == request.id }
            if request.trigger == nil {
                state.delivered.insert(PhoneNotification(request, date: clock.date), at: 0)
            } else {
                state.pending.append(request)
            }
        }
    }

    var pendingNotifications: [PhoneNotification.Request] { now.pending }
    var deliveredNotifications: [PhoneNotification] { now.delivered }

    func removePending(_ identifiers: Set<String>?) {
        state.withLock { $0.pending.removeAll { identifiers?.contains($0.id) ?? true } }
    }

    func removeDelivered(_ identifiers: Set<String>?) {
        state.withLock { $0.delivered.removeAll { identifiers?.contains($0.id) ?? true } }
    }

    func showAlert(_ notification: PhoneNotification) { state.withLock { $0.alerts.append(notification.id) } }

    func confirmDelivery(of request: PhoneNotification.Request) {
        state.withLock { $0.receipts.append(request.identifier) }
    }

    func record(_ record: PhoneRecord) { state.withLock { $0.records.append(record) } }

    // MARK: DeviceHost

    func register(_ start: DeviceStart) async throws(PushError) -> DeviceRegistration {
        DeviceRegistration(device: DeviceID("190e35f7e0a1b2c3d4e"), systemToken: "a1b2")
    }
    func connect() async throws(PushError) {}
    func onReconnection(_ notify: @escaping @Sendable () -> Void) {}
    func stop() async throws(PushError) {}
    func setBadge(_ number: Int) async throws(PushError) {}
    func showIcon(_ icon: IconBadge) async throws(PushError) {}
    func upload(_ token: DeviceToken) async throws(PushError) {}
    func setLanguage(_ language: String) async throws(PushError) {}
}

/// Both styles over a fake phone and a memory vendor.
struct PhoneStage {
    let clock = VirtualClock()
    let queue = SequencedPushService.privateQueue()
    let phone: FakePhone
    let session: DeviceSession
    let service: SequencedPushService
    let manager: XGTokenManager

    init(
        _ rules: SessionRules = .jpush, systemVersion: Int = 17, isRegistered: Bool = true, hasPhone: Bool = true
    ) throws {
        let harness = MemoryHarness()
        let device = harness.device(0)
        let host = SimulatorHost(harness.makeSimulator(devices: [device]), clock: clock)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        let client = PushClient(
            try harness.makeProvider(at: InProcessTransport.origin), transport: InProcessTransport(host),
            configuration: configuration)
        phone = FakePhone(systemVersion: systemVersion, clock: clock)
        session = DeviceSession(
            client, device: isRegistered ? DeviceID(device.id) : nil, rules: rules, host: hasPhone ? phone : nil)
        service = SequencedPushService(session, queue: queue)
        manager = XGTokenManager(session, queue: queue)
    }

    /// Waits until the queue has run its current calls and those that they enqueue.
    func flush() async {
        for _ in 0..<3 { await withCheckedContinuation { done in queue.async { done.resume() } } }
    }
}

extension PhoneNotification {
    /// A notification with a text.
    static func sample(_ identifier: String, isPush: Bool = true, userInfo: [String: JSONValue] = [:]) -> Self {
        var content = Content()
        content.title = "Title"
        content.body = "Text"
        content.sound = "bell"
        content.userInfo = userInfo
        return PhoneNotification(
            Request(identifier: identifier, content: content, trigger: isPush ? .push : nil),
            date: Date(timeIntervalSince1970: 1_790_000_000))
    }
}
