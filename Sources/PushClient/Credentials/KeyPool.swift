import FoundationEssentials
import PushCore

/// Vendor-made idempotency keys, kept ready so that a send does not wait for one.
///
/// At most one request for keys is in flight. The pool owns it: no caller's deadline or cancellation ends it, and all
/// callers that wait for it share its result.
actor KeyPool {
    /// Requests this number of keys from the vendor.
    typealias Mint = @Sendable (Int) async throws(PushError) -> [IdempotencyKey]

    private let batch: Int
    private let lifetime: Duration
    private let clock: any PushClock
    /// Oldest first; a slice, so that taking the first does not move the others.
    private var keys: ArraySlice<IdempotencyKey> = []
    /// Keys seen before: a vendor that issues one twice would swallow the second message.
    private var seen: Set<String> = []
    private var minting: Task<Void, Never>?
    private var line = WaitingLine()
    private var lastNumber = 0
    /// How many requests for keys have ended, and the error of the last one.
    private var rounds = 0
    private var lastFailure: PushError?
    /// After a refusal, or keys that cannot be used, the pool makes no request until then.
    private var restsUntil: Duration?

    init(batch: Int, lifetime: Duration, clock: any PushClock) {
        self.batch = max(1, batch)
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Returns a key that the vendor will remember long enough, or why there is none.
    ///
    /// A caller that finds no key waits for one request, and keeps half of its time for what follows. For five seconds
    /// after the vendor refused or gave unusable keys, the pool fails at once.
    func take(within deadline: Deadline, _ mint: @escaping Mint) async -> Result<IdempotencyKey, PushError> {
        let patience = deadline.half()
        while true {
            if let key = takeReady(mint) { return .success(key) }
            if isResting, let lastFailure { return .failure(lastFailure) }
            if minting == nil { ask(mint) }
            let (round, start) = (rounds, clock.elapsed)
            guard await waiting(atMost: patience.latest - start, on: clock, { await self.waitInLine(round) }) else {
                return .failure(
                    Task.isCancelled
                        ? PushError(.cancelled, "cancelled while waiting for an idempotency key")
                        : PushError(.timeout, "no idempotency key arrived in time", retry: .backoff))
            }
            if rounds == round + 1, let lastFailure { return .failure(lastFailure) }
        }
    }

    /// Returns the oldest key that the vendor will remember long enough, or nil. Requests more before the last is gone.
    func takeReady(_ mint: @escaping Mint) -> IdempotencyKey? {
        while let key = keys.popFirst() {
            guard isUsable(key) else { continue }
            if keys.count <= batch / 4, minting == nil, !isResting { ask(mint) }
            return key
        }
        return nil
    }

    /// Takes back an unused key.
    func giveBack(_ key: IdempotencyKey) { keys.insert(key, at: keys.startIndex) }

    func shutdown() {
        minting?.cancel()
        line.admitAll()
    }

    private var isResting: Bool { restsUntil.map { $0 > clock.elapsed } ?? false }

    private func isUsable(_ key: IdempotencyKey) -> Bool {
        clock.date < min(key.expiresAt, key.mintedAt.addingTimeInterval(lifetime.seconds))
    }

    private func ask(_ mint: @escaping Mint) {
        minting = Task {
            do throws(PushError) {
                try keep(try await mint(batch))
                lastFailure = nil
            } catch {
                lastFailure = error
                // A throttle has paused the quota, so the next request waits there.
                let isRefusal = error.vendor != nil || error.kind == .malformedResponse
                if error.kind != .rateLimited, isRefusal { restsUntil = clock.elapsed + .seconds(5) }
            }
            minting = nil
            rounds += 1
            line.admitAll()
        }
    }

    /// Keeps new keys, or refuses all of them: an empty or repeated key does not make a send safe to retry.
    private func keep(_ new: [IdempotencyKey]) throws(PushError) {
        let values = Set(new.map(\.value))
        guard !new.isEmpty, values.count == new.count, !values.contains(""), values.isDisjoint(with: seen) else {
            throw PushError(
                .malformedResponse, "the vendor returned no idempotency keys, or an empty or a repeated one",
                effect: .unknown)
        }
        if seen.count > 10_000 { seen = Set(keys.map(\.value)) }
        seen.formUnion(values)
        keys += new
    }

    /// Returns true when the request for keys has ended, false when the task was cancelled first.
    private func waitInLine(_ round: Int) async -> Bool {
        guard rounds == round else { return true }
        lastNumber += 1
        let number = lastNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { place in
                if Task.isCancelled { place.resume(returning: false) } else { line.join(number, place) }
            }
        } onCancel: {
            Task { await self.leave(number) }
        }
    }

    private func leave(_ number: Int) { line.leave(number) }
}
