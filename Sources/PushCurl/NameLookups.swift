/// Keeps name lookups from piling up.
///
/// libcurl looks a name up in a separate thread, and abandons that thread if the request ends first. The thread lives
/// until the system's resolver gives up, so the number of abandoned lookups is limited, for each host and for all
/// together. Beyond a limit, one lookup per second checks whether names resolve again.
///
/// Belongs to the I/O thread.
package struct NameLookups {
    /// The most abandoned lookups of one host at once.
    package static let most = 16
    /// The most abandoned lookups of all hosts at once: strangers may choose hosts whose name servers do not answer.
    package static let mostTogether = 512
    /// By now the system's resolver has given up: 5 s, twice, for up to three servers, and some more.
    package static let longest: Duration = .seconds(40)

    /// Oldest first.
    private var abandoned: [(host: String, at: ContinuousClock.Instant)] = []
    /// When a lookup last started beyond the limit of its host, or beyond that of all hosts (nil).
    private var tries: [String?: ContinuousClock.Instant] = [:]

    package init() {}

    /// Whether another lookup may start.
    package mutating func mayStart(_ host: String, now: ContinuousClock.Instant = .now) -> Bool {
        abandoned.removeFirst(abandoned.prefix { $0.at + Self.longest <= now }.count)
        tries = tries.filter { now - $0.value < .seconds(1) }
        let isFull = abandoned.count >= Self.mostTogether
        guard isFull || abandoned.count(where: { $0.host == host }) >= Self.most else { return true }
        let limit = isFull ? nil : host
        guard tries[limit] == nil else { return false }
        tries[limit] = now
        return true
    }

    /// Records that a request ended while its lookup was running.
    package mutating func abandon(_ host: String, now: ContinuousClock.Instant = .now) {
        abandoned.append((host, now))
    }
}
