public import FoundationEssentials
public import PushAdapter
public import PushDevice
public import PushSimulation

/// A phone in memory with one app: all that a user of the app sees and can do.
///
/// It registers with a vendor's simulator, receives its messages, shows them by the system's rules, and reports
/// arrival, display and taps. So the vendor's reports and callbacks count the events on the phone. It has no timers:
/// work that is due by the clock happens when the phone is next used, or at ``settle()``.
///
/// ```swift
/// let phone = VirtualPhone(VirtualDevice("190e35f7e0a1b2c3d4e", .ios), at: simulator)
/// _ = try await phone.register()
/// await phone.leaveApp()
/// let message = Message(notification: Notification(body: "Hello"))
/// _ = try await client.send(message, to: .devices(["190e35f7e0a1b2c3d4e"]))
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

    /// The phone's properties, and the decisions of its user and its app.
    public struct Settings: Sendable {
        /// The version of the system, as its maker counts.
        public var systemVersion = 17
        /// Whether the app may notify; nil if the user was not asked yet.
        public var isNotificationAllowed: Bool? = true
        /// The user's answer when asked.
        public var allowsWhenAsked = true
        /// Whether the app has the vendor's extension, which reports the arrival of a notification that may be changed.
        /// An extension of the installed app takes its place.
        public var hasExtension = true
        /// The token that registering returns with the vendor's id.
        public var systemToken = "a1b2c3d4e5f60718"
        /// How registering ends.
        public var registering = Registering.succeeds
        /// The id with which the app must be started; nil leaves it to the vendor's simulator.
        public var appID: String?
        /// The key with which the app must be started; nil leaves it to the vendor's simulator.
        public var appKey: Secret?
        /// The time zone of the phone, for local notifications whose date components name none.
        public var timeZone = TimeZone.gmt

        /// A current phone whose user allowed notifications.
        public init() {}
    }

    /// This phone's device at the vendor.
    public let device: VirtualDevice
    /// The phone's settings.
    public let settings: Settings
    let clock: any PushClock
    let simulator: (any ConnectableSimulator)?
    private let memory: Locked<PhoneMemory>

    /// Creates a phone on which the app is installed but not started.
    /// - Parameters:
    ///   - device: this phone's device at the vendor.
    ///   - simulator: the vendor's simulator; nil for a phone without a vendor.
    ///   - settings: the phone's settings.
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

    /// The phone's state now.
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

    public func onReconnection(_ notify: @escaping @Sendable () -> Void) {
        memory.withLock { $0.connectionObservers.append(notify) }
    }

    /// Changes the phone, then makes the calls to the app and the reports to the vendor that follow from it.
    func change<Result>(_ body: (inout PhoneMemory) -> Result) -> Result {
        let (result, observers) = memory.withLock { memory in
            let result = body(&memory)
            memory.followConnection(isApple: isApple)
            return (result, memory.observers)
        }
        callApp()
        for observer in observers { observer() }
        reportAll()
        return result
    }

    /// Reads the phone without doing the work that is due.
    func read<Result>(_ body: (PhoneMemory) -> Result) -> Result { memory.withLock { body($0) } }

    /// Makes the calls to the app in the order of the changes. While one caller makes them, the calls of others, and
    /// those that the app itself causes, wait behind.
    private func callApp() {
        guard
            memory.withLock({ memory in
                defer { memory.isCalling = true }
                return !memory.isCalling
            })
        else { return }
        while let call = nextCall() { call() }
    }

    private func nextCall() -> (@Sendable () -> Void)? {
        memory.withLock { memory in
            guard !memory.effects.isEmpty else {
                memory.isCalling = false
                return nil
            }
            return memory.effects.removeFirst()
        }
    }

    // MARK: Reports

    /// Returns when the vendor has every report so far, or when the phone is not connected to the vendor.
    public func reported() async {
        while let task = memory.withLock({ $0.reporting }) { await task.value }
    }

    /// Reports in order, in one task at a time; a phone without anything to report has none.
    private func reportAll() {
        guard let simulator else { return memory.withLock { $0.reports = [] } }
        memory.withLock { memory in
            guard memory.reporting == nil, memory.isJoined, !memory.reports.isEmpty else { return }
            memory.reporting = Task { [self] in
                while let report = nextReport() { await simulator.note(report, from: id, at: clock.date) }
            }
        }
    }

    private func nextReport() -> PhoneReport? {
        memory.withLock { memory in
            guard memory.isJoined, !memory.reports.isEmpty else {
                memory.reporting = nil
                return nil
            }
            return memory.reports.removeFirst()
        }
    }

    /// Sends a report, and returns when the vendor has it. Refuses a phone that is not connected.
    func tellVendor(_ report: PhoneReport, _ edit: (inout PhoneState) -> Void) async throws(PushError) {
        let error: PushError? = change { memory in
            guard memory.state.isRegistered else {
                return PushError(.notRegistered, "the app on the phone is not registered")
            }
            guard memory.state.isReachable else { return Self.unreachable }
            edit(&memory.state)
            memory.reports.append(report)
            return nil
        }
        if let error { throw error }
        await reported()
    }

    static var unreachable: PushError { PushError(.transport, "the phone is unreachable", retry: .backoff) }

    // MARK: Network

    /// Gives the phone a network, over which it gets the messages that waited for it, or takes the network away.
    public func setReachable(_ isReachable: Bool) async {
        change { $0.state.isReachable = isReachable }
        await join()
    }

    /// Connects the phone to its vendor or disconnects it, as it wants to be now. One task at a time does so.
    func join() async {
        while let task = newJoining() { await task.value }
        await reported()
    }

    private func newJoining() -> Task<Void, Never>? {
        memory.withLock { memory in
            if let task = memory.joining { return task }
            guard memory.wantsToJoin != memory.isJoined else { return nil }
            let joins = memory.wantsToJoin
            let task = Task { [self] in await connect(joins) }
            memory.joining = task
            return task
        }
    }

    private func connect(_ joins: Bool) async {
        if joins {
            var online = device
            online.isOnline = true
            // Set before the vendor delivers waiting messages, so that reports about them may leave.
            memory.withLock { $0.isJoined = true }
            await simulator?.connect(self, as: online, at: clock.date)
        } else {
            memory.withLock { $0.isJoined = false }
            await simulator?.disconnect(self, from: id, at: clock.date)
        }
        change { memory in
            memory.joining = nil
            memory.handHeld()
        }
    }
}

extension VirtualPhone: CustomReflectable {
    /// Empty: a phone holds tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension VirtualPhone.Settings: CustomReflectable {
    /// Empty: settings have a token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
