import FoundationEssentials
import PushCore

/// Idempotency keys that the vendor made, kept ready so that a send does not wait for one.
actor KeyPool {
    typealias Mint = @Sendable (Int) async throws(PushError) -> [IdempotencyKey]

    private let batch: Int
    private let lifetime: Duration
    private let clock: any PushClock
    private var keys: [IdempotencyKey] = []
    private var refill: Task<Result<Void, PushError>, Never>?
    private var failure: (error: PushError, until: Duration)?

    init(batch: Int, lifetime: Duration, clock: any PushClock) {
        self.batch = max(1, batch)
        self.lifetime = lifetime
        self.clock = clock
    }

    /// A key that the vendor will remember long enough, or why none can be had.
    ///
    /// Asks for more before the last is taken; callers who find none wait for one common request. After a failure the
    /// next five seconds answer at once.
    func take(_ mint: @escaping Mint) async -> Result<IdempotencyKey, PushError> {
        for _ in 0..<4 {
            keys.removeAll { !isUsable($0) }
            if keys.count <= batch / 4, refill == nil, !hasFailed { startRefill(mint) }
            if !keys.isEmpty { return .success(keys.removeFirst()) }
            if let refill {
                if case .failure(let error) = await refill.value { return .failure(error) }
            } else if let failure {
                return .failure(failure.error)
            }
        }
        return .failure(PushError(.busy, "other sends took every idempotency key", retry: .backoff))
    }

    func shutdown() { refill?.cancel() }

    private var hasFailed: Bool { failure.map { $0.until > clock.elapsed } ?? false }

    private func isUsable(_ key: IdempotencyKey) -> Bool {
        clock.date < min(key.expiresAt, key.mintedAt.addingTimeInterval(lifetime.seconds))
    }

    private func startRefill(_ mint: @escaping Mint) {
        let count = batch
        refill = Task {
            do throws(PushError) {
                finishRefill(.success(try await mint(count)))
                return .success(())
            } catch {
                finishRefill(.failure(error))
                return .failure(error)
            }
        }
    }

    private func finishRefill(_ result: Result<[IdempotencyKey], PushError>) {
        refill = nil
        switch result {
        case .success(let new):
            keys += new
            failure = nil
        case .failure(let error): failure = (error, clock.elapsed + .seconds(5))
        }
    }
}
