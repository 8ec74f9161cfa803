public import Dispatch
public import PushCore
public import PushDevice

/// The calls of TPNS's device SDK (`XGPush`, `XGPushTokenManager`) over any vendor, reported to delegates.
///
/// The manager reports every call exactly once, on the queue, one at a time, in the order in which results become
/// known, and never from inside the call. As in the SDK, a report carries what was to be written, and no sequence
/// number. Calls about the same subject reach the vendor in the order in which they are made. Without a delegate, the
/// calls are still made.
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

    /// Makes the calls of one device.
    /// - Parameters:
    ///   - session: the device, its rules and the vendor.
    ///   - queue: the serial queue on which delegates are called. The main queue, as on a device, must be drained by an
    ///     asynchronous `main` or by `dispatchMain()`. ``SequencedPushService/privateQueue()`` needs nothing.
    public init(_ session: DeviceSession, queue: DispatchQueue = .main) {
        self.session = session
        self.queue = queue
    }

    /// Receives a report of every write; held weakly.
    public var delegate: (any XGPushTokenManagerDelegate)? {
        get { state.withLock { $0.writes } }
        set { state.withLock { $0.writes = newValue } }
    }

    // MARK: The service

    /// Starts the service: registers the device and connects it. The host refuses wrong credentials. The delegate
    /// receives the reports and is held weakly.
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
            // The SDK has no callback for it.
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

    /// Sets how often the device polls for in-app messages, in seconds: at least 10, by default 258. Call it before the
    /// service is started.
    public func setMessageTimerInterval(_ interval: Double) throws(PushError) {
        guard interval.isFinite, abs(interval) < 1e9 else {
            throw PushError(.invalidArgument, "the interval must be a finite number of seconds, below 1e9")
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

    /// Removes tags.
    public func delTags(_ tags: [String]) { submit(.deleteTags(tags)) { $0?.xgPushDidDelTags(tags, error: $1) } }

    /// Replaces the device's tags with these. An empty list is refused; use ``clearTags()``.
    public func clearAndAppendTags(_ tags: [String]) {
        submit(.setTags(tags)) { $0?.xgPushDidClearAndAppendTags(tags, error: $1) }
    }

    /// Removes all tags.
    public func clearTags() { submit(.cleanTags) { $0?.xgPushDidClearTagsError($1) } }

    /// Reads some of the device's tags, at most 200. Only one query can be in flight, because the answer does not name
    /// its request.
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

    /// Binds accounts by type; each replaces the account of its type.
    public func upsertAccounts(byDict accountsDict: [Int: String]) {
        submit(.upsertAccounts(accountsDict)) { $0?.xgPushDidUpsertAccounts(byDict: accountsDict, error: $1) }
    }

    /// Binds the phone number: `+`, then digits, country code first. It is reported as an account of type 1002.
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

    /// Sets attributes and keeps the others. The app must have them at the vendor; those that it does not have are
    /// reported as invalid.
    public func upsertAttributes(_ attributes: [String: String]) {
        change(.upsertAttributes(attributes)) {
            $0?.xgPushDidUpsertAttributes(attributes, invalidKeys: $1, error: $2)
        }
    }

    /// Removes attributes.
    public func delAttributes(_ attributeKeys: Set<String>) {
        change(.deleteAttributes(attributeKeys)) {
            $0?.xgPushDidDelAttributeKeys(attributeKeys, invalidKeys: $1, error: $2)
        }
    }

    /// Removes all attributes.
    public func clearAttributes() { submit(.clearAttributes) { $0?.xgPushDidClearAttributes(withError: $1) } }

    /// Replaces the attributes with these. An empty set is refused; use ``clearAttributes()``.
    public func clearAndAppendAttributes(_ attributes: [String: String]) {
        change(.replaceAttributes(attributes)) {
            $0?.xgPushDidClearAndAppendAttributes(attributes, invalidKeys: $1, error: $2)
        }
    }

    // MARK: Badge

    /// Stores the number from which the vendor counts the badge; the icon does not change.
    public func setBadge(_ badgeNumber: Int) {
        session.submit(.setBadge(badgeNumber), on: queue) { [self] result in
            let error = Self.error(in: result)
            state.withLock { $0.events }?.xgPushDidSetBadge(error == nil, error: error)
        }
    }

    /// The number that was last set here for the app's icon, on this device only. -1 removes the number and keeps the
    /// notifications that are shown; 0 removes both. It does not reflect what pushes do to the icon, and setting it
    /// reports no result.
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
        _ call: SessionCall, _ report: @escaping @Sendable ((any XGPushTokenManagerDelegate)?, PushError?) -> Void
    ) {
        session.submit(call, on: queue) { [self] result in report(delegate, Self.error(in: result)) }
    }

    private func change(
        _ call: SessionCall,
        _ report: @escaping @Sendable ((any XGPushTokenManagerDelegate)?, [String]?, PushError?) -> Void
    ) {
        session.submit(call, on: queue) { [self] result in
            let invalid: [String]? = if case .success(.rejected(let names)) = result { names.sorted() } else { nil }
            report(delegate, invalid, Self.error(in: result))
        }
    }

    private static func error<Answer>(in result: Result<Answer, SessionFault>) -> PushError? {
        if case .failure(let fault) = result { fault.error } else { nil }
    }
}
