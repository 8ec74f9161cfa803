import FoundationEssentials
import PushCore

/// Vendor-made idempotency keys, kept ready so that a send does not wait for one.
actor KeyPool {
    /// Requests this number of keys from the vendor.
    typealias Mint = @Sendable (Int) async throws(PushError) -> [IdempotencyKey]

    private let batch: Int
    private let lifetime: Duration
    private let clock: any PushClock
    private let request: SharedRequest
    /// Oldest first; a slice, so that taking the first does not move the others.
    private var keys: ArraySlice<IdempotencyKey> = []
    /// Keys seen before: a vendor that issues one twice would swallow the second message.
    private var seen: Set<String> = []

    init(batch: Int, lifetime: Duration, clock: any PushClock) {
        self.batch = max(1, batch)
        self.lifetime = lifetime
        self.clock = clock
        request = SharedRequest(clock: clock)
    }

    /// Returns a key that the vendor will remember long enough, or why there is none.
    ///
    /// A caller that finds no key waits for one request, and keeps half of its time for what follows.
    func take(within deadline: Deadline, _ mint: @escaping Mint) async -> Result<IdempotencyKey, PushError> {
        let patience = deadline.half()
        while true {
            if let ready = takeReady() {
                if ready.isLow { await refillSoon(mint) }
                return .success(ready.key)
            }
            do throws(PushError) {
                try await request.finish(within: patience, bringing: "an idempotency key", refill(mint))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Returns the oldest key that the vendor will remember long enough, and whether it is time to request more; nil if there
    /// is none. Many requests may be in flight before the one for keys is answered, so the time comes early.
    func takeReady() -> (key: IdempotencyKey, isLow: Bool)? {
        while let key = keys.popFirst() {
            if isUsable(key) { return (key, keys.count <= batch * 3 / 4) }
        }
        return nil
    }

    /// Requests more keys, unless that is under way.
    func refillSoon(_ mint: @escaping Mint) async { await request.start(refill(mint)) }

    /// Takes back an unused key.
    func giveBack(_ key: IdempotencyKey) { keys.insert(key, at: keys.startIndex) }

    func shutdown() async { await request.shutdown() }

    private func isUsable(_ key: IdempotencyKey) -> Bool {
        clock.date < min(key.expiresAt, key.mintedAt.addingTimeInterval(lifetime.seconds))
    }

    private func refill(_ mint: @escaping Mint) -> SharedRequest.Work {
        { [batch] () throws(PushError) in try await self.keep(try await mint(batch)) }
    }

    /// Keeps new keys, or refuses all of them: an empty or repeated key does not make a send safe to retry.
    private func keep(_ new: [IdempotencyKey]) throws(PushError) {
        let values = Set(new.map(\.value))
        guard !new.isEmpty, values.count == new.count, !values.contains(""), values.isDisjoint(with: seen),
            new.contains(where: isUsable)
        else {
            throw PushError(
                .malformedResponse, "the vendor returned no usable idempotency keys, or an empty or a repeated one",
                effect: .unknown)
        }
        if seen.count > 10_000 { seen = Set(keys.map(\.value)) }
        seen.formUnion(values)
        keys += new
    }
}
