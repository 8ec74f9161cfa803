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
    func takeKey(_ kind: IdempotencyKey.Kind, for operation: Feature, within deadline: Deadline) async -> TakenKey {
        guard let pool = keyPool(kind) else { return .unavailable("\(provider.id) has no idempotency keys") }
        switch await pool.take(within: deadline, mint(for: operation)) {
        case .success(let key): return .key(key)
        case .failure(let error) where error.kind == .unsupported:
            return .unavailable("\(provider.id) has no idempotency keys for \(operation)")
        case .failure(let error): return .failed(error)
        }
    }

    /// A key that is at hand, nil when one would cost a request. `giveBack` returns one that was not used.
    func takeReadyKey(_ kind: IdempotencyKey.Kind, for operation: Feature) async -> IdempotencyKey? {
        await keyPool(kind)?.takeReady(mint(for: operation))
    }

    func giveBack(_ key: IdempotencyKey) async { await keyPool(key.kind)?.giveBack(key) }

    private func keyPool(_ kind: IdempotencyKey.Kind) -> KeyPool? { roles.keyMinting == nil ? nil : keyPools[kind] }

    private func mint(for operation: Feature) -> KeyPool.Mint {
        { [weak self] count, deadline throws(PushError) in
            guard let self else { throw PushError(.stopped, "the client is gone") }
            return try await self.run(.mintKeys, deadline: deadline) { () throws(PushError) in
                try self.role(\.keyMinting, for: .mintKeys).mintKeys(count, for: operation)
            }
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
