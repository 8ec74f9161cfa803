public import Dispatch
public import PushCore
public import PushDevice

/// The calls of TPNS's device SDK (`XGPush`, `XGPushTokenManager`) over any vendor: each is reported to a delegate.
///
/// Every call is reported exactly once, on the queue, one at a time, in the order in which results become known, and
/// never from inside the call. A report carries what was to be written, as in the SDK, and no number of the call; calls
/// about the same thing reach the vendor in the order in which they were made. Without a delegate the calls are made
/// all the same.
///
/// ```swift
/// let manager = XGTokenManager(DeviceSession(client, rules: .tpns, host: phone))
/// manager.delegate = reports
/// manager.startXG(withAccessID: 1_600_999_001, accessKey: "...", delegate: events)
/// ```
public final class XGTokenManager: Sendable {
    private struct State: Sendable {
        weak var events: (any XGPushDelegate)?
        weak var writes: (any XGPushTokenManagerDelegate)?
        var icon = 0
    }

    /// The device, its rules and the vendor.
    public let session: DeviceSession
    private let queue: DispatchQueue
    private let state = Locked(State())

    /// The calls of one device.
    /// - Parameters:
    ///   - session: the device, its rules and the vendor.
    ///   - queue: where delegates are called; a serial one. The main queue, as on a device, needs something that drains
    ///     it: an asynchronous `main`, or `dispatchMain()`. ``SequencedPushService/privateQueue()`` needs nothing.
    public init(_ session: DeviceSession, queue: DispatchQueue = .main) {
        self.session = session
        self.queue = queue
    }

    /// Who is told of every write; not kept alive.
    public var delegate: (any XGPushTokenManagerDelegate)? {
        get { state.withLock { $0.writes } }
        set { state.withLock { $0.writes = newValue } }
    }

    // MARK: The service

    /// Starts the service: registers the device and connects it. Wrong credentials are for the host to refuse. The
    /// delegate is told, and not kept alive.
    public func startXG(withAccessID accessID: UInt32, accessKey: String, delegate: (any XGPushDelegate)?) {
        state.withLock { $0.events = delegate }
        session.start(DeviceStart(appID: String(accessID), appKey: Secret(accessKey)), on: queue) { [self] event in
            let events = state.withLock { $0.events }
            switch event {
            case .registered(let registration):
                events?.xgPushDidRegisteredDeviceToken(
                    registration.systemToken, xgToken: registration.device.rawValue, error: nil)
            case .failed(let fault): events?.xgPushDidFailToRegisterDeviceToken(withError: fault.error)
            case .connected: events?.xgPushNetworkConnected()
            // The SDK has no word for it.
            case .disconnected: break
            }
        }
    }

    /// Stops the service: every call is refused until the device is registered by another start.
    public func stopXGNotification() {
        session.stop(on: queue) { [self] result in
            let error = Self.error(in: result)
            state.withLock { $0.events }?.xgPushDidFinishStop(error == nil, error: error)
        }
    }

    /// The id of the device at the vendor; nil until it is registered.
    public var xgTokenString: String? { session.device?.rawValue }

    /// Sets how often messages inside the app are asked for, before the service is started: at least 10 seconds, and
    /// 258 unless set.
    public func setMessageTimerInterval(_ interval: Double) throws(PushError) {
        guard interval.isFinite, abs(interval) < 1e9 else {
            throw PushError(.invalidArgument, "an interval is a number of seconds")
        }
        do throws(SessionFault) {
            try session.setPollingInterval(.seconds(interval))
        } catch {
            throw error.error
        }
    }

    // MARK: Tags

    /// Adds tags to those that the device has.
    public func appendTags(_ tags: [String]) {
        submit(.addTags(tags)) { $0?.xgPushDidAppendTags(tags, error: $1) }
    }

    /// Takes tags off.
    public func delTags(_ tags: [String]) { submit(.deleteTags(tags)) { $0?.xgPushDidDelTags(tags, error: $1) } }

    /// Makes the device's tags exactly these. None at all is refused; use ``clearTags()``.
    public func clearAndAppendTags(_ tags: [String]) {
        submit(.setTags(tags)) { $0?.xgPushDidClearAndAppendTags(tags, error: $1) }
    }

    /// Takes all tags off.
    public func clearTags() { submit(.cleanTags) { $0?.xgPushDidClearTagsError($1) } }

    /// Reads some of the device's tags, at most 200: one query at a time, because the answer does not say what was
    /// asked.
    public func queryTags(_ offset: UInt, limit: UInt) {
        let call = SessionCall.queryTags(offset: Int(clamping: offset), limit: Int(clamping: limit))
        session.submit(call, on: queue) { [self] result in
            let events = state.withLock { $0.events }
            switch result {
            case .success(.page(let page)):
                events?.xgPushDidQueryTags(page.tags.map(\.rawValue), totalCount: UInt(page.total), error: nil)
            case .success: events?.xgPushDidQueryTags([], totalCount: 0, error: nil)
            case .failure(let fault): events?.xgPushDidQueryTags(nil, totalCount: 0, error: fault.error)
            }
        }
    }

    // MARK: Accounts

    /// Binds accounts by their types; each takes the place of the one of its type.
    public func upsertAccounts(byDict accountsDict: [Int: String]) {
        submit(.upsertAccounts(accountsDict)) { $0?.xgPushDidUpsertAccounts(byDict: accountsDict, error: $1) }
    }

    /// Binds the phone number: `+`, then digits, the country's code first. It is reported as an account of type 1002.
    public func upsertPhoneNumber(_ phoneNumber: String) {
        submit(.setPhone(phoneNumber)) { delegate, error in
            delegate?.xgPushDidUpsertAccounts(byDict: [Self.phoneType: phoneNumber], error: error)
        }
    }

    /// Unbinds all accounts of some types; type 1002 is the phone number.
    public func delAccounts(byKeys accountsKeys: Set<Int>) {
        submit(.deleteAccounts(accountsKeys)) { $0?.xgPushDidDelAccounts(byKeys: accountsKeys, error: $1) }
    }

    /// Unbinds all accounts.
    public func clearAccounts() { submit(.clearAccounts) { $0?.xgPushDidClearAccountsError($1) } }

    private static let phoneType = 1002

    // MARK: Attributes

    /// Sets attributes beside the others. The app has to have them at the vendor; those that it has not are reported as
    /// invalid.
    public func upsertAttributes(_ attributes: [String: String]) {
        change(.upsertAttributes(attributes)) {
            $0?.xgPushDidUpsertAttributes(attributes, invalidKeys: $1, error: $2)
        }
    }

    /// Takes attributes off.
    public func delAttributes(_ attributeKeys: Set<String>) {
        change(.deleteAttributes(attributeKeys)) {
            $0?.xgPushDidDelAttributeKeys(attributeKeys, invalidKeys: $1, error: $2)
        }
    }

    /// Takes all attributes off.
    public func clearAttributes() { submit(.clearAttributes) { $0?.xgPushDidClearAttributes(withError: $1) } }

    /// Makes the attributes exactly these. None at all is refused; use ``clearAttributes()``.
    public func clearAndAppendAttributes(_ attributes: [String: String]) {
        change(.replaceAttributes(attributes)) {
            $0?.xgPushDidClearAndAppendAttributes(attributes, invalidKeys: $1, error: $2)
        }
    }

    // MARK: Badge

    /// Stores the number that the vendor counts the badge from; the icon stays as it is.
    public func setBadge(_ badgeNumber: Int) {
        session.submit(.setBadge(badgeNumber), on: queue) { [self] result in
            let error = Self.error(in: result)
            state.withLock { $0.events }?.xgPushDidSetBadge(error == nil, error: error)
        }
    }

    /// The number that was set here last for the app's icon, on this device alone: -1 takes it off and keeps the
    /// notifications that are shown, 0 takes both off. It does not see what pushes do to the icon, and nobody is told
    /// what becomes of setting it.
    public var xgApplicationBadgeNumber: Int {
        get { state.withLock { $0.icon } }
        set {
            state.withLock { $0.icon = max(0, newValue) }
            let icon: IconBadge =
                switch newValue {
                case ..<0: .resetKeepingCenter
                case 0: .resetClearingCenter
                default: .number(newValue)
                }
            session.showIcon(icon)
        }
    }

    // MARK: Steps

    private func submit(
        _ call: SessionCall, _ tell: @escaping @Sendable ((any XGPushTokenManagerDelegate)?, PushError?) -> Void
    ) {
        session.submit(call, on: queue) { [self] result in tell(delegate, Self.error(in: result)) }
    }

    private func change(
        _ call: SessionCall,
        _ tell: @escaping @Sendable ((any XGPushTokenManagerDelegate)?, [String]?, PushError?) -> Void
    ) {
        session.submit(call, on: queue) { [self] result in
            let invalid: [String]? = if case .success(.rejected(let names)) = result { names.sorted() } else { nil }
            tell(delegate, invalid, Self.error(in: result))
        }
    }

    private static func error<Answer>(in result: Result<Answer, SessionFault>) -> PushError? {
        if case .failure(let fault) = result { fault.error } else { nil }
    }
}
