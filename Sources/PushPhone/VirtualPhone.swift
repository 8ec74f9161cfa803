public import PushCore
public import PushDevice
public import PushSimulation

/// A phone with one app, for code written for a device SDK. It registers as a device that a simulator knows, and keeps
/// the state that belongs to a device and not to the server.
///
/// It refuses what a real phone would: wrong credentials, a badge or a token before it is registered.
public final class VirtualPhone: DeviceHost {
    /// How registering ends.
    public enum Registering: Sendable {
        /// With the device's id.
        case succeeds
        /// Never with an id: it is a developer's phone simulator.
        case hasNoID
        /// With an error.
        case fails(PushError)
    }

    private struct State: Sendable {
        var isReachable = true
        var isRegistered = false
        var starts: [DeviceStart] = []
        var stops = 0
        var badge: Int?
        var icon = 0
        var shown: [DeliveredMessage] = []
        var tokens: [DeviceToken] = []
        var language: String?
    }

    private let device: VirtualDevice
    private let systemToken: String
    private let registering: Registering
    private let appKey: String?
    private let state = Locked(State())

    /// Creates a phone on which the app is installed but not started.
    /// - Parameters:
    ///   - device: this phone's device at the vendor's simulator.
    ///   - systemToken: the token that registering returns with the vendor's id.
    ///   - registering: how registering ends.
    ///   - appKey: the key with which the app must be started; nil accepts any key, or none.
    public init(
        _ device: VirtualDevice, systemToken: String = "a1b2c3d4e5f60718", registering: Registering = .succeeds,
        appKey: String? = nil
    ) {
        self.device = device
        self.systemToken = systemToken
        self.registering = registering
        self.appKey = appKey
    }

    /// Whether a persistent connection can be opened.
    public var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }
    /// The parameters of each start of the app.
    public var starts: [DeviceStart] { state.withLock { $0.starts } }
    /// How often the app was stopped.
    public var stops: Int { state.withLock { $0.stops } }
    /// The badge that was stored at the vendor; nil if none was.
    public var badge: Int? { state.withLock { $0.badge } }
    /// The number on the app's icon; 0 shows none.
    public var icon: Int { state.withLock { $0.icon } }
    /// Notifications that are shown.
    public var shown: [DeliveredMessage] { state.withLock { $0.shown } }
    /// Tokens that were uploaded, in order.
    public var tokens: [DeviceToken] { state.withLock { $0.tokens } }
    /// The user's language, if the app has reported it.
    public var language: String? { state.withLock { $0.language } }

    /// Shows a delivered notification, and its badge on the icon.
    public func show(_ message: DeliveredMessage) {
        state.withLock { state in
            state.shown.append(message)
            if let badge = message.badge { state.icon = badge }
        }
    }

    // MARK: DeviceHost

    public func register(_ start: DeviceStart) async throws(PushError) -> DeviceRegistration {
        state.withLock { $0.starts.append(start) }
        if let appKey, start.appKey?.withBytes({ $0.elementsEqual(appKey.utf8) }) != true {
            throw PushError(.unauthorized, "the app key is wrong; compare it with the console")
        }
        switch registering {
        case .hasNoID: throw PushError(.notRegistered, "a phone simulator gets no id; use a device")
        case .fails(let error): throw error
        case .succeeds: break
        }
        state.withLock { $0.isRegistered = true }
        return DeviceRegistration(device: DeviceID(device.id), systemToken: systemToken)
    }

    public func connect() async throws(PushError) {
        guard isReachable else {
            throw PushError(.transport, "the phone is unreachable", retry: .backoff)
        }
    }

    public func stop() async throws(PushError) {
        state.withLock { state in
            state.stops += 1
            state.isRegistered = false
        }
    }

    public func setBadge(_ number: Int) async throws(PushError) { try whileRegistered { $0.badge = number } }

    public func showIcon(_ icon: IconBadge) async throws(PushError) {
        state.withLock { state in
            switch icon {
            case .number(let number): state.icon = number
            case .resetKeepingCenter: state.icon = 0
            case .resetClearingCenter: (state.icon, state.shown) = (0, [])
            }
        }
    }

    public func upload(_ token: DeviceToken) async throws(PushError) { try whileRegistered { $0.tokens.append(token) } }

    public func setLanguage(_ language: String) async throws(PushError) {
        try whileRegistered { $0.language = language }
    }

    private func whileRegistered(_ body: (inout State) -> Void) throws(PushError) {
        try state.withLock { (state) throws(PushError) in
            guard state.isRegistered else { throw PushError(.notRegistered, "the app on the phone is not registered") }
            body(&state)
        }
    }
}

extension VirtualPhone: CustomReflectable {
    /// Empty: a phone holds tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
