import PushAdapter

/// A request that callers share: at most one is in flight, and all that wait for it get its outcome.
///
/// It belongs to no caller, so no caller's deadline or cancellation ends it. For five seconds after the vendor refused
/// it, or answered with something that cannot be used, waiting fails at once.
actor SharedRequest {
    /// The request, and whether a caller still needs it.
    struct Work: Sendable {
        /// False when the result is there already. A caller that found none may have looked before another caller's
        /// request ended, so it is asked again here, where no request can end in between.
        let isNeeded: @Sendable () -> Bool
        /// Sends the request and stores the result.
        let send: @Sendable () async throws(PushError) -> Void
    }

    private let clock: any PushClock
    private var running: Task<Void, Never>?
    private var line = WaitingLine()
    private var lastNumber = 0
    /// How many requests have ended.
    private var rounds = 0
    /// The error of the last request, nil if it succeeded.
    private(set) var lastFailure: PushError?
    private var restsUntil: Duration?
    private var isStopped = false

    init(clock: any PushClock) { self.clock = clock }

    /// Starts the request, unless it is not needed, one is in flight or the pause after a refusal is not over.
    func start(_ work: Work) {
        guard running == nil, !isResting, work.isNeeded() else { return }
        running = Task {
            do throws(PushError) {
                try await work.send()
                lastFailure = nil
            } catch {
                lastFailure = error
                // A throttle has paused the quota, so the next request waits there.
                let isRefusal = error.vendor != nil || error.kind == .malformedResponse
                if error.kind != .rateLimited, isRefusal { restsUntil = clock.elapsed + .seconds(5) }
            }
            running = nil
            rounds += 1
            line.admitAll().resume()
        }
    }

    /// Waits for the request in flight, or for a new one if it is needed; throws its error, `timeout` or `cancelled`.
    /// - Parameter what: the result of the request, for the messages.
    func finish(within deadline: Deadline, bringing what: String, _ work: Work) async throws(PushError) {
        if isResting, let lastFailure { throw lastFailure }
        start(work)
        guard running != nil else { return }
        let (round, start) = (rounds, clock.elapsed)
        deadline.giveBackPlace()
        let hasEnded = await waiting(atMost: deadline.latest - start, on: clock) { await self.waitInLine(round) }
        guard !isStopped else {
            throw PushError(.stopped, "the client was shut down while the call waited for \(what)")
        }
        guard hasEnded, await deadline.takePlace() else {
            throw deadline.interruption(PushError(.timeout, "\(what) did not arrive in time", retry: .backoff))
        }
        if rounds == round + 1, let lastFailure { throw lastFailure }
    }

    func shutdown() {
        isStopped = true
        running?.cancel()
        line.admitAll().resume()
    }

    private var isResting: Bool { restsUntil.map { $0 > clock.elapsed } ?? false }

    /// Returns true when the request has ended or the client was shut down, false when the task was cancelled first.
    private func waitInLine(_ round: Int) async -> Bool {
        guard rounds == round, !isStopped else { return true }
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

    private func leave(_ number: Int) { line.leave(number).resume() }
}
