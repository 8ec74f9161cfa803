public import FoundationEssentials
import PushAdapter

/// Remembers the nonces of verified calls, so that a receiver can reject replays.
///
/// A backend on several machines shares one store among them, for example a database table, because a call can also be
/// replayed to another machine. `NonceStoreCheck` of the module PushStoreConformance checks your own.
public protocol NonceStore: Sendable {
    /// Claims a nonce and remembers it at least until `expiry`; returns false when it was claimed before. Throws when
    /// the store cannot be reached: the receiver then refuses the call with 503, and the vendor retries it.
    func claim(_ nonce: String, until expiry: Date, at now: Date) async throws -> Bool
    /// Releases the nonce of a call that could not be processed and should come again.
    func release(_ nonce: String) async throws
}

extension NonceStore {
    /// Claims the nonce of a verified call. Refuses a replay with 409, and answers 503 if the store cannot be reached.
    package func claimOnce(_ nonce: String, until expiry: Date, at now: Date) async throws(WebhookRefusal) {
        let isNew: Bool
        do {
            isNew = try await claim(nonce, until: expiry, at: now)
        } catch {
            throw WebhookRefusal(status: 503, "the nonce store cannot be reached")
        }
        guard isNew else { throw .replayed }
    }

    /// Releases the nonce of an answer, if it has one.
    package func release(_ answer: WebhookAnswer) async throws {
        if let nonce = answer.nonce { try await release(nonce) }
    }
}

/// Nonces in the memory of one process: one for each call that was verified within the lifetime of a nonce.
public actor MemoryNonceStore: NonceStore {
    private var expiries: [String: Date] = [:]
    /// When to remove expired nonces again, so that not every claim scans all of them.
    private var nextSweep = Date.distantPast

    /// An empty store.
    public init() {}

    /// The number of nonces it holds, including expired ones that a later claim will remove.
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
