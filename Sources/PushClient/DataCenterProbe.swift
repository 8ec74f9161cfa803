public import PushCore

/// Finds the data centre of an app key by asking: one read-only call to each centre of a list that the caller allows.
///
/// This is a policy of this library that a caller opts into, not a rule of any vendor. A probe shows the app key, and
/// the credentials that go with it, to every centre on the list; leave out the centres that must not see them.
///
/// Each key is asked for once: concurrent callers share the answer, which is kept. A failure is not kept.
public actor DataCenterProbe: DataCenterResolver {
    /// Makes the provider to ask a centre with; a centre for which it throws counts as one that could not be asked.
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
    ///   - allowed: names or aliases of the centres that may be asked; nothing else is.
    ///   - transport: not shut down by the probe.
    ///   - configuration: clock, deadline and layers of the calls it makes.
    ///   - provider: makes the provider of the vendor at a centre, with the credentials to try.
    public init(
        allowed: [String], transport: any HTTPTransport, configuration: ClientConfiguration = ClientConfiguration(),
        provider: @escaping MakeProvider
    ) {
        self.allowed = allowed
        self.transport = transport
        self.configuration = configuration
        makeProvider = provider
    }

    /// Costs one request for each allowed centre, the first time a key is asked for. A caller that is cancelled still
    /// waits for the answer that others share.
    ///
    /// Throws `misconfigured` when every centre refuses the key, or when several accept it; `transport` when none
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
                throw PushError(.misconfigured, "the probe may ask no data centre; name those it may ask")
            }
            var centres: [DataCenter] = []
            for name in allowed {
                let centre = try catalog.named(name)
                // A name and its alias are one centre.
                if !centres.contains(centre) { centres.append(centre) }
            }
            let questions = centres.map { centre in (centre, Task { await self.ask(centre) }) }
            var verdicts: [DataCenter: Verdict] = [:]
            for (centre, question) in questions { verdicts[centre] = await question.value }
            return .success(try conclude(centres, verdicts))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated func ask(_ centre: DataCenter) async -> Verdict {
        do throws(PushError) {
            let provider = try makeProvider(centre)
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
            let isRefusal = [PushError.Kind.unauthorised, .misconfigured].contains(error.kind)
            return isRefusal && error.vendor != nil ? .refused : .unanswered(error)
        }
    }

    private func conclude(
        _ centres: [DataCenter], _ verdicts: [DataCenter: Verdict]
    ) throws(PushError) -> DataCenterResolution {
        var accepting: [DataCenter] = []
        var unanswered: [String] = []
        var cause: PushError?
        for centre in centres {
            switch verdicts[centre] {
            case .accepted: accepting.append(centre)
            case .refused, nil: continue
            case .unanswered(let error):
                unanswered.append(centre.name)
                cause = error
            }
        }
        func names(_ centres: [DataCenter]) -> String { centres.map(\.name).joined(separator: ", ") }
        if let found = accepting.first {
            guard accepting.count == 1 else {
                throw PushError(
                    .misconfigured, "several data centres accept the key (\(names(accepting))); name the one to use")
            }
            return DataCenterResolution(dataCenter: found, grade: .confirmed)
        }
        guard unanswered.isEmpty else {
            throw PushError(
                .transport,
                "no data centre accepted the key, and \(unanswered.joined(separator: ", ")) could not be asked",
                retry: .backoff, underlying: cause)
        }
        throw PushError(
            .misconfigured, "every data centre asked refused the key (\(names(centres))); check key, secret and list")
    }
}
