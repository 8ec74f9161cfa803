import FoundationEssentials
import PushAdapter

extension PushClient {
    /// Makes one request, with an idempotency key if possible, and returns whether it has one.
    ///
    /// A request that the adapter refuses costs no key and waits for none. The client gives a ready key back. Before it
    /// requests a key, it makes the request without one.
    /// - Parameters:
    ///   - isRequired: refuses to send without a key, where the provider has keys.
    ///   - own: the key, where callers make keys; nil makes a random one.
    ///   - make: makes the request with a key or without.
    nonisolated(nonsending) func keyed<Output>(
        _ kind: KeyedRequest, for operation: Feature, within deadline: Deadline, isRequired: Bool,
        own: IdempotencyKey? = nil,
        _ make: (IdempotencyKey?) throws(PushError) -> Exchange<Output>
    ) async -> (exchange: Result<Exchange<Output>, PushError>, keying: SliceReport.Keying) {
        var keying = SliceReport.Keying.unkeyed("nothing was sent")
        do throws(PushError) {
            if let memory = capabilities.callerKeys[kind] {
                return try self.keying(of: try make(own ?? callerKey(kind, memory)), isRequired: isRequired)
            }
            guard roles.mintKeys != nil, let pool = keyPools[kind] else {
                return (.success(try make(nil)), withoutKeys)
            }
            let mint = mint(for: operation)
            if let ready = pool.takeReady() {
                let keyed: (exchange: Result<Exchange<Output>, PushError>, keying: SliceReport.Keying)
                do throws(PushError) {
                    keyed = try self.keying(of: try make(ready.key), isRequired: isRequired)
                } catch {
                    pool.giveBack(ready.key)
                    throw error
                }
                if ready.isLow { await pool.refillSoon(mint) }
                return keyed
            }
            let unkeyed = try make(nil)
            var outages = 0
            while true {
                switch await pool.take(within: deadline, mint) {
                case .success(let key): return try self.keying(of: try make(key), isRequired: isRequired)
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

    /// A request that was given a key, and whether it carries it. Throws if it must and does not.
    func keying<Output>(
        of exchange: Exchange<Output>, isRequired: Bool = false
    ) throws(PushError) -> (exchange: Result<Exchange<Output>, PushError>, keying: SliceReport.Keying) {
        guard case .keyed(let key) = exchange.idempotency else {
            let reason = "this request cannot carry an idempotency key"
            guard !isRequired else {
                throw PushError(
                    .unsupported, "\(reason), and requiresKeys asks for one", operation: exchange.operation)
            }
            return (.success(exchange), .unkeyed(reason))
        }
        return (.success(exchange), .keyed(key.grade))
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
