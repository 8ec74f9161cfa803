import PushAdapter
import PushClient

/// Accepts or refuses calls, one at a time and in the order of the calls. It checks the call first, then the slots and
/// windows, which all sessions of the device share.
///
/// Results go to their queue under the same lock, so answers arrive in the order in which they become known. Adapters
/// also encode requests under the lock; encoding never waits.
final class SessionGate: Sendable {
    typealias Answer = Swift.Result<SessionAnswer, SessionFault>
    typealias Deliver<Value> = @Sendable (Swift.Result<Value, SessionFault>) -> Void

    struct State: Sendable {
        var isStopped = false
        /// Counts stops that end registrations: a registration that began before the last one is too late.
        var generation = 0
        /// Counts starts: the failure of an older start is ignored if there is a newer one.
        var lastStart = 0
        var registration = Registration.none
        /// Registrations and connections in flight, by the number of their start.
        var starting: [Int: [Task<Void, Never>]] = [:]
        var waiting: [Deliver<DeviceID>] = []
        var observers: [@Sendable (DeviceRegistration) -> Void] = []
        var connectionObservers: [@Sendable () -> Void] = []
        /// Whether the gate follows the host's new connections.
        var followsHost = false
        var polling: Duration?
        /// The last call about each subject, which the next one waits for.
        var tails: [SessionSubject: Task<Void, Never>] = [:]
        var background = BackgroundState()
        /// Released and cancelled after unlocking, because either may call back.
        var spent: [any Sendable] = []
        var cancelled: [Task<Void, Never>] = []
    }

    enum Registration: Sendable {
        case none
        case running
        case done(DeviceRegistration)
        case failed(PushError)
    }

    let work: SessionWork
    let clock: any PushClock
    private let admissions: Admissions
    private let state: Locked<State>

    var rules: SessionRules { work.rules }

    init(_ work: SessionWork, device: DeviceID?) {
        self.work = work
        clock = work.client.configuration.clock
        admissions = work.client.attachments.value { Admissions() }
        var first = State()
        first.registration = device.map { .done(DeviceRegistration(device: $0)) } ?? .none
        state = Locked(first)
    }

    func withState<Value, Failure: Error>(_ body: (inout State) throws(Failure) -> Value) throws(Failure) -> Value {
        let (result, spent, cancelled) = state.withLock { state in
            let result: Swift.Result<Value, Failure>
            do throws(Failure) { result = .success(try body(&state)) } catch { result = .failure(error) }
            defer { (state.spent, state.cancelled) = ([], []) }
            return (result, state.spent, state.cancelled)
        }
        for task in cancelled { task.cancel() }
        return try withExtendedLifetime(spent) { () throws(Failure) in try result.get() }
    }

    // MARK: Calls

    /// Accepts a call and answers it later, or refuses it. A refused call takes no slot and does not count in a window.
    /// - Parameter deliver: called under the lock, so it must not run the caller's code.
    /// - Returns: the running call; nil if it was refused.
    @discardableResult
    func submit(_ call: SessionCall, deliver: @escaping Deliver<SessionAnswer>) -> Task<Void, Never>? {
        withState { state in
            do throws(SessionFault) {
                guard let device = try check(call, as: call.kind, state) else {
                    throw Self.notRegistered(call.kind)
                }
                let parts = try work.plan(call, of: device)
                let slots = try admissions.admit(call.kind, of: device, rules, at: clock.elapsed)
                let permit = SessionPermit(slots, of: device, self)
                return follow(lanes(of: call.kind), &state) { [work] in
                    permit.end(with: await work.perform(call, parts, of: device), deliver)
                }
            } catch {
                deliver(.failure(error))
                return nil
            }
        }
    }

    /// Starts work that first waits for the last work about each of these subjects.
    func follow(
        _ lanes: Set<SessionSubject>, _ state: inout State, _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        let before = lanes.compactMap { state.tails[$0] }
        let task = Task {
            for task in before { await task.value }
            await body()
        }
        for lane in lanes { state.tails[lane] = task }
        return task
    }

    private func lanes(of kind: SessionCall.Kind) -> Set<SessionSubject> {
        let places = work.places
        return Set(kind.subjects.map { places[$0] ?? $0 })
    }

    /// Frees slots and delivers an answer in one step: whoever gets the answer finds the slots free.
    func release(_ slots: [SessionSubject], of device: DeviceID, _ deliver: () -> Void = {}) {
        withState { _ in
            admissions.release(slots, of: device, rules)
            deliver()
        }
    }

    /// Checks in the same order for all calls: unsupported, stopped, invalid arguments, not registered, refused by the
    /// client; then the slot and the window.
    /// - Returns: the device, or nil if it is not registered.
    func check(
        _ call: SessionCall, as kind: SessionCall.Kind, _ state: State
    ) throws(SessionFault) -> DeviceID? {
        let subject = kind.subjects.min() ?? .service
        if let refusal = refusal(of: kind) { throw refusal }
        guard !state.isStopped else { throw Self.stopped(subject) }
        try CallCheck(rules: rules).check(call, as: kind)
        if case .done(let registration) = state.registration { return registration.device }
        return nil
    }

    /// Why the generation does not have a call; nil if it has the call or may make it from others.
    private func missing(_ kind: SessionCall.Kind) -> String? {
        rules.calls.contains(kind) || work.consent.calls.contains(kind) ? nil : "\(rules.name) has no call \(kind)"
    }

    /// Why the generation does not have a call, as a refusal; nil if it has the call.
    func refusal(of kind: SessionCall.Kind) -> SessionFault? {
        missing(kind).map { SessionFault(.unsupported, about: kind.subjects.min() ?? .service, .unsupported, $0) }
    }

    /// How a call is made.
    func support(of call: SessionCall) -> SessionSupport {
        missing(call.kind).map { .refused($0) } ?? work.support(of: call)
    }

    static func stopped(_ subject: SessionSubject) -> SessionFault {
        SessionFault(.stopped, about: subject, .stopped, "the service is stopped; start it again")
    }

    static func notRegistered(_ kind: SessionCall.Kind?) -> SessionFault {
        if kind == .setBadge {
            return SessionFault(
                .outOfOrder, about: .badge, .invalidState, "the badge cannot be stored before the device is registered",
                retry: .backoff)
        }
        return SessionFault(
            .notRegistered, about: kind?.subjects.min() ?? .service, .notRegistered,
            "the device is not registered yet; wait for the registration", retry: .backoff)
    }
}
