public import PushCore

/// Executes calls to one push vendor: plans, checks, signs, sends, repeats what is safe, and reports.
///
/// ```swift
/// let client = PushClient(provider, transport: try CurlTransport())
/// let report = try await client.send(Message(notification: Notification(body: "Hello")), to: .everyone)
/// await client.shutdown()
/// ```
///
/// A client is shared by all tasks of a process: quotas, retry budget and idempotency keys are per client.
public final class PushClient: Sendable {
    /// The vendor's adapter, which encodes the requests and reads the answers.
    public let provider: any PushProvider
    /// The settings that the client was made with; they stay the same for its life.
    public let configuration: ClientConfiguration
    /// What this client can do: what the provider does natively and what the client emulates.
    public let capabilities: Capabilities

    /// Asked for once: a provider may make them anew each time.
    let roles: Roles
    /// What the client makes from other calls, by the feature.
    let emulations: [Feature: Emulation]
    /// Which targets the provider takes.
    let targetRules: TargetRules
    private let transport: any HTTPTransport
    private let attempt: Attempt
    private let guarding: GuardLayer
    private let retrying: RetryLayer
    private let metering: QuotaLayer
    private let gate = ShutdownGate()
    private let waits: Waits
    let deviceLocks = SubjectLocks()
    /// Keys for pushes and for schedules, which vendors keep apart.
    let keyPools: [IdempotencyKey.Kind: KeyPool]
    let keysPerMint: Int

    /// - Parameters:
    ///   - provider: the vendor.
    ///   - transport: shut down together with the client.
    ///   - configuration: how the client behaves.
    public init(
        _ provider: any PushProvider, transport: any HTTPTransport,
        configuration: ClientConfiguration = ClientConfiguration()
    ) {
        self.provider = provider
        self.configuration = configuration
        self.transport = transport
        roles = provider.roles
        emulations = Emulation.possible(with: provider.capabilities, hasLedger: configuration.ledger != nil)
        var capabilities = provider.capabilities
        for emulation in emulations.values { capabilities.support[emulation.feature] = .emulated(emulation.recipe) }
        self.capabilities = capabilities
        targetRules = TargetRules(capabilities.limits)
        waits = Waits(clock: configuration.clock)
        keysPerMint = max(
            1, min(configuration.keysPerMint, provider.capabilities.limits[.keysPerMint]?.maximum ?? .max))
        let (batch, lifetime) = (keysPerMint, configuration.keyLifetime)
        keyPools = Dictionary(
            uniqueKeysWithValues: [IdempotencyKey.Kind.push, .schedule].map { kind in
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
            policy: policy, budget: RetryBudget(policy), waits: waits, clock: configuration.clock,
            random: configuration.random)
        metering = QuotaLayer(
            ledger: QuotaLedger(provider.capabilities.quotas), minimumIntervals: provider.capabilities.minimumInterval,
            writeDelay: provider.capabilities.writeDelay,
            throttledPause: policy.throttledBase, waits: waits, clock: configuration.clock)
    }

    /// The calls that wait now, for a quota, a minimum interval or the next try, in the order in which they go on.
    public var waitingCalls: [WaitingCall] { waits.current }

    /// Executes one exchange, an adapter's extra call for example, with everything the client does for its own calls.
    ///
    /// Costs one request for each try. Refuses an operation that the provider does not declare with `unsupported`.
    public func run<Output: Sendable>(_ exchange: Exchange<Output>) async throws(PushError) -> Output {
        try await run(Call(exchange, provider: provider.id, isChecked: false, deadline: newDeadline()))
    }

    /// Answers requests that are under way with `cancelled`, refuses new calls with `stopped`, and shuts the transport
    /// down. A call that waits for a quota or before a retry ends with `stopped` when it wakes; cancel its task to end
    /// it at once.
    public func shutdown() async {
        gate.close()
        for pool in keyPools.values { await pool.shutdown() }
        await transport.shutdown()
    }

    /// Executes an exchange whose inputs were checked when it was planned.
    func run<Output: Sendable>(
        planned exchange: Exchange<Output>, within deadline: Deadline
    ) async throws(PushError) -> Output {
        try await run(Call(exchange, provider: provider.id, isChecked: true, deadline: deadline))
    }

    /// Lets a refusal pass the layers as a call of its own.
    func refuse<Output: Sendable>(_ operation: Feature, _ refusal: PushError) async throws(PushError) -> Output {
        try await run(Call(refused: refusal, operation, provider: provider.id, deadline: newDeadline()))
    }

    private func run<Output: Sendable>(_ call: Call<Output>) async throws(PushError) -> Output {
        try await invoke(call, configuration.layers[...])
    }

    private func invoke<Output: Sendable>(
        _ call: Call<Output>, _ rest: ArraySlice<any CallLayer>
    ) async throws(PushError) -> Output {
        guard let layer = rest.first else { return try await execute(call) }
        return try await layer.intercept(call) { (call) async throws(PushError) in
            try await self.invoke(call, rest.dropFirst())
        }
    }

    /// The layers that every client has, outermost first.
    private func execute<Output: Sendable>(_ call: Call<Output>) async throws(PushError) -> Output {
        try await guarding.intercept(call) { (call) async throws(PushError) in
            try await self.retrying.intercept(call) { (call) async throws(PushError) in
                try await self.metering.intercept(call) { (call) async throws(PushError) in
                    try await self.attempt(call)
                }
            }
        }
    }
}

extension PushClient {
    /// The deadline of one public call.
    func newDeadline() -> Deadline { Deadline(after: configuration.deadline, clock: configuration.clock) }

    /// The deadline of one request out of many that are planned together: known waits move it, up to the end of all.
    func partDeadline(until end: Duration) -> Deadline {
        let clock = configuration.clock
        return Deadline(
            after: min(configuration.deadline, end - clock.elapsed), clock: clock, movableUntil: end)
    }

    /// Throws `stopped` after the client was shut down.
    func checkOpen() throws(PushError) {
        guard gate.isOpen else { throw PushError(.stopped, "the client was shut down") }
    }

    /// Throws `unsupported` for a feature that the client does not have, or whose losses the caller did not accept.
    func require(_ feature: Feature) throws(PushError) {
        switch capabilities[feature] {
        case .native: return
        case .unsupported(let reason):
            throw PushError(.unsupported, "\(provider.id) cannot do \(feature): \(reason)", operation: feature)
        case .emulated(let recipe):
            // Who gives the client a ledger wants it asked.
            guard
                recipe.fidelity == .faithful || emulations[feature]?.way == .ledger
                    || configuration.acceptedLosses.contains(feature)
            else {
                throw PushError(
                    .unsupported,
                    "\(provider.id) has no \(feature) of its own; to accept an emulation that loses something "
                        + "(\(recipe.caveat)), add it to acceptedLosses",
                    operation: feature)
            }
        }
    }

    /// The provider's limits, which its capabilities have.
    var limits: Limits { capabilities.limits }
}
