import PushAdapter
import PushClient

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

    /// Registers the device through its host and reports the result; then connects and reports that. A stop that ends
    /// the registration cancels both; a result after the stop is reported as stopped.
    /// - Returns: the tasks that register and connect.
    func start(
        _ request: DeviceStart, known: DeviceID?, onResult: @escaping @Sendable (DeviceSession.ServiceEvent) -> Void
    ) -> [Task<Void, Never>] {
        followHost()
        return withState { state in
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
                    isRegistered.withLock { $0 = succeeded(registration, generation, onResult) }
                } catch {
                    failed(error, generation, number, onResult)
                }
            }
            // The next start or stop does not wait for this task: connecting may take as long as the device is offline.
            let connecting = Task { [self, work] in
                await registering.value
                defer { withState { $0.starting[number] = nil } }
                guard let host = work.host, isRegistered.withLock({ $0 }) else { return }
                do throws(PushError) {
                    // A stop in the meantime may already have stopped the device.
                    if withState({ $0.generation == generation }) { try await host.connect() }
                    connected(nil, generation, onResult)
                } catch {
                    connected(SessionFault(error, about: .service), generation, onResult)
                }
            }
            state.starting[number] = [registering, connecting]
            return [registering, connecting]
        }
    }

    private func succeeded(
        _ registration: DeviceRegistration, _ generation: Int,
        _ onResult: @Sendable (DeviceSession.ServiceEvent) -> Void
    ) -> Bool {
        withState { state in
            guard state.generation == generation else {
                onResult(.failed(Self.stopped(.service)))
                return false
            }
            register(registration, &state)
            onResult(.registered(registration))
            // Without a host, nothing else reports a connection.
            if work.host == nil { noteConnection(state) }
            return true
        }
    }

    private func failed(
        _ error: PushError, _ generation: Int, _ number: Int,
        _ onResult: @Sendable (DeviceSession.ServiceEvent) -> Void
    ) {
        withState { state in
            guard state.generation == generation else { return onResult(.failed(Self.stopped(.service))) }
            let fault = SessionFault(error, about: .service)
            // Another call may have registered the device in the meantime, or be about to.
            if case .running = state.registration, number == state.lastStart {
                state.registration = .failed(error)
                flush(.failure(fault), &state)
            }
            onResult(.failed(fault))
        }
    }

    private func connected(
        _ fault: SessionFault?, _ generation: Int, _ onResult: @Sendable (DeviceSession.ServiceEvent) -> Void
    ) {
        withState { state in
            let fault = state.generation == generation ? fault : Self.stopped(.service)
            onResult(fault.map(DeviceSession.ServiceEvent.disconnected) ?? .connected)
            if fault == nil { noteConnection(state) }
        }
    }

    /// Marks the device as registered, which counts as connected: it was registered elsewhere.
    func register(_ device: DeviceID) {
        withState { state in
            register(DeviceRegistration(device: device), &state)
            noteConnection(state)
        }
    }

    // MARK: Connections

    func observeConnections(_ observer: @escaping @Sendable () -> Void) {
        followHost()
        withState { $0.connectionObservers.append(observer) }
    }

    /// Follows the host's new connections, as long as the gate exists.
    private func followHost() {
        let isNew = withState { state in
            defer { state.followsHost = true }
            return !state.followsHost
        }
        guard isNew, let host = work.host else { return }
        host.onReconnection { [weak self] in self?.reconnected() }
    }

    private func reconnected() {
        withState { state in
            guard !state.isStopped, case .done = state.registration else { return }
            noteConnection(state)
        }
    }

    private func noteConnection(_ state: State) {
        for observer in state.connectionObservers { observer() }
    }

    // MARK: Registration

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

    /// Refuses calls from now on and drops the background update. If the SDK has a stop call, stopping also ends the
    /// registration and the service on the device. Otherwise only the session stops, and the device goes on.
    func stop(onResult: @escaping Deliver<Void>) -> Task<Void, Never> {
        withState { state in
            state.isStopped = true
            endBackground(&state, Self.stopped(.tags))
            guard rules.stoppingEndsRegistration else {
                onResult(.success(()))
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
                withState { _ in onResult(fault.map { .failure($0) } ?? .success(())) }
            }
        }
    }

    func resume() { withState { $0.isStopped = false } }

    func observe(_ observer: @escaping @Sendable (DeviceRegistration) -> Void) {
        withState { $0.observers.append(observer) }
    }

    /// Delivers the device's id, as soon as a running registration has ended.
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

    /// Changes the icon after earlier calls about the badge. Ignores errors: the icon concerns only the device.
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
                .unsupported, about: .service, .unsupported, "\(rules.name) does not poll for messages")
        }
        guard interval >= polling.shortest else {
            throw SessionFault(
                .outOfRange, about: .service, .invalidArgument,
                "the interval \(interval) is shorter than the minimum, \(polling.shortest)")
        }
        try withState { (state) throws(SessionFault) in
            guard case .none = state.registration, !state.isStopped else {
                throw SessionFault(
                    .outOfOrder, about: .service, .invalidState, "set the interval before you start the service")
            }
            state.polling = interval
        }
    }
}
