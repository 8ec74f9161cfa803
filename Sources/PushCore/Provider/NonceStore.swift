public import FoundationEssentials

/// Remembers the nonces of calls that were believed, so that nobody can have the same call believed twice.
///
/// A backend on several machines shares one among them, a table of a database for example: a call can be replayed to
/// another machine as well.
public protocol NonceStore: Sendable {
    /// Takes a nonce that need not be remembered longer than until a moment; false when it was taken before. Throws
    /// when the store cannot be reached: the call is then refused with 503, and the vendor makes it again.
    func claim(_ nonce: String, until expiry: Date, at now: Date) async throws -> Bool
    /// Gives a nonce back, for a call that could not be dealt with and is to come again.
    func release(_ nonce: String) async throws
}

/// Nonces in the memory of one process: as many as calls are believed within the time that each is remembered.
public actor MemoryNonceStore: NonceStore {
    private var expiries: [String: Date] = [:]
    /// When to look for expired ones again, so that each claim does not look at all.
    private var nextSweep = Date.distantPast

    /// A store that remembers nothing yet.
    public init() {}

    /// How many nonces it holds, those included that it will forget at one of the next claims.
    public var count: Int { expiries.count }

    public func claim(_ nonce: String, until expiry: Date, at now: Date) -> Bool {
        if now >= nextSweep {
            expiries = expiries.filter { $0.value >= now }
            nextSweep = now.addingTimeInterval(max(1, expiry.timeIntervalSince(now) / 2))
        }
        if let old = expiries[nonce], old >= now { return false }
        expiries[nonce] = expiry
        return true
    }

    public func release(_ nonce: String) { expiries[nonce] = nil }
}
