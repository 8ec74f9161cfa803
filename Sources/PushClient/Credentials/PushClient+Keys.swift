import FoundationEssentials
import PushAdapter

extension PushClient {
    /// Makes one request, with an idempotency key if possible, and returns whether it has one.
    ///
    /// A request that the adapter refuses costs no key and waits for none. The client gives a ready key back. Before it
    /// requests a key, it makes the request without one.
    /// - Parameters:
    ///   - isRequired: refuses to send without a key, where the provider has keys.
    ///   - name: the key, where callers make keys; nil makes a random one.
    ///   - firstUsedAt: when the name was first used, if that was earlier.
    ///   - make: makes the request with a key or without.
    nonisolated(nonsending) func keyed<Output>(
        _ kind: KeyedRequest, for operation: Feature, within deadline: Deadline, isRequired: Bool,
        name: String? = nil, firstUsedAt: Date? = nil,
        _ make: (IdempotencyKey?) throws(PushError) -> Exchange<Output>
    ) async -> (exchange: Result<Exchange<Output>, PushError>, keying: SliceReport.Keying) {
        var keying = SliceReport.Keying.unkeyed("nothing was sent")
        do throws(PushError) {
            if let memory = capabilities.callerKeys[kind] {
                return (.success(try make(callerKey(kind, name, memory.duration, firstUsedAt))), .keyed)
            }
            guard roles.mintKeys != nil, let pool = keyPools[kind] else {
                return (.success(try make(nil)), withoutKeys)
            }
            let mint = mint(for: operation)
            if let ready = pool.takeReady() {
                let exchange: Exchange<Output>
                do throws(PushError) {
                    exchange = try make(ready.key)
                } catch {
                    pool.giveBack(ready.key)
                    throw error
                }
                if ready.isLow { await pool.refillSoon(mint) }
                return (.success(exchange), .keyed)
            }
            let unkeyed = try make(nil)
            var outages = 0
            while true {
                switch await pool.take(within: deadline, mint) {
                case .success(let key): return (.success(try make(key)), .keyed)
                case .failure(let error) where error.kind == .unsupported:
                    return (.success(unkeyed), .unkeyed("\(provider.id) has no idempotency keys for \(operation)"))
                case .failure(let error):
                    keying = .unkeyed("no key was available: \(error.kind)")
                    guard isRequired || error.kind == .cancelled else { return (.success(unkeyed), keying) }
                    let outage = error.withoutProof("idempotency key", for: operation)
                    try await outlast(outage, outages, operation, within: deadline)
                    outages += 1
                }
            }
        } catch {
            return (.failure(error), keying)
        }
    }

    /// Makes a key in this process. It is as good as a vendor's key as long as no other caller makes the same one.
    ///
    /// The last attempt must arrive before the vendor forgets the key, so the key expires a tenth earlier.
    private func callerKey(
        _ kind: KeyedRequest, _ name: String?, _ life: Duration, _ firstUsedAt: Date?
    ) -> IdempotencyKey {
        let now = configuration.clock.date
        return IdempotencyKey(
            name ?? SendContext(at: now, key: nil, id: messageIDs.next()).id, kind: kind, mintedAt: now,
            expiresAt: (firstUsedAt ?? now).addingTimeInterval(life.seconds * 0.9), firstUsedAt: firstUsedAt)
    }

    func mint(for operation: Feature) -> KeyPool.Mint {
        { [weak self] count throws(PushError) in
            guard let self else { throw PushError(.stopped, "the client is gone") }
            let exchange = try await self.decide(.mintKeys) { () throws(PushError) in
                try self.request(.mintKeys, try self.roles.mintKeys?(count, operation))
            }
            return try await self.runPlanned(exchange, within: self.sharedDeadline())
        }
    }
}

extension PushClient {
    /// The deadline of a request that callers share, so that no caller's deadline ends it. It gets half the time of a
    /// call, because waiting callers still have to send. While the quota is paused, it gets as long as any of them may
    /// wait.
    func sharedDeadline() -> Deadline {
        let clock = configuration.clock
        return Deadline(
            after: configuration.deadline / 2, clock: clock, gate: gate,
            movableUntil: clock.elapsed + configuration.plannedDeadline)
    }
}
