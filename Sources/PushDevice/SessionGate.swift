import Dispatch
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
                try work.preflight(call, of: device)
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
                    permit.end(with: await work.perform(call, of: device), deliver)
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
    fileprivate func release(_ slots: [SessionSubject], _ deliver: () -> Void = {}) {
        withState { state in
            state.taken.subtract(slots)
            deliver()
        }
    }

    /// The order of reasons is one for all calls: unsupported, stopped, wrong by itself, not registered, refused by the
    /// client; then the slot and the window.
    /// - Returns: the device, or nil for one that is not registered.
    private func check(
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

    private static func notRegistered(_ kind: SessionCall.Kind?) -> SessionFault {
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

/// The right to make one request. It holds slots until it is ended, or forgotten on any way out.
private final class SessionPermit: Sendable {
    private let gate: SessionGate
    private let slots: Locked<[SessionSubject]>

    init(_ slots: [SessionSubject], of gate: SessionGate) {
        self.gate = gate
        self.slots = Locked(slots)
    }

    deinit {
        let held = take()
        if !held.isEmpty { gate.release(held) }
    }

    func end(with answer: SessionGate.Answer, _ deliver: SessionGate.Deliver<SessionAnswer>) {
        gate.release(take()) { deliver(answer) }
    }

    private func take() -> [SessionSubject] {
        slots.withLock { slots in
            defer { slots = [] }
            return slots
        }
    }
}

// MARK: The service

extension SessionGate {
    /// The service as it is now.
    var service: DeviceSession.Service {
        withState { state in
            guard !state.isStopped else { return .stopped }
            return switch state.registration {
            case .none: .unregistered
            case .running: .registering
            case .done(let registration): .registered(registration)
            case .failed(let error): .failed(error)
            }
        }
    }

    /// Registers the device by its host, and says so; then waits for the connection, and says that. A stop that ends
    /// the registration makes both come too late, and cancels them.
    /// - Returns: the registration and the connection.
    func start(
        _ request: DeviceStart, known: DeviceID?, told: @escaping @Sendable (DeviceSession.ServiceEvent) -> Void
    ) -> [Task<Void, Never>] {
        withState { state in
            state.isStopped = false
            state.registration = .running
            state.lastStart += 1
            var request = request
            request.pollingInterval = state.polling ?? rules.polling?.usual
            let (generation, number, complete) = (state.generation, state.lastStart, request)
            let isRegistered = Locked(false)
            let registering = follow([.service], &state) { [self, work] in
                do throws(PushError) {
                    let registration = try await work.register(complete, known: known)
                    isRegistered.withLock { $0 = succeeded(registration, generation, told) }
                } catch {
                    failed(error, generation, number, told)
                }
            }
            // Apart from what the next start or stop waits for: a connection may take as long as the device is offline.
            let connecting = Task { [self, work] in
                await registering.value
                defer { withState { $0.starting[number] = nil } }
                guard let host = work.host, isRegistered.withLock({ $0 }) else { return }
                do throws(PushError) {
                    // A stop that came meanwhile may have stopped the device already.
                    if withState({ $0.generation == generation }) { try await host.connect() }
                    connected(nil, generation, told)
                } catch {
                    connected(SessionFault(error, about: .service), generation, told)
                }
            }
            state.starting[number] = [registering, connecting]
            return [registering, connecting]
        }
    }

    private func succeeded(
        _ registration: DeviceRegistration, _ generation: Int, _ told: @Sendable (DeviceSession.ServiceEvent) -> Void
    ) -> Bool {
        withState { state in
            guard state.generation == generation else {
                told(.failed(Self.stopped(.service)))
                return false
            }
            register(registration, &state)
            told(.registered(registration))
            return true
        }
    }

    private func failed(
        _ error: PushError, _ generation: Int, _ number: Int,
        _ told: @Sendable (DeviceSession.ServiceEvent) -> Void
    ) {
        withState { state in
            guard state.generation == generation else { return told(.failed(Self.stopped(.service))) }
            let fault = SessionFault(error, about: .service)
            // Somebody else may have registered it meanwhile, or be about to.
            if case .running = state.registration, number == state.lastStart {
                state.registration = .failed(error)
                flush(.failure(fault), &state)
            }
            told(.failed(fault))
        }
    }

    private func connected(
        _ fault: SessionFault?, _ generation: Int, _ told: @Sendable (DeviceSession.ServiceEvent) -> Void
    ) {
        withState { state in
            let fault = state.generation == generation ? fault : Self.stopped(.service)
            told(fault.map(DeviceSession.ServiceEvent.disconnected) ?? .connected)
        }
    }

    /// The vendor knows the device from now on.
    func register(_ device: DeviceID) {
        withState { register(DeviceRegistration(device: device), &$0) }
    }

    private func register(_ registration: DeviceRegistration, _ state: inout State) {
        state.registration = .done(registration)
        for observer in state.observers { observer(registration) }
        flush(.success(registration.device), &state)
        wakeBackground(&state)
    }

    private func flush(_ result: Swift.Result<DeviceID, SessionFault>, _ state: inout State) {
        for waiting in state.waiting {
            waiting(result)
            state.spent.append(waiting)
        }
        state.waiting = []
    }

    /// Refuses calls from now on and gives up what is made in the background. Where stopping is a call of the SDK, it
    /// ends the registration and the service on the device; elsewhere it is a state of the session, and the device goes
    /// on.
    func stop(told: @escaping Deliver<Void>) -> Task<Void, Never> {
        withState { state in
            state.isStopped = true
            endBackground(&state, Self.stopped(.tags))
            guard rules.stoppingEndsRegistration else {
                told(.success(()))
                return Task {}
            }
            state.generation += 1
            state.registration = .none
            state.cancelled += state.starting.values.joined()
            flush(.failure(Self.stopped(.service)), &state)
            return follow([.service], &state) { [self, work] in
                var fault: SessionFault?
                do throws(PushError) {
                    try await work.host?.stop()
                } catch {
                    fault = SessionFault(error, about: .service)
                }
                withState { _ in told(fault.map { .failure($0) } ?? .success(())) }
            }
        }
    }

    func resume() { withState { $0.isStopped = false } }

    func observe(_ observer: @escaping @Sendable (DeviceRegistration) -> Void) {
        withState { $0.observers.append(observer) }
    }

    /// Tells the device's id, as soon as a registration under way has ended.
    func whenRegistered(_ deliver: @escaping Deliver<DeviceID>) {
        withState { state in
            guard !state.isStopped else { return deliver(.failure(Self.stopped(.service))) }
            switch state.registration {
            case .none: deliver(.failure(Self.notRegistered(nil)))
            case .running: state.waiting.append(deliver)
            case .done(let registration): deliver(.success(registration.device))
            case .failed(let error): deliver(.failure(SessionFault(error, about: .service)))
            }
        }
    }

    /// Changes the icon behind what is under way about the badge. Whatever becomes of it: it is the device's own.
    func showIcon(_ icon: IconBadge) {
        withState { state in
            _ = follow([.badge], &state) { [work] in
                do throws(PushError) { try await work.host?.showIcon(icon) } catch {}
            }
        }
    }

    var pollingInterval: Duration? { withState { $0.polling } ?? rules.polling?.usual }

    func setPolling(_ interval: Duration) throws(SessionFault) {
        guard let polling = rules.polling else {
            throw SessionFault(
                .unsupported, about: .service, .unsupported, "\(rules.name) pushes messages and asks for none")
        }
        guard interval >= polling.shortest else {
            throw SessionFault(
                .outOfRange, about: .service, .invalidArgument,
                "an interval of \(interval) is shorter than \(polling.shortest)")
        }
        try withState { (state) throws(SessionFault) in
            guard case .none = state.registration, !state.isStopped else {
                throw SessionFault(
                    .outOfOrder, about: .service, .invalidState, "set the interval before the service is started")
            }
            state.polling = interval
        }
    }
}

// MARK: The background

/// A setting that is made in the background, again and again until it succeeds.
struct BackgroundWish: Sendable {
    /// Later ones have greater numbers.
    var number: Int
    var tags: [String]?
    var alias: String?
    var deliver: SessionGate.Deliver<SessionHalves>
}

struct BackgroundState: Sendable {
    var lastNumber = 0
    var wish: BackgroundWish?
    /// The wait before the next try, which a newer wish cuts short.
    var nap: Task<Void, Never>?
    var isRunning = false
}

extension SessionGate {
    /// Lets a setting in that nobody waits for. It takes no slot and no place in a window, and the place of the one
    /// before. While the device is not registered it waits for that.
    func submitInBackground(tags: [String]?, alias: String?, deliver: @escaping Deliver<SessionHalves>) {
        withState { state in
            do throws(SessionFault) {
                let call = SessionCall.overlay(tags: tags, alias: alias)
                if let device = try check(call, as: .background, state) { try work.preflight(call, of: device) }
            } catch {
                return deliver(.failure(error))
            }
            endBackground(&state, Self.superseded)
            state.background.lastNumber += 1
            state.background.wish = BackgroundWish(
                number: state.background.lastNumber, tags: tags, alias: alias, deliver: deliver)
            wakeBackground(&state)
        }
    }

    /// Gives up what is made in the background; a request that is under way ends by itself.
    func endBackground() { withState { endBackground(&$0, Self.superseded) } }

    private func endBackground(_ state: inout State, _ fault: SessionFault) {
        if let nap = state.background.nap { state.cancelled.append(nap) }
        guard let wish = state.background.wish else { return }
        wish.deliver(.failure(fault))
        state.spent.append(wish)
        state.background.wish = nil
    }

    private func wakeBackground(_ state: inout State) {
        guard state.background.wish != nil, !state.background.isRunning, case .done = state.registration else { return }
        state.background.isRunning = true
        Task { await self.fulfilWishes() }
    }

    private static let superseded = SessionFault(
        PushError(
            .cancelled, "a newer setting in the background took its place, or the session ended", effect: .unknown),
        about: .tags)

    /// One request at a time, so that the newest wish is the last to reach the vendor; halves that are done are not
    /// made again, unless the device is another one.
    private func fulfilWishes() async {
        var aim: (number: Int, device: DeviceID)?
        var halves = SessionHalves()
        var waits: ArraySlice<Duration> = []
        while let (wish, device) = nextWish() {
            if aim?.number != wish.number || aim?.device != device {
                (aim, halves, waits) = ((wish.number, device), SessionHalves(), rules.backgroundWaits[...])
                do throws(SessionFault) {
                    try work.preflight(.overlay(tags: wish.tags, alias: wish.alias), of: device)
                } catch {
                    fulfil(wish.number, of: device, .failure(error))
                    continue
                }
            }
            await work.overlay(wish.tags, wish.alias, of: device, &halves) { isCurrent(wish.number) }
            guard let failure = halves.failure else {
                fulfil(wish.number, of: device, .success(halves))
                continue
            }
            guard failure.error.retry != .never, var wait = waits.first else {
                fulfil(wish.number, of: device, .failure(failure))
                continue
            }
            if waits.count > 1 { waits.removeFirst() }
            if case .after(let hint) = failure.error.retry { wait = max(wait, hint) }
            await nap(wait, before: wish.number)
        }
    }

    /// Nil ends the loop: there is no wish, or none that could be fulfilled before the device is registered.
    private func nextWish() -> (BackgroundWish, DeviceID)? {
        withState { state in
            guard let wish = state.background.wish, case .done(let registration) = state.registration else {
                state.background.isRunning = false
                return nil
            }
            return (wish, registration.device)
        }
    }

    private func isCurrent(_ number: Int) -> Bool { withState { $0.background.wish?.number == number } }

    /// Tells what became of a wish, unless there is a newer one or the device is another one by now.
    private func fulfil(
        _ number: Int, of device: DeviceID, _ result: Swift.Result<SessionHalves, SessionFault>
    ) {
        withState { state in
            guard let wish = state.background.wish, wish.number == number else { return }
            if case .done(let registration) = state.registration, registration.device != device { return }
            state.background.wish = nil
            wish.deliver(result)
            state.spent.append(wish)
        }
    }

    /// Waits, unless there is a newer wish or becomes one.
    private func nap(_ time: Duration, before number: Int) async {
        let nap: Task<Void, Never>? = withState { state in
            guard state.background.wish?.number == number else { return nil }
            let nap = Task { [clock] in
                do throws(CancellationError) { try await clock.sleep(for: time) } catch {}
            }
            state.background.nap = nap
            return nap
        }
        await nap?.value
    }
}
