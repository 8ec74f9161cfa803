public import Dispatch
public import PushClient
public import PushCore

/// What an app on a device can do with its SDK, over any vendor: the SDK's rules in front of a client.
///
/// Calls are let in or refused in the order in which they are made, at once and before anything is sent; a refusal
/// costs nothing. Every call is answered exactly once, later. Its slot is free again when its answer arrives. Calls
/// about the same thing reach the vendor in the order in which they were made, but for settings in the background.
///
/// ```swift
/// let session = DeviceSession(client, device: "190e35f7e0a1b2c3d4e", rules: .jpush)
/// _ = try await session.run(.addTags(["vip"]))
/// ```
public final class DeviceSession: Sendable {
    /// The service on the device.
    public enum Service: Sendable {
        /// Nothing has registered it yet.
        case unregistered
        /// Its registration is under way.
        case registering
        /// The vendor knows it.
        case registered(DeviceRegistration)
        /// Its registration failed.
        case failed(PushError)
        /// It was stopped, and refuses every call.
        case stopped
    }

    /// What a start tells.
    public enum ServiceEvent: Sendable {
        /// The vendor knows the device.
        case registered(DeviceRegistration)
        /// The registration failed, or came after a stop; nothing more is told.
        case failed(SessionFault)
        /// The lasting connection is up.
        case connected
        /// The device is registered, and its connection failed.
        case disconnected(SessionFault)
    }

    /// What carries the calls out.
    public let client: PushClient
    /// The rules of the device's SDK.
    public let rules: SessionRules
    private let known: DeviceID?
    private let gate: SessionGate

    /// A session of one device.
    /// - Parameters:
    ///   - client: not shut down by the session.
    ///   - device: nil until it is registered.
    ///   - rules: of the SDK that the calling code was written for; the vendor behind the client may be another.
    ///   - host: the device, for what no server can do; without one such calls are refused as unsupported.
    ///   - consent: what may be made from other calls although something is lost.
    public init(
        _ client: PushClient, device: DeviceID? = nil, rules: SessionRules, host: (any DeviceHost)? = nil,
        consent: SessionConsent = SessionConsent()
    ) {
        self.client = client
        self.rules = rules
        known = device
        gate = SessionGate(
            SessionWork(client: client, rules: rules, consent: consent, host: host), device: device)
    }

    /// Gives up what is made in the background; calls under way are answered.
    deinit { gate.endBackground() }

    // MARK: Calls

    /// Lets a call in, or refuses it, and answers it later, exactly once: on the queue, which is a serial one, in the
    /// order in which answers become known.
    public func submit(
        _ call: SessionCall, on queue: DispatchQueue,
        answer: @escaping @Sendable (Result<SessionAnswer, SessionFault>) -> Void
    ) {
        gate.submit(call) { result in queue.async { answer(result) } }
    }

    /// Makes a call and waits for its answer, which of an overlay has both halves, also one that failed.
    ///
    /// Cancelling the task cancels the request, whose effect is then unknown. A call that waits for an earlier one about
    /// the same thing goes on waiting, and nothing is sent then.
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

    /// Sets tags and alias in the background: nil leaves a half, empty clears it.
    ///
    /// What can succeed later is made again, after ``SessionRules/backgroundWaits`` or after the time that the vendor
    /// asks for. A newer setting in the background takes the place of the one that is still at it; one in the
    /// foreground does not. What became of it is told once; `cancelled` when a newer one took its place.
    public func submitInBackground(
        tags: [String]?, alias: String?, on queue: DispatchQueue,
        ended: @escaping @Sendable (Result<SessionHalves, SessionFault>) -> Void = { _ in }
    ) {
        gate.submitInBackground(tags: tags, alias: alias) { result in queue.async { ended(result) } }
    }

    /// How a call would be carried out here, whatever it says. Sends nothing.
    public func support(of call: SessionCall) -> SessionSupport { gate.support(of: call) }

    /// The tags of a list that could be set, in its order, at most as many as a call takes. Sends nothing.
    public func validTags(of tags: [String]) -> [String] { CallCheck(rules: rules).valid(tags) }

    /// Whether a badge may have this number, by the rules of the SDK. Sends nothing.
    public func isBadge(_ number: Int) -> Bool { rules.badges?.contains(number) ?? true }

    // MARK: The service

    /// The service as it is now.
    public var service: Service { gate.service }

    /// The device; nil while it is not registered.
    public var device: DeviceID? {
        if case .registered(let registration) = gate.service { registration.device } else { nil }
    }

    /// Starts the service: registers the device by its host and connects it. Without a host, the device that the
    /// session was made with counts as registered again.
    ///
    /// From the call on until it is registered, other calls are refused as not registered.
    /// First it tells how the registration ended, and after a success how connecting did; a session without a host has
    /// no connection to tell of.
    public func start(
        _ request: DeviceStart = DeviceStart(), on queue: DispatchQueue,
        told: @escaping @Sendable (ServiceEvent) -> Void
    ) {
        _ = gate.start(request, known: known) { event in queue.async { told(event) } }
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

    /// The vendor knows the device from now on, under this id: for a device that somebody else registered.
    public func register(_ device: DeviceID) { gate.register(device) }

    /// Ends the service: refuses every call from now on and gives up what is made in the background. Calls under way
    /// are answered.
    ///
    /// Where the rules end the registration, the host ends the service on the device, which has to be started again.
    /// Elsewhere being stopped is a state of the session alone, and ``resume()`` ends it.
    /// Tells how it ended at the host.
    public func stop(
        on queue: DispatchQueue, told: @escaping @Sendable (Result<Void, SessionFault>) -> Void = { _ in }
    ) {
        _ = gate.stop { result in queue.async { told(result) } }
    }

    /// Ends the service and returns when the host has.
    public func stop() async throws(SessionFault) {
        let fault = Locked<SessionFault?>(nil)
        let task = gate.stop { result in if case .failure(let failure) = result { fault.withLock { $0 = failure } } }
        await task.value
        if let fault = fault.withLock({ $0 }) { throw fault }
    }

    /// Lets calls in again after a stop, without asking the host.
    public func resume() { gate.resume() }

    /// Tells the device's id: at once, or when the registration that is under way has ended.
    public func whenRegistered(
        on queue: DispatchQueue, answer: @escaping @Sendable (Result<DeviceID, SessionFault>) -> Void
    ) {
        gate.whenRegistered { result in queue.async { answer(result) } }
    }

    /// Tells every registration from now on, as long as there is the session: do not hold it in here.
    public func onRegistration(
        on queue: DispatchQueue, tell: @escaping @Sendable (DeviceRegistration) -> Void
    ) {
        gate.observe { registration in queue.async { tell(registration) } }
    }

    /// Changes the icon of the app on this device, whatever the state of the service; does nothing without a host, and
    /// tells nobody.
    public func showIcon(_ icon: IconBadge) { gate.showIcon(icon) }

    /// How often messages inside the app are asked for; nil where they are pushed.
    public var pollingInterval: Duration? { gate.pollingInterval }

    /// Sets how often messages inside the app are asked for, before the service is started. Refuses an interval shorter
    /// than the SDK's shortest, and keeps the one before.
    public func setPollingInterval(_ interval: Duration) throws(SessionFault) { try gate.setPolling(interval) }
}

extension DeviceSession: CustomReflectable {
    /// Nothing: what a session holds is of people and of their phones.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
