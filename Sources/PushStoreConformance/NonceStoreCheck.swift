import FoundationEssentials
import PushCore
public import PushWebhooks

/// A rule that every store of nonces must follow.
public typealias NonceStoreCheck = StoreCheck<any NonceStore>

extension NonceStoreCheck {
    /// Every check.
    public static var all: [NonceStoreCheck] {
        [
            NonceStoreCheck("a nonce is claimed once until it expires") { store in
                try expect(try await claim(store, "a"), "the first claim")
                try expect(try await !claim(store, "a"), "no second one")
                try expect(try await !claim(store, "a", after: lifetime - 1), "not just before it expires")
            },
            NonceStoreCheck("nonces that differ in case or spaces are different ones") { store in
                for nonce in ["a", "A", "a ", ""] {
                    try expect(try await claim(store, nonce), "\(nonce.debugDescription) is a new one")
                }
            },
            NonceStoreCheck("a released nonce can be claimed again") { store in
                for nonce in ["a", "b"] { try expect(try await claim(store, nonce), "\(nonce) is new") }
                try await store.release("a")
                try await store.release("unknown")
                try expect(try await claim(store, "a", after: 1), "the released one")
                try expect(try await !claim(store, "b", after: 1), "not the other")
            },
            NonceStoreCheck("of several claims at once, one wins") { store in
                let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<claimsAtOnce { group.addTask { try await claim(store, "a") } }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                try expect(wins == 1, "\(wins) of \(claimsAtOnce) won")
            },
        ]
    }

    /// The number of claims at once.
    package static var claimsAtOnce: Int { 16 }
    private static var lifetime: TimeInterval { 300 }

    private static func claim(
        _ store: any NonceStore, _ nonce: String, after time: TimeInterval = 0
    ) async throws -> Bool {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        return try await store.claim(
            nonce, until: now.addingTimeInterval(lifetime), at: now.addingTimeInterval(time))
    }
}
