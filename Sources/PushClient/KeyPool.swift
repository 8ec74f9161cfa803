import FoundationEssentials
import PushCore

/// Idempotency keys that the vendor made, kept ready so that a send does not wait for one.
actor KeyPool {
    /// Asks the vendor for so many keys, within a deadline.
    typealias Mint = @Sendable (Int, Deadline?) async throws(PushError) -> [IdempotencyKey]

    private let batch: Int
    private let lifetime: Duration
    /// The time that a request nobody waits for may take.
    private let patience: Duration
    private let clock: any PushClock
    /// The oldest first; a slice, which gives its first away without moving the others.
    private var keys: ArraySlice<IdempotencyKey> = []
    /// The requests under way, with the elapsed time by which each has ended.
    private var minting: [Int: Duration] = [:]
    private var line = WaitingLine()
    private var lastNumber = 0
    private var refill: Task<Void, Never>?
    private var failure: (error: PushError, until: Duration)?

    init(batch: Int, lifetime: Duration, patience: Duration, clock: any PushClock) {
        self.batch = max(1, batch)
        self.lifetime = lifetime
        self.patience = patience
        self.clock = clock
    }

    /// A key that the vendor will remember long enough, or why none can be had.
    ///
    /// Asks for more before the last is taken. Callers who find none wait for the request that is under way, unless it
    /// may take longer than they have. After a refusal of the vendor the next five seconds answer at once.
    func take(within deadline: Deadline, _ mint: @escaping Mint) async -> Result<IdempotencyKey, PushError> {
        while true {
            if let key = takeReady(mint) { return .success(key) }
            if let failure, hasFailed { return .failure(failure.error) }
            guard minting.values.contains(where: { $0 <= deadline.latest }) else {
                return await ask(mint, within: deadline, until: deadline.latest)
            }
            guard await waitInLine() else {
                return .failure(PushError(.cancelled, "cancelled while it waited for an idempotency key"))
            }
        }
    }

    /// The oldest key that the vendor will remember long enough, nil when there is none; asks for more before the last.
    func takeReady(_ mint: @escaping Mint) -> IdempotencyKey? {
        while let key = keys.popFirst() {
            guard isUsable(key) else { continue }
            if keys.count <= batch / 4, minting.isEmpty, !hasFailed { refillAhead(mint) }
            return key
        }
        return nil
    }

    /// Takes a key back that was not used.
    func giveBack(_ key: IdempotencyKey) { keys.insert(key, at: keys.startIndex) }

    func shutdown() {
        refill?.cancel()
        line.admitAll()
    }

    private var hasFailed: Bool { failure.map { $0.until > clock.elapsed } ?? false }

    private func isUsable(_ key: IdempotencyKey) -> Bool {
        clock.date < min(key.expiresAt, key.mintedAt.addingTimeInterval(lifetime.seconds))
    }

    /// One request for keys: the first is the caller's, the others are kept.
    private func ask(
        _ mint: Mint, within deadline: Deadline?, until end: Duration
    ) async -> Result<IdempotencyKey, PushError> {
        let number = takeNumber()
        minting[number] = end
        defer {
            minting[number] = nil
            line.admitAll()
        }
        do throws(PushError) {
            let new = try await mint(batch, deadline)
            guard let first = new.first else {
                throw PushError(.malformedResponse, "the vendor gave no idempotency key", effect: .unknown)
            }
            keys += new.dropFirst()
            failure = nil
            return .success(first)
        } catch {
            // What ended one caller's request says nothing about the next one's.
            // A throttle has paused the quota, which is where the next one waits.
            if error.kind != .cancelled, error.kind != .rateLimited, error.vendor != nil {
                failure = (error, clock.elapsed + .seconds(5))
            }
            return .failure(error)
        }
    }

    private func refillAhead(_ mint: @escaping Mint) {
        let end = clock.elapsed + patience
        let number = takeNumber()
        minting[number] = end
        refill = Task {
            defer { minting[number] = nil }
            if case .success(let key) = await ask(mint, within: nil, until: end) { keys.append(key) }
        }
    }

    /// Returns when a request for keys has ended; false when the task was cancelled before.
    private func waitInLine() async -> Bool {
        let number = takeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { place in
                if Task.isCancelled { place.resume(returning: false) } else { line.join(number, place) }
            }
        } onCancel: {
            Task { await self.leave(number) }
        }
    }

    private func takeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func leave(_ number: Int) { line.leave(number) }
}
