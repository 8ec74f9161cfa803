import PushClient
import PushCore

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
