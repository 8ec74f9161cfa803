/// Keeps lookups of names from piling up.
///
/// libcurl looks a name up in a thread of its own, and leaves that thread behind when the request ends first. It lives
/// until the system's resolver gives up, so only so many of a host may be left behind at a time; beyond that, one a
/// second finds out whether names are answered again.
///
/// Belongs to the I/O thread.
struct NameLookups {
    /// Left behind at once, of one host.
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

    /// A request ended while its lookup was under way.
    mutating func abandon(_ name: String, now: ContinuousClock.Instant = .now) {
        hosts[name, default: Host()].abandoned.append(now)
    }
}
