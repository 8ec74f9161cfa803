public import Dispatch
public import PushAdapter
public import PushClient

/// The calls of a device SDK, over any vendor: a client behind the SDK's rules.
///
/// The session accepts or refuses calls in the order in which they are made, at once and before anything is sent. A
/// refusal costs nothing. It answers every call exactly once, later; the call's slot is free again when the answer
/// arrives. Calls about the same subject reach the vendor in the order in which they are made, except background
/// updates.
///
/// ```swift
/// let session = DeviceSession(client, device: "190e35f7e0a1b2c3d4e", rules: .jpush)
/// _ = try await session.run(.addTags(["vip"]))
/// ```
public final class DeviceSession: Sendable {
    /// The service on the device.
    public enum Service: Sendable {
        /// Not registered yet.
        case unregistered
        /// The registration is running.
        case registering
        /// The vendor knows the device.
        case registered(DeviceRegistration)
        /// The registration failed.
        case failed(PushError)
        /// The service is stopped and refuses every call.
        case stopped
    }

    /// An event that a start reports.
    public enum ServiceEvent: Sendable {
        /// The vendor knows the device.
        case registered(DeviceRegistration)
        /// The registration failed, or ended after a stop; no event follows.
        case failed(SessionFault)
        /// The persistent connection is up.
        case connected
        /// The device is registered, but its connection failed.
        case disconnected(SessionFault)
    }

    /// The client that makes the requests.
    public let client: PushClient
    /// The rules of the device's SDK.
    public let rules: SessionRules
    /// The session's host, if it is a whole phone.
    public let phone: (any Phone)?
    /// State that the calling styles keep once for an app, even if several of their objects make its calls.
    package let attachments = Attachments()
    private let known: DeviceID?
    private let gate: SessionGate

    /// Creates a session of one device.
    /// - Parameters:
    ///   - client: the session does not shut it down.
    ///   - device: nil until it is registered.
    ///   - rules: the rules of the SDK that the calling code was written for; the client's vendor may be a different
    ///     one.
    ///   - host: the device, for calls that no server can serve; without a host, the session refuses them as
    ///     unsupported.
    ///   - consent: calls that the session may make from other calls although something is lost; nil takes the client's,
    ///     which is none unless it was made with `standingIn:`.
    public init(
        _ client: PushClient, device: DeviceID? = nil, rules: SessionRules, host: (any DeviceHost)? = nil,
        consent: SessionConsent? = nil
    ) {
        self.client = client
        self.rules = rules
        known = device
        phone = host as? any Phone
        gate = SessionGate(
            SessionWork(client: client, rules: rules, consent: consent ?? client.sessionConsent, host: host),
            device: device)
    }

    /// Drops the background update; calls in flight are still answered.
    deinit { gate.endBackground() }

    // MARK: Calls

    /// Accepts or refuses a call and answers it later, exactly once. Answers come on the queue, which must be serial,
    /// in the order in which they become known.
    public func submit(
        _ call: SessionCall, on queue: DispatchQueue,
        answer: @escaping @Sendable (Result<SessionAnswer, SessionFault>) -> Void
    ) {
        gate.submit(call) { result in queue.async { answer(result) } }
    }

    /// Makes a call and waits for its answer. The answer to an overlay has both halves, including one that failed.
    ///
    /// Cancelling the task cancels the request, whose effect is then unknown. A call that waits for an earlier one
    /// about the same subject keeps waiting, and then sends nothing.
    public func run(_ call: SessionCall) async throws(SessionFault) -> SessionAnswer {
        let running = Locked<Task<Void, Never>?>(nil)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = gate.submit(call) { result in continuation.resume(returning: result) }
                running.withLock { $0 = task }
                if Task.isCancelled { task?.cancel() }
            }
        } onCancel: {
            running.withLock { $0 }?.cancel()
        }.get()
    }

    /// Sets tags and alias in the background: nil leaves a half unchanged, empty clears it.
    ///
    /// The session retries an update that can succeed later, after ``SessionRules/backgroundWaits`` or after the time
    /// that the vendor requests. A newer background update replaces one that is still running; a foreground call does
    /// not. `onResult` gets the result once: `cancelled` if a newer update replaced this one.
    public func submitInBackground(
        tags: [String]?, alias: String?, on queue: DispatchQueue,
        onResult: @escaping @Sendable (Result<SessionHalves, SessionFault>) -> Void = { _ in }
    ) {
        gate.submitInBackground(tags: tags, alias: alias) { result in queue.async { onResult(result) } }
    }

    /// How the session would make a call of this kind, with any arguments. Sends nothing.
    public func support(of call: SessionCall) -> SessionSupport { gate.support(of: call) }

    /// Why the SDK of the rules does not have a call, by its kind; nil if it does. For calls that stay on the device.
    public func refusal(of kind: SessionCall.Kind) -> SessionFault? { gate.refusal(of: kind) }

    /// The valid tags of a list, in its order, at most as many as a call takes. Sends nothing.
    public func validTags(of tags: [String]) -> [String] { CallCheck(rules: rules).valid(tags) }

    /// Whether the SDK's rules allow this badge number. Sends nothing.
    public func isBadge(_ number: Int) -> Bool { rules.badges?.contains(number) ?? true }

    // MARK: The service

    /// The service as it is now.
    public var service: Service { gate.service }

    /// The device; nil while it is not registered.
    public var device: DeviceID? {
        if case .registered(let registration) = gate.service { registration.device } else { nil }
    }

    /// Starts the service: registers the device through its host and connects it. Without a host, the device that the
    /// session was created with counts as registered again.
    ///
    /// Until the device is registered, the session refuses other calls as not registered.
    /// `onResult` first gets the result of the registration and, after a success, the result of connecting. A session
    /// without a host has no connection to report.
    public func start(
        _ request: DeviceStart = DeviceStart(), on queue: DispatchQueue,
        onResult: @escaping @Sendable (ServiceEvent) -> Void
    ) {
        _ = gate.start(request, known: known) { event in queue.async { onResult(event) } }
    }

    /// Starts the service and returns when the device is registered and its host has connected it. Cancelling the task
    /// cancels both.
    public func start(_ request: DeviceStart = DeviceStart()) async throws(SessionFault) {
        let fault = Locked<SessionFault?>(nil)
        let tasks = gate.start(request, known: known) { event in
            switch event {
            case .failed(let failure), .disconnected(let failure): fault.withLock { $0 = failure }
            case .registered, .connected: return
            }
        }
        await withTaskCancellationHandler {
            for task in tasks { await task.value }
        } onCancel: {
            for task in tasks { task.cancel() }
        }
        if let fault = fault.withLock({ $0 }) { throw fault }
    }

    /// Marks the device as registered under this id: for a device that was registered elsewhere.
    public func register(_ device: DeviceID) { gate.register(device) }

    /// Ends the service: refuses every call from now on and drops the background update. Calls in flight are still
    /// answered.
    ///
    /// If the rules end the registration, the host ends the service on the device, which must then be started again.
    /// Otherwise only the session is stopped, and ``resume()`` ends that.
    /// `onResult` gets the result of stopping at the host.
    public func stop(
        on queue: DispatchQueue, onResult: @escaping @Sendable (Result<Void, SessionFault>) -> Void = { _ in }
    ) {
        _ = gate.stop { result in queue.async { onResult(result) } }
    }

    /// Ends the service and returns when the host has ended it.
    public func stop() async throws(SessionFault) {
        let fault = Locked<SessionFault?>(nil)
        let task = gate.stop { result in if case .failure(let failure) = result { fault.withLock { $0 = failure } } }
        await task.value
        if let fault = fault.withLock({ $0 }) { throw fault }
    }

    /// Accepts calls again after a stop, without calling the host.
    public func resume() { gate.resume() }

    /// Reports the device's id: at once, or when the running registration has ended.
    public func whenRegistered(
        on queue: DispatchQueue, answer: @escaping @Sendable (Result<DeviceID, SessionFault>) -> Void
    ) {
        gate.whenRegistered { result in queue.async { answer(result) } }
    }

    /// Reports every registration from now on, as long as the session exists: do not retain the session in `notify`.
    public func onRegistration(
        on queue: DispatchQueue, notify: @escaping @Sendable (DeviceRegistration) -> Void
    ) {
        gate.observe { registration in queue.async { notify(registration) } }
    }

    /// Reports every connection to the vendor from now on, as long as the session exists. There is one when a start has
    /// connected the device, and whenever the app or the network comes back. Without a host, each registration counts
    /// as one. Do not retain the session in `notify`.
    public func onConnection(on queue: DispatchQueue, notify: @escaping @Sendable () -> Void) {
        gate.observeConnections { queue.async { notify() } }
    }

    /// Changes the app's icon on this device, whatever the state of the service. Does nothing without a host, and
    /// reports no result.
    public func showIcon(_ icon: IconBadge) { gate.showIcon(icon) }

    /// How often the device polls for in-app messages; nil if the vendor pushes them.
    public var pollingInterval: Duration? { gate.pollingInterval }

    /// Sets how often the device polls for in-app messages; call it before the service is started. Refuses an interval
    /// shorter than the SDK's shortest, and keeps the previous one.
    public func setPollingInterval(_ interval: Duration) throws(SessionFault) { try gate.setPolling(interval) }
}

extension DeviceSession: CustomReflectable {
    /// Empty: a session holds data about people and their phones.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
