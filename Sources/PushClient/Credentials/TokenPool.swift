import FoundationEssentials
import PushAdapter

/// The access token of one scope: made once for all callers, and renewed before it expires.
final class TokenPool: Sendable {
    /// Gets a token from the vendor.
    typealias Fetch = @Sendable (Exchange<AccessToken>) async throws(PushError) -> AccessToken

    /// A refused token younger than this is not replaced: the vendor would refuse the next one as well.
    private static let leastAge: Duration = .seconds(5)

    /// No server accepts a longer header.
    private static let mostBytes = 16 << 10

    private let minting: TokenMinting
    private let scope: CredentialScope
    private let clock: any PushClock
    private let request: SharedRequest
    private let current = Locked<AccessToken?>(nil)
    private let onReplaced: @Sendable (AccessToken) -> Void

    /// - Parameter onReplaced: gets each token that a newer one has replaced.
    init(
        _ minting: TokenMinting, _ scope: CredentialScope, clock: any PushClock,
        onReplaced: @escaping @Sendable (AccessToken) -> Void = { _ in }
    ) {
        self.minting = minting
        self.onReplaced = onReplaced
        self.scope = scope
        self.clock = clock
        request = SharedRequest(clock: clock)
    }

    /// Returns a token that has not expired. A caller that finds none waits for one request or signature. It keeps half
    /// of its time for the rest of the call; a planned send keeps all of it.
    func token(within deadline: Deadline, _ fetch: @escaping Fetch) async throws(PushError) -> AccessToken {
        if let token = valid {
            if isDue(token) { await request.start(renewal(fetch)) }
            return token
        }
        let start = clock.elapsed
        // Also after a failure, because a list outlasts one.
        defer { deadline.extend(by: clock.elapsed - start) }
        try await request.finish(within: deadline.half(), bringing: "an access token", renewal(fetch))
        guard let token = valid else {
            // A caller that is woken late finds the outcome of a later request.
            if let failure = await request.lastFailure { throw failure }
            // The token was valid when it arrived, so the next one may live longer.
            throw PushError(
                .malformedResponse, "the vendor returned an access token that has expired already", retry: .backoff)
        }
        return token
    }

    /// Forgets a token that the vendor refused, unless another call has replaced it. Returns false for a token so new
    /// that the vendor would refuse the next one as well.
    func forget(_ refused: AccessToken) -> Bool {
        let (mayRenew, isForgotten) = current.withLock { token in
            guard token == refused else { return (true, false) }
            let age = max(Self.leastAge, minting.minimumInterval).seconds
            guard clock.date >= refused.mintedAt.addingTimeInterval(age) else { return (false, false) }
            token = nil
            return (true, true)
        }
        if isForgotten { onReplaced(refused) }
        return mayRenew
    }

    /// Forgets the token of a pool that no call uses any more.
    func drop() {
        let old = current.withLock { token in
            defer { token = nil }
            return token
        }
        if let old { onReplaced(old) }
    }

    func shutdown() async { await request.shutdown() }

    /// The last token, whether it is valid or not; nil before the first, and after a refusal.
    var last: AccessToken? { current.withLock { $0 } }

    private var valid: AccessToken? {
        let now = clock.date
        // A token from the future was made before the clock was set back, so its times are wrong.
        return current.withLock { token in
            token.flatMap { $0.expiresAt > now && $0.mintedAt <= now.addingTimeInterval(60) ? $0 : nil }
        }
    }

    private func isDue(_ token: AccessToken) -> Bool {
        let life = token.expiresAt.timeIntervalSince(token.mintedAt)
        let rest = min(minting.renewalMargin.seconds, life / 2)
        return clock.date >= token.expiresAt.addingTimeInterval(-rest)
            && clock.date >= token.mintedAt.addingTimeInterval(minting.minimumInterval.seconds)
    }

    private func renewal(_ fetch: @escaping Fetch) -> SharedRequest.Work {
        .init {
            self.valid.map { self.isDue($0) } ?? true
        } send: { [self] () throws(PushError) in
            let token: AccessToken
            switch try minting.mint(scope, clock.date) {
            case .made(let made): token = made
            case .fetched(let exchange):
                // A request that needs a token would wait for itself.
                guard exchange.credential == .none else {
                    throw PushError(.invalidState, "the adapter's request for a token must have the scope none")
                }
                token = try await fetch(exchange)
            }
            guard !token.value.isEmpty, token.value.count <= Self.mostBytes, token.expiresAt > clock.date else {
                throw PushError(
                    .malformedResponse,
                    "the vendor returned an empty access token, an overlong one, or one that has expired already",
                    effect: .unknown)
            }
            let old = current.withLock { current in
                defer { current = token }
                return current
            }
            if let old, old != token { onReplaced(old) }
        }
    }
}
