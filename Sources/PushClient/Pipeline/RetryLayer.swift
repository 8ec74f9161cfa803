import FoundationEssentials
import PushAdapter

/// Retries a call when that is safe and useful.
///
/// | | not applied | unknown |
/// |---|---|---|
/// | idempotent | retry if advised | retry if advised |
/// | keyed, of a grade of the policy | retry if advised | retry with the same key while the key lives |
/// | keyed, of another grade | retry if advised | never |
/// | unkeyed | retry if advised | never |
///
/// The layer waits for a throttle whose end is known, unless the policy retries nothing. Such a wait takes no attempt
/// and nothing from the budget, and the deadline of a planned request moves. If the throttle is about one target, its
/// wait takes both. If that target also brought its own address, the deadline stays, because a stranger may have chosen
/// the host.
///
/// A request that the server says it did not process takes an attempt, and nothing from the budget.
struct RetryLayer {
    let policy: RetryPolicy
    /// The vendor's least wait after errors of a kind.
    let leastWaits: [PushError.Kind: Duration]
    let budget: RetryBudget
    let waits: Waits
    let clock: any PushClock
    let random: RandomSource

    nonisolated(nonsending) func intercept(
        _ call: AnyCall, next: nonisolated(nonsending) @Sendable (AnyCall) async throws(PushError) -> any Sendable
    ) async throws(PushError) -> any Sendable {
        var number = 1
        /// How many of the attempts count.
        var attempt = 1
        var effect = call.journal?.mayHaveActed == true ? PushError.Effect.unknown : .notApplied
        while true {
            do throws(PushError) {
                let output = try await next(call.numbered(number, after: effect))
                budget.deposit(policy)
                return output
            } catch let failure {
                var error = failure
                // A later attempt that did nothing says nothing about an earlier one that may have done something.
                if error.effect == .notApplied { error.effect = effect }
                effect = error.effect
                // Who keeps a journal decides about retries, and notes them.
                guard call.journal == nil else { throw error }
                let isFree = try await wait(after: error, of: call, attempt: attempt, number: number)
                number += 1
                if !isFree { attempt += 1 }
            }
        }
    }

    /// Waits until the call may be sent again, or throws the error if the call must not be. Returns whether the attempt
    /// is free. Not inlined: its frame would stay in memory for as long as each request.
    @inline(never)
    private func wait(
        after error: PushError, of call: AnyCall, attempt: Int, number: Int
    ) async throws(PushError) -> Bool {
        let delay = policy.delay(after: attempt, error, atLeast: leastWaits[error.kind] ?? .zero, random: random)
        let isKnown = isKnown(error, of: call)
        let isFree = isKnown && error.effect == .notApplied && policy.attempts > 1 && error.vendor?.verdict == nil
        try check(error, of: call, attempt: attempt, isFree: isFree, delay: delay)
        call.emit(.retrying(attempt: number + 1, delay: delay, cause: error.kind))
        do throws(PushError) {
            try await waits.wait(
                delay, for: .retry(error.kind), isKnown: isKnown, call.operation, within: call.deadline)
        } catch let interruption {
            throw interrupted(interruption, after: error)
        }
        return isFree
    }

    /// Throws the error when the call must not be retried.
    private func check(
        _ error: PushError, of call: AnyCall, attempt: Int, isFree: Bool, delay: Duration
    ) throws(PushError) {
        let idempotency = try call.exchange.get().idempotency
        let isRepeatable = idempotency.isRepeatable(accepting: policy.repeatsAfterUnknown)
        let isSafe = error.effect == .notApplied || (error.effect == .unknown && isRepeatable)
        guard error.retry.isAdvised, isSafe else { throw error }
        // A quota that is used up comes back tomorrow. Until then, others can do more with the call than wait.
        guard error.kind != .quotaExhausted || delay <= RetryPolicy.longestHint else { throw error }
        if case .keyed(let key) = idempotency, error.effect == .unknown,
            clock.date.addingTimeInterval(delay.seconds) >= key.expiresAt
        {
            throw error
        }
        guard attempt < policy.attempts || isFree else {
            var error = error
            // A time the vendor named stays useful to the caller.
            switch error.retry {
            case .backoff, .after(.zero): error.retry = attempt > 1 ? .exhausted : .backoff
            default: break
            }
            throw error
        }
        guard call.deadline.allows(delay, isKnown: isKnown(error, of: call)) else {
            var error = error
            error.retry = .after(delay)
            throw error
        }
        // Unprocessed requests are free: they add no load, and one closing connection can return hundreds.
        guard isFree || error.retry == .after(.zero) || budget.take() else {
            call.emit(.retryBudgetEmpty)
            throw error
        }
    }

    /// Whether the vendor named the moment at which a throttle ends, and the call waits for it beyond its own deadline.
    private func isKnown(_ error: PushError, of call: AnyCall) -> Bool {
        guard case .after = error.retry, error.kind == .rateLimited else { return false }
        return error.vendor?.verdict == nil || !call.hasOwnAddress
    }

    /// The error of a wait that ended early, with the facts about the attempt before it.
    private func interrupted(_ interruption: PushError, after error: PushError) -> PushError {
        var result = interruption
        result.effect = error.effect
        result.operation = error.operation
        result.vendor = error.vendor
        result.underlying = error
        return result
    }
}

extension Call {
    /// Whether the target brought the address of the request.
    fileprivate var hasOwnAddress: Bool {
        if case .success(let exchange) = exchange { exchange.request.address != nil } else { false }
    }
}

/// A retry budget that all calls of a client share, so that an outage does not become a retry storm.
final class RetryBudget: Sendable {
    private let store: Locked<Double>

    init(_ policy: RetryPolicy) { store = Locked(policy.budget) }

    func deposit(_ policy: RetryPolicy) {
        store.withLock { $0 = min(policy.budget, $0 + policy.budgetPerSuccess) }
    }

    func take() -> Bool {
        store.withLock { store in
            guard store >= 1 else { return false }
            store -= 1
            return true
        }
    }
}
