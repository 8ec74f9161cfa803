public import PushAdapter

/// The authorizer that signs requests, and the tokens if the vendor needs them. Replaced as a whole.
struct Credentials: Sendable {
    let authorizer: any Authorizer
    /// How often they were replaced before.
    let generation: Int
    private let pools: [CredentialScope: TokenPool]
    /// Nil if requests need no token.
    private let origins: OriginTokens?

    /// The scopes that a vendor has once.
    private static let scopes: [CredentialScope] = [.app, .group, .account]

    /// - Parameter transport: closes the connections of a token that was replaced.
    init(
        of provider: any PushProvider, generation: Int = 0, over transport: any HTTPTransport, clock: any PushClock
    ) {
        self.generation = generation
        let authorizer = provider.authorizer
        self.authorizer = authorizer
        let makePool = provider.roles.tokens.map { minting -> @Sendable (CredentialScope) -> TokenPool in
            { scope in
                TokenPool(minting, scope, clock: clock) { old in
                    Signer(authorizer, old).connectionGroup(for: scope).map { transport.retire(group: $0) }
                }
            }
        }
        pools = Dictionary(
            uniqueKeysWithValues: Self.scopes.compactMap { scope in makePool.map { (scope, $0(scope)) } })
        origins = makePool.map { OriginTokens($0) }
    }

    /// The groups of connections for requests that are signed with these.
    var connectionGroups: Set<String> {
        let groups = Self.scopes.compactMap { Signer(authorizer, pools[$0]?.last).connectionGroup(for: $0) }
        let ofOrigins = (origins?.last ?? []).compactMap { Signer(authorizer, $0.token).connectionGroup(for: $0.scope) }
        return Set(groups + ofOrigins)
    }

    /// Returns the pool for one call; nil if requests of the scope need no token. `endUse` must follow.
    func beginUse(of scope: CredentialScope) -> TokenPool? {
        if case .origin = scope { origins?.beginUse(of: scope) } else { pools[scope] }
    }

    func endUse(of scope: CredentialScope) { if case .origin = scope { origins?.endUse(of: scope) } }

    func shutdown() async {
        for pool in pools.values { await pool.shutdown() }
        await origins?.shutdown()
    }
}

/// The authorizer and the token of one attempt. A class, because each layer copies the call that has it.
final class Signer: Sendable {
    let authorizer: any Authorizer
    /// Nil if requests of the scope need no token.
    let token: AccessToken?

    init(_ authorizer: any Authorizer, _ token: AccessToken?) {
        self.authorizer = authorizer
        self.token = token
    }

    /// The group of connections for requests of a scope. A vendor that binds its connections accepts no older token
    /// after a newer one.
    func connectionGroup(for scope: CredentialScope) -> String? {
        guard let group = authorizer.connectionGroup(for: scope) else { return nil }
        return token.map { "\(group)/\($0.connectionName)" } ?? group
    }
}

extension PushClient {
    /// Signs later attempts with the credentials of another provider: a new key, without a restart.
    ///
    /// Requests in flight keep the old credentials; retries use the new ones. The client does not use an access token
    /// of the old ones again, even if the key is the same. Costs no request. Refuses a provider of another vendor or at
    /// another data center with `misconfigured`.
    public func replaceCredentials(with provider: any PushProvider) throws(PushError) {
        guard provider.id == self.provider.id, provider.dataCenter == self.provider.dataCenter else {
            throw PushError(
                .misconfigured,
                "new credentials must be for \(self.provider.id) at the data center "
                    + "\(Redaction.quoted(self.provider.dataCenter.name)); for another, make another client")
        }
        let clock = configuration.clock
        let groups = credentials.withLock { credentials in
            let old = credentials.connectionGroups
            credentials = Credentials(
                of: provider, generation: credentials.generation + 1, over: transport, clock: clock)
            return old.subtracting(credentials.connectionGroups)
        }
        for group in groups { transport.retire(group: group) }
    }

    /// Gives a call its signer, with a valid token where the vendor needs one. A refused token is replaced once.
    nonisolated(nonsending) func signing(
        _ call: AnyCall, next: nonisolated(nonsending) @Sendable (AnyCall) async throws(PushError) -> any Sendable
    ) async throws(PushError) -> any Sendable {
        let scope = try call.exchange.get().credential
        var isRenewed = false
        var outages = 0
        while true {
            let credentials = credentials.withLock { $0 }
            let pool = credentials.beginUse(of: scope)
            defer { credentials.endUse(of: scope) }
            var token: AccessToken?
            do throws(PushError) {
                if let pool { token = try await self.token(of: pool, for: call) }
            } catch {
                guard !areReplaced(credentials) else { continue }
                // A caller with a journal decides about retries.
                guard call.journal == nil else { throw error }
                try await outlast(error, outages, call.operation, within: call.deadline) { call.emit($0) }
                outages += 1
                continue
            }
            do throws(PushError) {
                return try await next(call.signed(by: Signer(credentials.authorizer, token)))
            } catch {
                guard error.retry == .afterRenewal, error.effect == .notApplied, let pool, let token,
                    // A token that expired while the call waited was not refused.
                    case let isExpired = token.expiresAt <= configuration.clock.date,
                    isExpired || !isRenewed && (pool.forget(token) || areReplaced(credentials))
                else { throw error.withoutRenewal }
                isRenewed = isRenewed || !isExpired
            }
        }
    }

    private func areReplaced(_ old: Credentials) -> Bool {
        credentials.withLock { $0.generation } != old.generation
    }

    private func token(of pool: TokenPool, for call: AnyCall) async throws(PushError) -> AccessToken {
        do throws(PushError) {
            return try await pool.token(within: call.deadline) { [weak self] (exchange) throws(PushError) in
                guard let self else { throw PushError(.stopped, "the client is gone") }
                return try await self.runPlanned(exchange, within: self.sharedDeadline())
            }
        } catch {
            throw error.withoutProof("access token", for: call.operation)
        }
    }
}

extension PushError {
    /// The error without advice to renew, because no other token can help. If its connection ends, another connection
    /// may accept the same token.
    fileprivate var withoutRenewal: PushError {
        guard retry == .afterRenewal else { return self }
        var error = self
        error.retry = vendor?.endsConnection == true ? .backoff : .never
        return error
    }

    /// The error of a call that was not sent because a token or key was not available. Whatever happened to the request
    /// for that, nothing else was sent.
    func withoutProof(_ what: String, for operation: Feature) -> PushError {
        PushError(
            kind, "no \(what) was available, so nothing was sent: \(message)",
            // The client has already retried the request for it.
            retry: retry == .backoff ? .exhausted : retry, operation: operation, underlying: self)
    }
}
