/// Keeps name lookups from piling up.
///
/// libcurl looks a name up in a separate thread, and abandons that thread if the request ends first. The thread lives
/// until the system's resolver gives up, so the number of abandoned lookups per host is limited. Beyond the limit, one
/// lookup per second checks whether names resolve again.
///
/// Belongs to the I/O thread.
struct NameLookups {
    /// The most abandoned lookups of one host at once.
    static let most = 16
    /// By now the system's resolver has given up: 5 s, twice, for up to three servers, and some more.
    static let longest: Duration = .seconds(40)

    private struct Host {
        var abandoned: [ContinuousClock.Instant] = []
        var lastStart: ContinuousClock.Instant?
    }

    private var hosts: [String: Host] = [:]

    /// Whether another lookup may start.
    mutating func mayStart(_ name: String, now: ContinuousClock.Instant = .now) -> Bool {
        guard var host = hosts[name] else { return true }
        host.abandoned.removeAll { $0 + Self.longest <= now }
        defer { hosts[name] = host.abandoned.isEmpty ? nil : host }
        let isFree = host.abandoned.count < Self.most || host.lastStart.map { now - $0 >= .seconds(1) } ?? true
        if isFree { host.lastStart = now }
        return isFree
    }

    /// Records that a request ended while its lookup was running.
    mutating func abandon(_ name: String, now: ContinuousClock.Instant = .now) {
        hosts[name, default: Host()].abandoned.append(now)
    }
}
