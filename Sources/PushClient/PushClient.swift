public import PushAdapter

/// Calls one push vendor: plans, checks, signs and sends requests, retries if that is safe, and reports.
///
/// ```swift
/// let client = PushClient(provider, transport: try CurlTransport())
/// let report = try await client.send(Message(notification: Notification(body: "Hello")), to: .everyone)
/// await client.shutdown()
/// ```
///
/// Share one client among all tasks of a process: quotas, retry budget and idempotency keys are per client.
public final class PushClient: Sendable {
    /// The vendor's adapter, which encodes requests and decodes responses.
    public let provider: any PushProvider
    /// The client's settings, fixed when it is made.
    public let configuration: ClientConfiguration
    /// The capabilities of this client: the provider's native ones and the emulations.
    public let capabilities: Capabilities

    /// Read once: a provider may make new ones on each access.
    let roles: Roles
    /// The emulations of this client, by feature.
    let emulations: [Feature: Emulation]
    /// Which targets the provider accepts.
    let targetRules: TargetRules
    /// The credentials that sign requests now.
    let credentials: Locked<Credentials>
    let transport: any HTTPTransport
    private let attempt: Attempt
    private let guarding: GuardLayer
    private let retrying: RetryLayer
    private let metering: QuotaLayer
    let gate = ShutdownGate()
    let waits: Waits
    let deviceLocks = SubjectLocks()
    let messageIDs: MessageIDs
    /// The last message that this client can send.
    let checkedMessage = MessageMemo<Void>()
    /// The encoding of the last message.
    let encodedMessage = MessageMemo<Roles.SendRequest>()
    /// State of other modules that lives as long as the client.
    package let attachments = Attachments()
    /// Places for the requests of sends to lists, at a vendor that takes one target per request.
    let window: SendWindow
    /// Keys for pushes and for schedules, which vendors keep apart.
    let keyPools: [KeyedRequest: KeyPool]
    let keysPerMint: Int
    /// The keying of a slice at a vendor without keys.
    let withoutKeys: SliceReport.Keying
    /// Where the client encodes, sends and decodes calls: on the transport's thread, unless a layer of the caller would
    /// run there.
    let executor: (any TaskExecutor)?

    /// - Parameters:
    ///   - provider: the vendor.
    ///   - transport: shut down together with the client.
    ///   - configuration: how the client behaves.
    public init(
        _ provider: any PushProvider, transport: any HTTPTransport,
        configuration: ClientConfiguration = ClientConfiguration()
    ) {
        self.provider = provider
        let configuration = configuration.bounded
        self.configuration = configuration
        self.transport = transport
        roles = provider.roles
        credentials = Locked(Credentials(of: provider, over: transport, clock: configuration.clock))
        emulations = Emulation.possible(with: provider.capabilities, hasLedger: configuration.ledger != nil)
        var capabilities = provider.capabilities
        for emulation in emulations.values { capabilities.support[emulation.feature] = .emulated(emulation.recipe) }
        self.capabilities = capabilities
        targetRules = TargetRules(capabilities, of: provider.id, refusing: roles.refusal)
        // An eighth of the transport stays free for calls that are not lists.
        let places = [provider.capabilities.concurrency, transport.concurrency.map { $0 - max(1, $0 / 8) }]
        window = SendWindow(size: places.compactMap { $0 }.min() ?? 100)
        withoutKeys = .unkeyed("\(provider.id) has no idempotency keys")
        executor = configuration.layers.isEmpty ? transport.executor : nil
        waits = Waits(clock: configuration.clock)
        messageIDs = MessageIDs(configuration.random)
        keysPerMint = max(
            1, min(configuration.keysPerMint, provider.capabilities.limits[.keysPerMint]?.maximum ?? .max))
        let (batch, lifetime) = (keysPerMint, configuration.keyLifetime)
        keyPools = Dictionary(
            uniqueKeysWithValues: [KeyedRequest.push, .schedule].map { kind in
                let pool = KeyPool(
                    batch: kind == .push ? batch : min(batch, 10), lifetime: lifetime, clock: configuration.clock)
                return (kind, pool)
            })
        attempt = Attempt(
            provider: provider, transport: transport, gate: gate, timeout: configuration.attemptTimeout,
            clock: configuration.clock)
        let policy = configuration.retry
        guarding = GuardLayer(capabilities: provider.capabilities, gate: gate)
        retrying = RetryLayer(
            policy: policy, leastWaits: provider.capabilities.leastWaits.mapValues(\.bounded),
            budget: RetryBudget(policy), waits: waits, clock: configuration.clock,
            random: configuration.random)
        metering = QuotaLayer(
            ledger: QuotaLedger(provider.capabilities.quotas),
            shared: configuration.sharedQuota.map { [clock = configuration.clock, gate] in
                SharedQuotaLanes($0, provider.capabilities.quotas, clock: clock, gate: gate)
            }, minimumIntervals: provider.capabilities.minimumInterval.mapValues(\.bounded),
            writeDelay: provider.capabilities.writeDelay.mapValues(\.bounded),
            throttledPause: policy.throttledBase,
            leastWait: provider.capabilities.leastWaits[.rateLimited]?.bounded, waits: waits,
            clock: configuration.clock)
    }

    /// The features that `acceptedLosses` may name; sorted.
    package var acceptableLosses: [Feature] {
        (capabilities.lossyEmulations + (canClearFirst ? [.replaceTags] : [])).sorted()
    }

    /// Whether the client can clear and add tags where the vendor's own replacement does something else with a set. A vendor
    /// that lists tags has better ways.
    var canClearFirst: Bool {
        let natives: [Feature] = [.replaceTags, .clearTags, .addTags]
        return capabilities[.readTags] != .native && natives.allSatisfy { capabilities[$0] == .native }
    }

    /// The calls that are waiting for a quota, a minimum interval or a retry, in the order in which they resume.
    public var waitingCalls: [WaitingCall] { waits.current }

    /// Runs one exchange, such as an adapter's extra call, the way the client runs its own calls.
    ///
    /// Costs one request per attempt. Refuses with `unsupported` an operation that the provider does not declare.
    public func run<Output: Sendable>(_ exchange: Exchange<Output>) async throws(PushError) -> Output {
        try await admitted(exchange.operation) { () async throws(PushError) in
            try await runCall(Call(exchange, provider: provider.id, isChecked: false, deadline: newDeadline()))
        }
    }

    /// Refuses new calls with `stopped`, gives calls in flight time to finish, and shuts down the transport.
    ///
    /// A call still in flight then fails with `cancelled`, or with `stopped` if it waits for anything.
    /// Cancelling the calling task ends the draining at once.
    /// - Parameter time: how long calls in flight may continue; zero by default.
    public func shutdown(draining time: Duration = .zero) async {
        gate.drain()
        let clock = configuration.clock
        let end = clock.elapsed + time.bounded
        while gate.isBusy, clock.elapsed < end {
            do { try await clock.sleep(for: min(.milliseconds(20), end - clock.elapsed)) } catch { break }
        }
        gate.close()
        window.close()
        await deviceLocks.close()
        for pool in keyPools.values { await pool.shutdown() }
        await credentials.withLock { $0 }.shutdown()
        await transport.shutdown()
    }

    /// Runs a public call, which is in flight until it ends.
    nonisolated(nonsending) func admitted<Output: Sendable>(
        _ operation: Feature, _ body: nonisolated(nonsending) () async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        guard gate.enter() else {
            return try await refuse(operation, ShutdownGate.refusal)
        }
        defer { gate.leave() }
        return try await body()
    }

    /// Executes an exchange whose inputs were checked when it was planned.
    nonisolated(nonsending) func runPlanned<Output: Sendable>(
        _ exchange: Exchange<Output>, within deadline: Deadline, journal: Journal? = nil
    ) async throws(PushError) -> Output {
        try await runCall(
            Call(exchange, provider: provider.id, isChecked: true, deadline: deadline, journal: journal))
    }

    /// Passes a refusal through the layers as a call of its own.
    nonisolated(nonsending) func refuse<Output: Sendable>(_ operation: Feature, _ refusal: PushError)
        async throws(PushError) -> Output
    {
        try await runCall(Call(refused: refusal, operation, provider: provider.id, deadline: newDeadline()))
    }

    private nonisolated(nonsending) func runCall<Output: Sendable>(_ call: Call<Output>) async throws(PushError)
        -> Output
    {
        guard let executor, !executor.isCurrent else { return try await invoke(call, configuration.layers[...]) }
        return try await withTaskExecutorPreference(executor) { () async throws(PushError) in
            try await invoke(call, configuration.layers[...])
        }
    }

    private nonisolated(nonsending) func invoke<Output: Sendable>(
        _ call: Call<Output>, _ rest: ArraySlice<any CallLayer>
    ) async throws(PushError) -> Output {
        guard let layer = rest.first else { return try await execute(call) }
        return try await layer.intercept(call) { (call) async throws(PushError) in
            try await self.invoke(call, rest.dropFirst())
        }
    }

    private nonisolated(nonsending) func execute<Output: Sendable>(_ call: Call<Output>) async throws(PushError)
        -> Output
    {
        guard let output = try await execute(call.erased) as? Output else {
            throw PushError(
                .malformedResponse, "the response is not of the type \(Output.self)", effect: .unknown,
                operation: call.operation)
        }
        return output
    }

    /// The layers that every client has, outermost first.
    private nonisolated(nonsending) func execute(_ call: AnyCall) async throws(PushError) -> any Sendable {
        try await guarding.intercept(call) { (call) async throws(PushError) in
            try await self.retrying.intercept(call) { (call) async throws(PushError) in
                try await self.signing(call) { (call) async throws(PushError) in
                    try await self.metering.intercept(call) { (call) async throws(PushError) in
                        try await self.attempt(call)
                    }
                }
            }
        }
    }
}

extension PushClient {
    /// The deadline of one public call.
    func newDeadline() -> Deadline { Deadline(after: configuration.deadline, clock: configuration.clock, gate: gate) }

    /// The deadline of one request of a planned call. A wait with a known end extends it, up to the end of the call.
    func partDeadline(
        until end: Duration, _ place: WindowPlace? = nil, outlastsOutages: Bool = false
    ) -> Deadline {
        let clock = configuration.clock
        return Deadline(
            after: min(configuration.deadline, end - clock.elapsed), clock: clock, gate: gate, movableUntil: end,
            place: place, outlastsOutages: outlastsOutages)
    }

    /// Waits before a further call of an operation. Throws `cancelled`, or `stopped` once the client is shut down.
    package func wait(
        _ time: Duration, for operation: Feature, on clock: any PushClock
    ) async throws(PushError) {
        do throws(PushError) {
            try await Deadline(after: .zero, clock: clock, gate: gate).wait(time, isKnown: true)
        } catch {
            var error = error
            error.operation = operation
            throw error
        }
    }

    /// Throws `stopped` after shutdown.
    func checkOpen() throws(PushError) {
        guard gate.takesCalls else { throw ShutdownGate.refusal }
    }

    /// Throws `unsupported` for a feature that the client does not have, or whose losses the caller did not accept.
    func require(_ feature: Feature) throws(PushError) {
        switch capabilities[feature] {
        case .native: return
        case .unsupported(let reason):
            throw PushError(.unsupported, "\(provider.id) cannot do \(feature): \(reason)", operation: feature)
        case .emulated(let recipe):
            // Giving the client a ledger is consent to use it.
            guard
                recipe.fidelity == .faithful || emulations[feature]?.way == .ledger
                    || configuration.acceptedLosses.contains(feature)
            else {
                throw PushError(
                    .unsupported,
                    "\(provider.id) has no native \(feature); to accept a lossy emulation (\(recipe.caveat)), "
                        + "add it to acceptedLosses",
                    operation: feature)
            }
        }
    }

    /// The provider's limits.
    var limits: Limits { capabilities.limits }
}

extension TaskExecutor {
    /// Whether the current task prefers it already.
    fileprivate var isCurrent: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }
}
