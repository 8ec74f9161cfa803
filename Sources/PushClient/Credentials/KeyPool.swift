import FoundationEssentials
import PushAdapter

/// Vendor-made idempotency keys, kept ready so that a send does not wait for one.
///
/// A lock protects it, not an actor: every send takes a key, and a switch to an actor costs as much as the rest.
final class KeyPool: Sendable {
    /// Requests this number of keys from the vendor.
    typealias Mint = @Sendable (Int) async throws(PushError) -> [IdempotencyKey]

    /// A key, with its age by the clock that cannot be set.
    private struct Kept {
        let key: IdempotencyKey
        let mintedAt: Duration

        init(_ key: IdempotencyKey, _ clock: any PushClock) {
            self.key = key
            mintedAt = clock.elapsed - .seconds(max(0, clock.date.timeIntervalSince(key.mintedAt)))
        }

        /// The key with its dates on the clock as it is now.
        func dated(_ clock: any PushClock) -> IdempotencyKey {
            let minted = clock.date.addingTimeInterval(-(clock.elapsed - mintedAt).seconds)
            let life = key.expiresAt.timeIntervalSince(key.mintedAt)
            return IdempotencyKey(
                key.value, kind: key.kind, mintedAt: minted, expiresAt: minted.addingTimeInterval(life))
        }
    }

    private struct State {
        /// Oldest first; a slice, so that taking the first does not move the others.
        var keys: ArraySlice<Kept> = []
        /// Keys seen before: a vendor that issues one twice would swallow the second message.
        var seen: Set<String> = []
    }

    private let batch: Int
    private let lifetime: Duration
    private let clock: any PushClock
    private let request: SharedRequest
    private let state = Locked(State())

    init(batch: Int, lifetime: Duration, clock: any PushClock) {
        self.batch = max(1, batch)
        self.lifetime = lifetime
        self.clock = clock
        request = SharedRequest(clock: clock)
    }

    /// Returns a key that the vendor will remember long enough, or why there is none.
    ///
    /// A caller that finds no key waits for one request, and keeps half of its time for the rest of the call.
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

    /// Returns the oldest key that the vendor will remember long enough, and whether it is time to request more; nil if
    /// there is none. Many sends may start before the request for keys is answered, so the time comes early.
    func takeReady() -> (key: IdempotencyKey, isLow: Bool)? {
        state.withLock { state in
            while let key = state.keys.popFirst()?.dated(clock) {
                if isUsable(key) { return (key, isLow(state)) }
            }
            return nil
        }
    }

    /// Requests more keys, unless a request is in flight.
    func refillSoon(_ mint: @escaping Mint) async { await request.start(refill(mint)) }

    /// Takes back an unused key.
    func giveBack(_ key: IdempotencyKey) { state.withLock { $0.keys.insert(Kept(key, clock), at: $0.keys.startIndex) } }

    func shutdown() async { await request.shutdown() }

    private func isUsable(_ key: IdempotencyKey) -> Bool {
        clock.date < min(key.expiresAt, key.mintedAt.addingTimeInterval(lifetime.seconds))
    }

    private func isLow(_ state: State) -> Bool { state.keys.count <= batch * 3 / 4 }

    private func refill(_ mint: @escaping Mint) -> SharedRequest.Work {
        .init {
            self.state.withLock { self.isLow($0) }
        } send: { [batch] () throws(PushError) in
            try self.keep(try await mint(batch))
        }
    }

    /// Keeps new keys, or refuses all of them: an empty or repeated key does not make a send safe to retry.
    private func keep(_ new: [IdempotencyKey]) throws(PushError) {
        let values = Set(new.map(\.value))
        let areGood = state.withLock { state in
            guard !new.isEmpty, values.count == new.count, !values.contains(""), values.isDisjoint(with: state.seen),
                values.allSatisfy(\.isShortEnough),
                new.contains(where: isUsable)
            else { return false }
            if state.seen.count > 10_000 { state.seen = Set(state.keys.map(\.key.value)) }
            state.seen.formUnion(values)
            // Keeps no more keys than it requested.
            state.keys += new.prefix(batch).map { Kept($0, clock) }
            return true
        }
        guard areGood else {
            throw PushError(
                .malformedResponse,
                "the vendor returned no usable idempotency keys, or an empty, a repeated or an overlong one",
                effect: .unknown)
        }
    }
}
