public import PushAdapter

/// Finds an app key's data center with one read-only call to each center on the caller's allow-list.
///
/// Probing is opt-in and this library's own policy, not a vendor's rule. It sends the app key and its credentials to
/// every center on the list; leave out centers that must not see them.
///
/// The probe resolves each key once: concurrent callers share the result, which is cached. A failure is not cached.
public actor DataCenterProbe: DataCenterResolver {
    /// Makes the provider that probes a center. If it throws, the center counts as not probed.
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
    ///   - allowed: names or aliases of the centers to probe; it calls no others.
    ///   - transport: the probe does not shut it down.
    ///   - configuration: clock, deadline and layers of the calls it makes.
    ///   - provider: makes the vendor's provider at a center, with the credentials to try.
    public init(
        allowed: [String], transport: any HTTPTransport, configuration: ClientConfiguration = ClientConfiguration(),
        provider: @escaping MakeProvider
    ) {
        self.allowed = allowed
        self.transport = transport
        self.configuration = configuration
        makeProvider = provider
    }

    /// Resolves a key. Costs one request for each allowed center the first time. A cancelled caller still waits for the
    /// result that others share.
    ///
    /// Throws `misconfigured` when every center refuses the key or several accept it. Throws `transport` when none
    /// accepts and some could not be probed, because the key may live there.
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
                throw PushError(.misconfigured, "the probe has no data center to call; name those it may call")
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
            // A client for one call. It is not shut down, because the shared transport must outlive it.
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
                "no data center accepted the key, and \(unanswered.joined(separator: ", ")) could not be probed",
                retry: .backoff, underlying: cause)
        }
        throw PushError(
            .misconfigured, "every probed data center refused the key (\(names(centers))); check key, secret and list")
    }
}
