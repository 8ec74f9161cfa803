import PushCore

/// What became of the wish for an idempotency key.
enum TakenKey {
    case key(IdempotencyKey)
    /// The vendor has no keys; says so for the report.
    case unavailable(String)
    case failed(PushError)
}

extension PushClient {
    /// A key for one call, from the pool of its kind or from the vendor.
    /// - Parameter check: called before the vendor is asked, to refuse what would not be sent with the key either.
    func takeKey(
        _ kind: IdempotencyKey.Kind, for operation: Feature, within deadline: Deadline,
        check: @escaping @Sendable () throws(PushError) -> Void = {}
    ) async -> TakenKey {
        guard let minting = roles.keyMinting, let pool = keyPools[kind] else {
            return .unavailable("\(provider.id) has no idempotency keys")
        }
        let taken = await pool.take(within: deadline) { [weak self] count, deadline throws(PushError) in
            guard let self else { throw PushError(.stopped, "the client is gone") }
            try check()
            return try await self.run(.mintKeys, deadline: deadline) { () throws(PushError) in
                try minting.mintKeys(count, for: operation)
            }
        }
        switch taken {
        case .success(let key): return .key(key)
        case .failure(let error) where error.kind == .unsupported:
            return .unavailable("\(provider.id) has no idempotency keys for \(operation)")
        case .failure(let error): return .failed(error)
        }
    }
}

extension PushError {
    /// The error of a call that was not made because it had no key. Whatever became of the request for keys: nothing else
    /// was sent.
    func withoutKey(for operation: Feature) -> PushError {
        PushError(
            kind, "no idempotency key could be had, so nothing was sent: \(message)", retry: retry,
            operation: operation,
            underlying: self)
    }
}
