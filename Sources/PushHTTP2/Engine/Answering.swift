/// Whether a server answers the requests of a connection, whatever else it says there.
///
/// What counts is how long the oldest request is without an answer, not how patient each caller is: callers who give up
/// soon leave many requests behind, and none for long.
struct Answering {
    /// Requests since the last answer that the server ended without one, and that their callers gave up.
    private var refused = 0
    private var givenUp = 0
    /// When the oldest request left that waits for an answer, or the last answer came while others waited.
    private var silentSince: ContinuousClock.Instant?

    /// After so many requests in a row without an answer, a connection gets no more, even if it answers PINGs.
    private static let mostUnanswered = 10

    mutating func noteSent(_ now: ContinuousClock.Instant) { silentSince = silentSince ?? now }

    mutating func noteAnswer(_ now: ContinuousClock.Instant, othersWait: Bool) {
        self = Answering()
        silentSince = othersWait ? now : nil
    }

    mutating func noteRefused() { refused += 1 }
    mutating func noteGivenUp() { givenUp += 1 }

    /// Whether the server has left out so many answers, or all for so long, that the connection is of no use.
    func isMissing(_ now: ContinuousClock.Instant, for time: Duration) -> Bool {
        let isSilent = silentSince.map { now - $0 >= time } ?? false
        return refused + (isSilent ? givenUp : 0) >= Self.mostUnanswered
    }
}
