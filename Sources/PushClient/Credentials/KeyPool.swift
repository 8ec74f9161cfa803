import FoundationEssentials
import PushCore

/// Idempotency keys that the vendor made, kept ready so that a send does not wait for one.
///
/// One request for keys is under way at a time. It is the pool's: no caller's deadline or cancellation ends it, and all
/// who wait for it share what comes of it.
actor KeyPool {
    /// Asks the vendor for this number of keys.
    typealias Mint = @Sendable (Int) async throws(PushError) -> [IdempotencyKey]

    private let batch: Int
    private let lifetime: Duration
    private let clock: any PushClock
    /// The oldest first; a slice, which gives its first away without moving the others.
    private var keys: ArraySlice<IdempotencyKey> = []
    /// Keys that came before: a vendor that gives one twice would swallow the second message.
    private var seen: Set<String> = []
    private var minting: Task<Void, Never>?
    private var line = WaitingLine()
    private var lastNumber = 0
    /// Requests for keys that have ended, and what the last one failed with.
    private var rounds = 0
    private var lastFailure: PushError?
    /// After a refusal by the vendor, no request is made until then.
    private var restsUntil: Duration?

    init(batch: Int, lifetime: Duration, clock: any PushClock) {
        self.batch = max(1, batch)
        self.lifetime = lifetime
        self.clock = clock
    }

    /// A key that the vendor will remember long enough, or why none can be had.
    ///
    /// Callers who find none wait for one request, and keep half of a call's time for what follows. After a refusal by the
    /// vendor the next five seconds answer at once.
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
                        ? PushError(.cancelled, "cancelled while it waited for an idempotency key")
                        : PushError(.timeout, "no idempotency key came in time", retry: .backoff))
            }
            if rounds == round + 1, let lastFailure { return .failure(lastFailure) }
        }
    }

    /// The oldest key that the vendor will remember long enough, nil when there is none; asks for more before the last.
    func takeReady(_ mint: @escaping Mint) -> IdempotencyKey? {
        while let key = keys.popFirst() {
            guard isUsable(key) else { continue }
            if keys.count <= batch / 4, minting == nil, !isResting { ask(mint) }
            return key
        }
        return nil
    }

    /// Takes a key back that was not used.
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
                // A throttle has paused the quota, which is where the next request waits.
                if error.kind != .rateLimited, error.vendor != nil { restsUntil = clock.elapsed + .seconds(5) }
            }
            minting = nil
            rounds += 1
            line.admitAll()
        }
    }

    /// Keeps new keys, or refuses all of them: a key that is empty or was there before makes no send repeatable.
    private func keep(_ new: [IdempotencyKey]) throws(PushError) {
        let values = Set(new.map(\.value))
        guard !new.isEmpty, values.count == new.count, !values.contains(""), values.isDisjoint(with: seen) else {
            throw PushError(
                .malformedResponse, "the vendor gave no idempotency keys, or an empty or a repeated one",
                effect: .unknown)
        }
        if seen.count > 10_000 { seen = Set(keys.map(\.value)) }
        seen.formUnion(values)
        keys += new
    }

    /// Returns when the request for keys has ended; false when the task was cancelled before.
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
