public import FoundationEssentials

/// Remembers the nonces of calls that were believed, so that nobody can have the same call believed twice.
///
/// A backend on several machines shares one among them: a call can be replayed to another machine as well.
public protocol NonceStore: Sendable {
    /// Takes a nonce that need not be remembered longer than until a moment; false when it was taken before.
    func claim(_ nonce: String, until expiry: Date, at now: Date) -> Bool
    /// Gives a nonce back, for a call that could not be dealt with and is to come again.
    func release(_ nonce: String)
}

/// Nonces in memory: as many as calls are believed within the time that each is remembered.
public final class MemoryNonceStore: NonceStore {
    private struct State {
        var expiries: [String: Date] = [:]
        /// In the order they were taken, to be forgotten in.
        var line: ArraySlice<String> = []
    }

    private let state = Locked(State())

    /// A store that remembers nothing yet.
    public init() {}

    /// How many nonces it holds, those included that it may forget at the next claim.
    public var count: Int { state.withLock { $0.expiries.count } }

    public func claim(_ nonce: String, until expiry: Date, at now: Date) -> Bool {
        state.withLock { state in
            while let first = state.line.first, state.expiries[first].map({ $0 < now }) ?? true {
                state.line.removeFirst()
                state.expiries[first] = nil
            }
            guard state.expiries[nonce].map({ $0 < now }) ?? true else { return false }
            if state.expiries.updateValue(expiry, forKey: nonce) == nil { state.line.append(nonce) }
            return true
        }
    }

    public func release(_ nonce: String) { state.withLock { $0.expiries[nonce] = nil } }
}
