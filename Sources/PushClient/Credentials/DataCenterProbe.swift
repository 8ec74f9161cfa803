public import PushCore

/// Finds the data center of an app key by asking: one read-only call to each center of a list that the caller allows.
///
/// This is a policy of this library that a caller opts into, not a rule of any vendor. A probe shows the app key, and
/// the credentials that go with it, to every center on the list; leave out the centers that must not see them.
///
/// Each key is asked for once: concurrent callers share the answer, which is kept. A failure is not kept.
public actor DataCenterProbe: DataCenterResolver {
    /// Makes the provider to ask a center with; a center for which it throws counts as one that could not be asked.
    public typealias MakeProvider = @Sendable (DataCenter) throws(PushError) -> any PushProvider

    private enum Verdict: Sendable {
        case accepted
        case refused
        case unanswered(PushError)
    }

    private let allowed: [String]
    private let transport: any HTTPTransport
    private let configuration: ClientConfiguration
    private let makeProvider: MakeProvider
    private var answers: [String: Task<Result<DataCenterResolution, PushError>, Never>] = [:]

    /// - Parameters:
    ///   - allowed: names or aliases of the centers that may be asked; nothing else is.
    ///   - transport: not shut down by the probe.
    ///   - configuration: clock, deadline and layers of the calls it makes.
    ///   - provider: makes the provider of the vendor at a center, with the credentials to try.
    public init(
        allowed: [String], transport: any HTTPTransport, configuration: ClientConfiguration = ClientConfiguration(),
        provider: @escaping MakeProvider
    ) {
        self.allowed = allowed
        self.transport = transport
        self.configuration = configuration
        makeProvider = provider
    }

    /// Costs one request for each allowed center, the first time a key is asked for. A caller that is cancelled still
    /// waits for the answer that others share.
    ///
    /// Throws `misconfigured` when every center refuses the key, or when several accept it; `transport` when none
    /// accepts and some could not be asked, because the key may live there.
    public func resolve(
        key: String, in catalog: DataCenterCatalog
    ) async throws(PushError) -> DataCenterResolution {
        if let running = answers[key] { return try await running.value.get() }
        let task = Task { await self.ask(catalog) }
        answers[key] = task
        let result = await task.value
        if case .failure = result { answers[key] = nil }
        return try result.get()
    }

    private func ask(_ catalog: DataCenterCatalog) async -> Result<DataCenterResolution, PushError> {
        do throws(PushError) {
            guard !allowed.isEmpty else {
                throw PushError(.misconfigured, "the probe may ask no data center; name those it may ask")
            }
            var centers: [DataCenter] = []
            for name in allowed {
                let center = try catalog.named(name)
                // A name and its alias are one center.
                if !centers.contains(center) { centers.append(center) }
            }
            let questions = centers.map { center in (center, Task { await self.ask(center) }) }
            var verdicts: [DataCenter: Verdict] = [:]
            for (center, question) in questions { verdicts[center] = await question.value }
            return .success(try conclude(centers, verdicts))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated func ask(_ center: DataCenter) async -> Verdict {
        do throws(PushError) {
            let provider = try makeProvider(center)
            guard let probe = try provider.roles.probe?() else {
                throw PushError(.unsupported, "\(provider.id) has no call that only checks credentials")
            }
            // A client of one question: the shared transport must outlive it, so it is not shut down.
            var configuration = configuration
            configuration.retry = .none
            let client = PushClient(provider, transport: transport, configuration: configuration)
            try await client.run(probe)
            return .accepted
        } catch {
            let isRefusal = [PushError.Kind.unauthorized, .misconfigured].contains(error.kind)
            return isRefusal && error.vendor != nil ? .refused : .unanswered(error)
        }
    }

    private func conclude(
        _ centers: [DataCenter], _ verdicts: [DataCenter: Verdict]
    ) throws(PushError) -> DataCenterResolution {
        var accepting: [DataCenter] = []
        var unanswered: [String] = []
        var cause: PushError?
        for center in centers {
            switch verdicts[center] {
            case .accepted: accepting.append(center)
            case .refused, nil: continue
            case .unanswered(let error):
                unanswered.append(center.name)
                cause = error
            }
        }
        func names(_ centers: [DataCenter]) -> String { centers.map(\.name).joined(separator: ", ") }
        if let found = accepting.first {
            guard accepting.count == 1 else {
                throw PushError(
                    .misconfigured, "several data centers accept the key (\(names(accepting))); name the one to use")
            }
            return DataCenterResolution(dataCenter: found, grade: .confirmed)
        }
        guard unanswered.isEmpty else {
            throw PushError(
                .transport,
                "no data center accepted the key, and \(unanswered.joined(separator: ", ")) could not be asked",
                retry: .backoff, underlying: cause)
        }
        throw PushError(
            .misconfigured, "every data center asked refused the key (\(names(centers))); check key, secret and list")
    }
}
