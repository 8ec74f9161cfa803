/// Whether a server answers the requests of a connection, regardless of its other frames.
///
/// The time that the oldest request is without an answer counts, not the patience of each caller. Callers that give up
/// soon leave many requests behind, and none for long.
struct Answering {
    /// Requests since the last answer that the server ended without one, and that their callers gave up.
    private var refused = 0
    private var givenUp = 0
    /// When the oldest unanswered request left, or when the last answer came while others waited.
    private var silentSince: ContinuousClock.Instant?

    /// After this many requests in a row without an answer, a connection gets no more, even if it answers PINGs.
    private static let mostUnanswered = 10

    mutating func noteSent(_ now: ContinuousClock.Instant) { silentSince = silentSince ?? now }

    mutating func noteAnswer(_ now: ContinuousClock.Instant, othersWait: Bool) {
        self = Answering()
        silentSince = othersWait ? now : nil
    }

    mutating func noteRefused() { refused += 1 }
    mutating func noteGivenUp() { givenUp += 1 }

    /// Whether the server owes so many answers, or has been silent for so long, that the connection is useless.
    func isMissing(_ now: ContinuousClock.Instant, for time: Duration) -> Bool {
        let isSilent = silentSince.map { now - $0 >= time } ?? false
        return refused + (isSilent ? givenUp : 0) >= Self.mostUnanswered
    }
}
