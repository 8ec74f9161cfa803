public import Dispatch
public import PushAdapter
public import PushDevice

/// The calls of TPNS's device SDK (`XGPush`, `XGPushTokenManager`) over any vendor, reported to delegates.
///
/// The manager reports every call exactly once, on the queue and never from inside the call. Reports come one at a
/// time, in the order in which results become known. As in the SDK, a report carries the values that were to be
/// written, and no sequence number. Calls about the same subject reach the vendor in the order in which they are made.
/// Without a delegate, the calls are still made.
///
/// Managers over one session share the state of the SDK's singletons: the delegates, the configuration of
/// notifications, the number on the icon, the log. With a ``SequencedPushService`` over the session, they share the
/// phone and the log.
///
/// Notifications, the user's permission, the log and the buttons of in-app messages need a `Phone` as the session's host.
///
/// ```swift
/// let manager = XGTokenManager(DeviceSession(client, rules: .tpns, host: phone))
/// manager.delegate = reports
/// manager.startXG(withAccessID: 1_600_999_001, accessKey: "...", delegate: events)
/// ```
public final class XGTokenManager: Sendable {
    /// The device, its rules and the vendor.
    public let session: DeviceSession
    let queue: DispatchQueue
    /// The state that the SDK keeps once for the app.
    let state: StyleState
    var log: StyleLog { state.log }

    /// Makes the calls of one device.
    /// - Parameters:
    ///   - session: the device, its rules and the vendor.
    ///   - queue: the serial queue on which delegates are called. The main queue, as on a device, must be drained by an
    ///     asynchronous `main` or by `dispatchMain()`. ``SequencedPushService/privateQueue()`` needs nothing.
    public init(_ session: DeviceSession, queue: DispatchQueue = .main) {
        self.session = session
        self.queue = queue
        state = session.styles
        state.reportConnections(of: session, on: queue)
    }

    /// Receives a report of every call about tags, accounts and attributes; held weakly. There is one for the session.
    public var delegate: (any XGPushTokenManagerDelegate)? {
        get { state.manager.withLock { $0.writes }?.delegate }
        set {
            let receiver = newValue.map { delegate in
                StyleReceiver<any XGPushTokenManagerDelegate>(on: queue) { [weak delegate] in delegate }
            }
            state.manager.withLock { $0.writes = receiver }
        }
    }

    // MARK: The service

    /// Starts the service: registers the device, connects it, and asks the user whether the app may notify. The delegate
    /// receives the reports and the notifications, and is held weakly. Only a phone can ask the user.
    ///
    /// TPNS before 1.2.7.2 does not have this call, and neither do other vendors' rules: the delegate then gets a
    /// failure. They have no method for a failure either, so it arrives as an error of the registration.
    ///
    /// The host decides which credentials it accepts. With wrong ones, the device is not registered, and the delegate
    /// gets the failure. A `VirtualPhone` compares them with `appID` and `appKey` of its settings.
    public func startXG(withAccessID accessID: UInt32, accessKey: String, delegate: (any XGPushDelegate)?) {
        receiveEvents(delegate)
        if let fault = session.refusal(of: .accessID) { return tellFailure(fault) }
        start(accessID, accessKey)
    }

    /// The same under the name that the SDK had until 1.2.7.1; later versions take it too.
    public func startXG(withAppID appID: UInt32, appKey: String, delegate: (any XGPushDelegate)?) {
        receiveEvents(delegate)
        start(appID, appKey)
    }

    /// Stops the service: every call is refused until the device is registered by another start.
    public func stopXGNotification() {
        session.stop(on: queue) { [self] result in
            let error = Self.error(in: result)
            log.write(error.map { "the stop failed: \($0.error.message)" } ?? "the service was stopped", .event)
            tell { $0.xgPushDidFinishStop(error == nil, error: error) }
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
        submit(.addTags(tags)) { $0.xgPushDidAppendTags(tags, error: $1) }
    }

    /// Removes tags.
    public func delTags(_ tags: [String]) { submit(.deleteTags(tags)) { $0.xgPushDidDelTags(tags, error: $1) } }

    /// Replaces the device's tags with these. An empty list is refused; use ``clearTags()``.
    public func clearAndAppendTags(_ tags: [String]) {
        submit(.setTags(tags)) { $0.xgPushDidClearAndAppendTags(tags, error: $1) }
    }

    /// Removes all tags.
    public func clearTags() { submit(.cleanTags) { $0.xgPushDidClearTagsError($1) } }

    /// Reads some of the device's tags, at most 200. Only one query can be in flight, because the answer does not name
    /// its request.
    public func queryTags(_ offset: UInt, limit: UInt) {
        let call = SessionCall.queryTags(offset: Int(clamping: offset), limit: Int(clamping: limit))
        session.submit(call, on: queue) { [self] result in
            report { delegate in
                switch result {
                case .success(.page(let page)):
                    delegate.xgPushDidQueryTags(page.tags.map(\.rawValue), totalCount: UInt(page.total), error: nil)
                case .success: delegate.xgPushDidQueryTags([], totalCount: 0, error: nil)
                case .failure(let fault):
                    delegate.xgPushDidQueryTags(nil, totalCount: 0, error: Self.error(fault, of: call.kind))
                }
            }
        }
    }

    // MARK: Accounts

    /// Binds accounts by type, one of the numbers of ``XGPushTokenAccountType``; each replaces the account of its type.
    public func upsertAccounts(byDict accountsDict: [Int: String]) {
        submit(.upsertAccounts(accountsDict)) { $0.xgPushDidUpsertAccounts(byDict: accountsDict, error: $1) }
    }

    /// Binds the phone number: `+`, then digits, country code first. It is reported as an account of type 1002.
    public func upsertPhoneNumber(_ phoneNumber: String) {
        submit(.setPhone(phoneNumber)) { delegate, error in
            delegate.xgPushDidUpsertAccounts(
                byDict: [XGPushTokenAccountType.phoneNumber.rawValue: phoneNumber], error: error)
        }
    }

    /// Unbinds all accounts of some types; type 1002 is the phone number.
    public func delAccounts(byKeys accountsKeys: Set<Int>) {
        submit(.deleteAccounts(accountsKeys)) { $0.xgPushDidDelAccounts(byKeys: accountsKeys, error: $1) }
    }

    /// Unbinds all accounts.
    public func clearAccounts() { submit(.clearAccounts) { $0.xgPushDidClearAccountsError($1) } }

    // MARK: Attributes

    /// Sets attributes and keeps the others. The app must have them at the vendor; those that it does not have are
    /// reported as invalid.
    public func upsertAttributes(_ attributes: [String: String]) {
        change(.upsertAttributes(attributes)) {
            $0.xgPushDidUpsertAttributes(attributes, invalidKeys: $1, error: $2)
        }
    }

    /// Removes attributes.
    public func delAttributes(_ attributeKeys: Set<String>) {
        change(.deleteAttributes(attributeKeys)) {
            $0.xgPushDidDelAttributeKeys(attributeKeys, invalidKeys: $1, error: $2)
        }
    }

    /// Removes all attributes.
    public func clearAttributes() { submit(.clearAttributes) { $0.xgPushDidClearAttributes(withError: $1) } }

    /// Replaces the attributes with these. An empty set is refused; use ``clearAttributes()``.
    public func clearAndAppendAttributes(_ attributes: [String: String]) {
        change(.replaceAttributes(attributes)) {
            $0.xgPushDidClearAndAppendAttributes(attributes, invalidKeys: $1, error: $2)
        }
    }

    // MARK: Badge

    /// Stores the number from which the vendor counts the badge; the icon does not change.
    public func setBadge(_ badgeNumber: Int) {
        session.submit(.setBadge(badgeNumber), on: queue) { [self] result in
            let error = Self.error(in: result, of: .setBadge)
            tell { $0.xgPushDidSetBadge(error == nil, error: error) }
        }
    }

    /// The number that was last set here for the app's icon, on this device only. -1 removes the number and keeps the
    /// shown notifications; 0 removes both. It does not reflect the changes that pushes make to the icon, and setting
    /// it reports no result.
    public var xgApplicationBadgeNumber: Int {
        get { state.manager.withLock { $0.icon } }
        set {
            state.manager.withLock { $0.icon = max(0, newValue) }
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

    private func receiveEvents(_ delegate: (any XGPushDelegate)?) {
        let receiver = delegate.map { delegate in
            StyleReceiver<any XGPushDelegate>(on: queue) { [weak delegate] in delegate }
        }
        state.receive { $0.events = receiver }
    }

    private func start(_ id: UInt32, _ key: String) {
        log.write("the service starts", .event)
        session.start(DeviceStart(appID: String(id), appKey: Secret(key)), on: queue) { [self] event in
            switch event {
            case .registered(let registration):
                log.write("the device is registered", .event)
                tell {
                    $0.xgPushDidRegisteredDeviceToken(
                        registration.systemToken, xgToken: registration.device.rawValue, error: nil)
                }
            case .failed(let fault): tellFailure(fault)
            // The session reports every connection, this one too.
            case .connected: break
            // The SDK has no callback for it.
            case .disconnected(let fault): log.write("the connection failed: \(fault.error.message)", .event)
            }
        }
        session.phone?.requestPermission()
    }

    private func tellFailure(_ fault: SessionFault) {
        log.write("the registration failed: \(fault.error.message)", .event)
        let error = Self.error(fault, of: .registration)
        let hasOwnCall = session.refusal(of: .registrationFailure) == nil
        tell { delegate in
            if hasOwnCall {
                delegate.xgPushDidFailToRegisterDeviceToken(withError: error)
            } else {
                delegate.xgPushDidRegisteredDeviceToken(nil, xgToken: nil, error: error)
            }
        }
    }

    /// Calls the delegate of the service, if there is one.
    private func tell(_ call: @escaping @Sendable (any XGPushDelegate) -> Void) {
        state.receivers.events?.call(from: queue, call)
    }

    /// Calls the delegate of the calls, if there is one.
    private func report(_ call: @escaping @Sendable (any XGPushTokenManagerDelegate) -> Void) {
        state.manager.withLock { $0.writes }?.call(from: queue, call)
    }

    private func submit(
        _ call: SessionCall, _ tell: @escaping @Sendable (any XGPushTokenManagerDelegate, ResultError?) -> Void
    ) {
        session.submit(call, on: queue) { [self] result in
            let error = Self.error(in: result, of: call.kind)
            report { tell($0, error) }
        }
    }

    private func change(
        _ call: SessionCall,
        _ tell: @escaping @Sendable (any XGPushTokenManagerDelegate, [String]?, ResultError?) -> Void
    ) {
        session.submit(call, on: queue) { [self] result in
            let invalid: [String]? = if case .success(.rejected(let names)) = result { names.sorted() } else { nil }
            let error = Self.error(in: result, of: call.kind)
            report { tell($0, invalid, error) }
        }
    }

    private static func error<Answer>(
        in result: Result<Answer, SessionFault>, of call: SessionCall.Kind? = nil
    ) -> ResultError? {
        if case .failure(let fault) = result { error(fault, of: call) } else { nil }
    }

    private static func error(_ fault: SessionFault, of call: SessionCall.Kind?) -> ResultError {
        ResultError(code: ResultCodes.code(for: fault, of: call), error: fault.error)
    }
}
