import PushClient
import PushCore

/// Lets calls in, one decision at a time and in the order of the calls: what is wrong with them first, then whether
/// there is room.
///
/// Whatever becomes known is handed over to its queue under the same lock, so answers arrive in the order in which they
/// became known. An adapter makes requests under it as well, which it does without waiting for anything.
final class SessionGate: Sendable {
    typealias Answer = Swift.Result<SessionAnswer, SessionFault>
    typealias Deliver<Value> = @Sendable (Swift.Result<Value, SessionFault>) -> Void

    struct State: Sendable {
        var isStopped = false
        /// Counts what ends registrations: one that began before comes too late.
        var generation = 0
        /// Counts starts: how an older one failed is of no interest while there is a newer one.
        var lastStart = 0
        var registration = Registration.none
        /// Registrations and connections that are under way, by the number of their start.
        var starting: [Int: [Task<Void, Never>]] = [:]
        var waiting: [Deliver<DeviceID>] = []
        var observers: [@Sendable (DeviceRegistration) -> Void] = []
        var polling: Duration?
        var taken: Set<SessionSubject> = []
        /// When calls of each window were let in, oldest first; those that left the window are forgotten.
        var entries: [[Duration]] = []
        /// The last call about each thing, for the next one to wait for.
        var tails: [SessionSubject: Task<Void, Never>] = [:]
        var background = BackgroundState()
        /// What is of no use any more, and what is to be cancelled: let go of and cancelled outside the lock, because
        /// both may run something that calls here.
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
    private let state: Locked<State>

    var rules: SessionRules { work.rules }

    init(_ work: SessionWork, device: DeviceID?) {
        self.work = work
        clock = work.client.configuration.clock
        var first = State()
        first.registration = device.map { .done(DeviceRegistration(device: $0)) } ?? .none
        first.entries = Array(repeating: [], count: work.rules.windows.count)
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

    /// Lets a call in and answers it later, or refuses it, which takes neither a slot nor a place in a window.
    /// - Parameter deliver: called under the lock, so it must not run anything of the caller's.
    /// - Returns: the call on its way; nil for one that was refused.
    @discardableResult
    func submit(_ call: SessionCall, deliver: @escaping Deliver<SessionAnswer>) -> Task<Void, Never>? {
        withState { state in
            do throws(SessionFault) {
                guard let device = try check(call, as: call.kind, state) else {
                    throw Self.notRegistered(call.kind)
                }
                let parts = try work.plan(call, of: device)
                let slots = rules.slots[call.kind] ?? []
                if let slot = slots.first(where: state.taken.contains) {
                    throw SessionFault(
                        .busy, about: slot, .busy, "another request about \(slot) is under way; wait for its answer",
                        retry: .backoff)
                }
                try enter(call.kind, &state)
                state.taken.formUnion(slots)
                let permit = SessionPermit(slots, of: self)
                return follow(lanes(of: call.kind), &state) { [work] in
                    permit.end(with: await work.perform(call, parts, of: device), deliver)
                }
            } catch {
                deliver(.failure(error))
                return nil
            }
        }
    }

    /// Starts a piece of work that waits for the last one about each of some things.
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

    /// Frees slots and hands an answer over in one step: who hears of it finds them free.
    func release(_ slots: [SessionSubject], _ deliver: () -> Void = {}) {
        withState { state in
            state.taken.subtract(slots)
            deliver()
        }
    }

    /// The order of reasons is one for all calls: unsupported, stopped, wrong by itself, not registered, refused by the
    /// client; then the slot and the window.
    /// - Returns: the device, or nil for one that is not registered.
    func check(
        _ call: SessionCall, as kind: SessionCall.Kind, _ state: State
    ) throws(SessionFault) -> DeviceID? {
        let subject = kind.subjects.min() ?? .service
        if let reason = missing(kind) { throw SessionFault(.unsupported, about: subject, .unsupported, reason) }
        guard !state.isStopped else { throw Self.stopped(subject) }
        try CallCheck(rules: rules).check(call, as: kind)
        if case .done(let registration) = state.registration { return registration.device }
        return nil
    }

    /// Why the generation has no such call; nil where it has one, or may have it made from others.
    private func missing(_ kind: SessionCall.Kind) -> String? {
        rules.calls.contains(kind) || work.consent.calls.contains(kind) ? nil : "\(rules.name) has no call \(kind)"
    }

    /// How a call is carried out.
    func support(of call: SessionCall) -> SessionSupport {
        missing(call.kind).map { .refused($0) } ?? work.support(of: call)
    }

    /// Counts a call in the windows of its kind, unless one of them has no place.
    private func enter(_ kind: SessionCall.Kind, _ state: inout State) throws(SessionFault) {
        let now = clock.elapsed
        let counting = rules.windows.indices.filter { rules.windows[$0].kinds.contains(kind) }
        for index in counting {
            let window = rules.windows[index]
            state.entries[index].removeAll { $0 + window.length <= now }
            guard state.entries[index].count < window.count else {
                let wait = (state.entries[index].first ?? now) + window.length - now
                throw SessionFault(
                    .tooFrequent, about: kind.subjects.min() ?? .service, .rateLimited,
                    "more than \(window.count) such calls in \(window.length)", retry: .after(wait))
            }
        }
        for index in counting { state.entries[index].append(now) }
    }

    static func stopped(_ subject: SessionSubject) -> SessionFault {
        SessionFault(.stopped, about: subject, .stopped, "the service is stopped; start it again")
    }

    static func notRegistered(_ kind: SessionCall.Kind?) -> SessionFault {
        if kind == .setBadge {
            return SessionFault(
                .outOfOrder, about: .badge, .invalidState, "a badge is stored once the device is registered",
                retry: .backoff)
        }
        return SessionFault(
            .notRegistered, about: kind?.subjects.min() ?? .service, .notRegistered,
            "the device is not registered yet; wait for it", retry: .backoff)
    }
}
