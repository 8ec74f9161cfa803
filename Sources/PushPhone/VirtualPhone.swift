public import PushCore
public import PushDevice
public import PushSimulation

/// A phone in memory with one app: what a user of the app sees, and what a user can do.
///
/// It registers with a vendor's simulator, receives what the simulator delivers, shows it by the system's rules, and
/// reports arrival, display and taps. So the vendor's reports and callbacks count what the phone did. It has no tasks of
/// its own for time: whatever is due by the clock happens when the phone is next used, or at ``settle()``.
///
/// ```swift
/// let phone = VirtualPhone(VirtualDevice("190e35f7e0a1b2c3d4e", .ios), at: simulator)
/// _ = try await phone.register()
/// await phone.leaveApp()
/// _ = try await client.send(Message("Hello"), to: .device("190e35f7e0a1b2c3d4e"))
/// print(phone.center.first?.content.body ?? "nothing")
/// ```
@dynamicMemberLookup
public final class VirtualPhone: Phone, ConnectedPhone {
    /// How registering ends.
    public enum Registering: Sendable {
        /// With the device's id.
        case succeeds
        /// Never with an id: it is a developer's phone simulator.
        case hasNoID
        /// With an error.
        case fails(PushError)
    }

    /// What the phone is, and what its user and its app decided.
    public struct Settings: Sendable {
        /// The version of the system, as its maker counts.
        public var systemVersion = 17
        /// Whether the app may notify; nil if the user was not asked yet.
        public var isNotificationAllowed: Bool? = true
        /// What the user answers when asked.
        public var allowsWhenAsked = true
        /// Whether the app has the vendor's extension, which reports the arrival of a notification that may be changed.
        /// An extension of the installed app takes its place.
        public var hasExtension = true
        /// The token that registering returns with the vendor's id.
        public var systemToken = "a1b2c3d4e5f60718"
        /// How registering ends.
        public var registering = Registering.succeeds
        /// The key with which the app must be started; nil accepts any key, or none.
        public var appKey: String?

        /// A current phone whose user allowed notifications.
        public init() {}
    }

    /// This phone's device at the vendor.
    public let device: VirtualDevice
    /// What the phone is.
    public let settings: Settings
    let clock: any PushClock
    private let simulator: (any ConnectableSimulator)?
    private let memory: Locked<PhoneMemory>

    /// Creates a phone on which the app is installed but not started.
    /// - Parameters:
    ///   - device: this phone's device at the vendor.
    ///   - simulator: the vendor's simulator; nil for a phone without a vendor.
    ///   - settings: what the phone is.
    ///   - clock: the phone's clock.
    public init(
        _ device: VirtualDevice, at simulator: (any ConnectableSimulator)? = nil, settings: Settings = Settings(),
        clock: any PushClock = SystemClock()
    ) {
        self.device = device
        self.simulator = simulator
        self.settings = settings
        self.clock = clock
        var memory = PhoneMemory()
        memory.state.isNotificationAllowed = settings.isNotificationAllowed
        self.memory = Locked(memory)
    }

    /// The id of the phone's device at the vendor.
    public var id: String { device.id }

    /// What the phone shows and remembers now.
    public var state: PhoneState {
        settle()
        return memory.withLock { $0.state }
    }

    /// A part of ``state``: `phone.icon`.
    public subscript<Value>(dynamicMember path: KeyPath<PhoneState, Value>) -> Value { state[keyPath: path] }

    /// Calls a function after every change, on any thread, as long as the phone exists: do not retain the phone in it.
    public func onChange(_ observer: @escaping @Sendable () -> Void) {
        memory.withLock { $0.observers.append(observer) }
    }

    /// Changes the phone, then does what follows from it: calls to the app, reports to the vendor.
    func change<Result>(_ body: (inout PhoneMemory) -> Result) -> Result {
        let (result, effects, observers) = memory.withLock { memory in
            let result = body(&memory)
            defer { memory.effects = [] }
            return (result, memory.effects, memory.observers)
        }
        for effect in effects { effect() }
        for observer in observers { observer() }
        reportAll()
        return result
    }

    /// Reads the phone without doing what is due.
    func read<Result>(_ body: (PhoneMemory) -> Result) -> Result { memory.withLock { body($0) } }

    // MARK: Reports

    /// Returns when the vendor has every report of what happened so far.
    public func reported() async {
        while let task = memory.withLock({ $0.reporting }) { await task.value }
    }

    /// Reports in order, in one task at a time; a phone without anything to report has none.
    private func reportAll() {
        guard let simulator else { return memory.withLock { $0.reports = [] } }
        memory.withLock { memory in
            guard memory.reporting == nil, !memory.reports.isEmpty else { return }
            memory.reporting = Task { [self] in
                while let report = nextReport() { await simulator.note(report, from: id, at: clock.date) }
            }
        }
    }

    private func nextReport() -> PhoneReport? {
        memory.withLock { memory in
            guard !memory.reports.isEmpty else {
                memory.reporting = nil
                return nil
            }
            return memory.reports.removeFirst()
        }
    }

    // MARK: Network

    /// Gives the phone a network, where it gets what waited for it, or takes it away.
    public func setReachable(_ isReachable: Bool) async {
        let isRegistered = change { memory in
            memory.state.isReachable = isReachable
            return memory.state.isRegistered
        }
        if isRegistered { await isReachable ? join() : leave() }
    }

    /// Connects the phone to its vendor.
    func join() async {
        var device = device
        device.isOnline = true
        await simulator?.connect(self, as: device, at: clock.date)
        await reported()
    }

    func leave() async { await simulator?.disconnect(id, at: clock.date) }

    func note(_ report: PhoneReport) async { await simulator?.note(report, from: id, at: clock.date) }
}

extension VirtualPhone: CustomReflectable {
    /// Empty: a phone holds tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
