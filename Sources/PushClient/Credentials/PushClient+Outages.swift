import PushAdapter

extension PushClient {
    /// Waits while the vendor gives no access token or key, as for a throttle, if the deadline allows it. Otherwise a
    /// list of millions would fail within the outage. Throws the error if the call does not wait.
    /// - Parameters:
    ///   - round: how often the call has already waited for it.
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
        do throws(PushError) {
            try await waits.wait(pause, for: cause, isKnown: true, operation, within: deadline)
        } catch {
            // A wait that ended too late ended because of the outage.
            throw error.kind == .timeout ? outage : error
        }
    }
}

extension PushError {
    /// The wait before the next request for a token or key: the vendor's time, or a growing one of up to half a minute.
    /// A refused request is not repeated within five seconds.
    fileprivate func pause(_ round: Int) -> Duration {
        if case .after(let time) = retry, time > .zero { return min(time, RetryPolicy.longestHint) }
        return min(.seconds(5) * (1 << min(round, 3)), .seconds(30))
    }
}
