import PushAdapter

extension PushClient {
    /// Waits while the vendor gives no access token or key, as for a throttle, where the deadline says so: a list of millions
    /// would otherwise be over within the outage. Throws the error where the call does not wait.
    /// - Parameters:
    ///   - round: how often the call has waited for it before.
    ///   - onWait: gets the event of the wait.
    func outlast(
        _ outage: PushError, _ round: Int, _ operation: Feature, within deadline: Deadline,
        onWait: (PushEvent) -> Void = { _ in }
    ) async throws(PushError) {
        let pause = outage.pause(round)
        let mayWait = deadline.outlastsOutages && outage.isTokenOutage
        guard mayWait, deadline.allows(pause, isKnown: true) else { throw outage }
        let cause = PushEvent.Wait.retry(outage.kind)
        onWait(.waiting(cause, delay: pause))
        try await waits.wait(pause, for: cause, isKnown: true, operation, within: deadline)
    }
}

extension PushError {
    /// Until the next request for a token or key: what the vendor says, or ever longer up to half a minute. A refused request
    /// is not repeated within five seconds.
    fileprivate func pause(_ round: Int) -> Duration {
        if case .after(let time) = retry, time > .zero { return min(time, RetryPolicy.longestHint) }
        return min(.seconds(5) * (1 << min(round, 3)), .seconds(30))
    }
}
