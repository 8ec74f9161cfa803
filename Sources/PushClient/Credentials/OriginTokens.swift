import PushAdapter

/// The access tokens for requests to one origin each: a pool for every `CredentialScope.origin(_:key:)`, made at first
/// use.
///
/// Targets bring their origins, so there is no end of them. Of more than 1,024 pools, the one that was unused for the
/// longest time leaves. A pool in use stays, so there are more only while more origins have requests in flight.
final class OriginTokens: Sendable {
    fileprivate struct Entry {
        let pool: TokenPool
        /// How many calls use it now.
        var users = 0
        /// The number of its last use, counted over all pools.
        var lastUse = 0
    }

    fileprivate struct State {
        var entries: [CredentialScope: Entry] = [:]
        var lastUse = 0
    }

    /// The most pools that are kept.
    private static let most = 1024

    private let state = Locked(State())
    private let makePool: @Sendable (CredentialScope) -> TokenPool

    init(_ makePool: @escaping @Sendable (CredentialScope) -> TokenPool) { self.makePool = makePool }

    /// Returns the scope's pool, for one call; `endUse` must follow.
    func beginUse(of scope: CredentialScope) -> TokenPool {
        let (pool, left) = state.withLock { state in
            let left = state.entries[scope] == nil ? state.makeRoom(below: Self.most) : []
            state.lastUse += 1
            var entry = state.entries[scope] ?? Entry(pool: makePool(scope))
            entry.users += 1
            entry.lastUse = state.lastUse
            state.entries[scope] = entry
            return (entry.pool, left)
        }
        for one in left { one.drop() }
        return pool
    }

    func endUse(of scope: CredentialScope) { state.withLock { $0.entries[scope]?.users -= 1 } }

    /// The last token of each pool.
    var last: [(scope: CredentialScope, token: AccessToken)] {
        state.withLock { $0.entries }.compactMap { scope, entry in entry.pool.last.map { (scope, $0) } }
    }

    func shutdown() async { for entry in state.withLock({ $0.entries }).values { await entry.pool.shutdown() } }
}

extension OriginTokens.State {
    /// Removes unused pools, those of the oldest use first, until there is room for one more.
    fileprivate mutating func makeRoom(below most: Int) -> [TokenPool] {
        var left: [TokenPool] = []
        while entries.count >= most,
            let oldest = entries.lazy.filter({ $0.value.users == 0 }).min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[oldest.key] = nil
            left.append(oldest.value.pool)
        }
        return left
    }
}
