import FoundationEssentials
public import PushAdapter
public import PushClient

/// Stores campaigns before it sends them. Its worker carries them out and may be killed at any moment.
///
/// ```swift
/// let outbox = PushOutbox(store, routes: ["jpush": jpush])
/// let worker = Task { try await outbox.run() }
/// try await outbox.enqueue(message, to: [.audience(.devices(ids), at: "jpush")], as: "sale-2026-11")
/// for try await progress in outbox.progress(of: "sale-2026-11") { print(progress) }
/// ```
///
/// After `enqueue` returns, the campaign is carried out or reported. Before the first byte of a request leaves, the
/// store records that it may have been sent, and with which key. After that, the worker sends only the same key again.
/// So a crash delivers nothing twice: a target is `unknown` if its outcome cannot be known. With the option `resend`,
/// the worker sends to such targets once more.
public final class PushOutbox: Sendable {
    let store: any OutboxStore
    let routes: [RouteName: PushClient]
    let settings: OutboxSettings
    let clock: any PushClock
    /// The id of the machine's current boot.
    let boot: String
    private let circuits: [RouteName: CircuitBreaker]
    let room = OutboxRoom()
    /// For ``health()``: whether a worker of this process has a claim, and when a vendor last accepted something.
    let condition = Locked((isWorking: false, lastAccepted: Date?.none))

    /// Creates an outbox over a store. Several outboxes may share a store. In a store with one worker, one of them
    /// works at a time.
    /// - Parameters:
    ///   - store: where the campaigns are stored.
    ///   - routes: clients by name. Shut them down after `run` has returned. Watching and operating need none.
    ///   - settings: how the outbox works.
    ///   - clock: the clock for pauses, leases and expiry; use a virtual one in tests.
    public convenience init(
        _ store: any OutboxStore, routes: [RouteName: PushClient], settings: OutboxSettings = OutboxSettings(),
        clock: any PushClock = SystemClock()
    ) {
        self.init(store, routes: routes, settings: settings, clock: clock, boot: SliceRow.Uptime.thisBoot)
    }

    package init(
        _ store: any OutboxStore, routes: [RouteName: PushClient], settings: OutboxSettings = OutboxSettings(),
        clock: any PushClock, boot: String
    ) {
        (self.store, self.routes, self.settings, self.clock, self.boot) = (store, routes, settings.bounded, clock, boot)
        circuits = Dictionary(uniqueKeysWithValues: routes.keys.map { ($0, Self.newCircuit($0, clock)) })
    }

    private static func newCircuit(_ route: RouteName, _ clock: any PushClock) -> CircuitBreaker {
        CircuitBreaker(
            route, failures: 3, pause: .seconds(10), longestPause: .seconds(300), countsServerErrors: true,
            clock: clock)
    }

    func circuit(of route: RouteName) -> CircuitBreaker { circuits[route] ?? Self.newCircuit(route, clock) }

    /// Returns a page of the campaigns in these states, newest first. By default, in all states that have a report.
    /// - Parameters:
    ///   - states: the states of the campaigns.
    ///   - last: the page begins after this campaign; nil begins with the newest.
    ///   - limit: the most campaigns of a page.
    public func campaigns(
        in states: Set<Campaign.State> = Campaign.reported, before last: Campaign? = nil, limit: Int = 100
    ) async throws(PushError) -> [Campaign] {
        try await stored { try await $0.campaigns(.page(states, before: last?.id, limit: max(1, limit))) }
    }

    /// Pauses a campaign. Requests that the store has already recorded still leave: for each slice in flight, those of
    /// about a tenth of a second, 100 at most. Refuses a campaign that has ended with `invalidState`.
    public func pause(_ name: CampaignName) async throws(PushError) {
        try await move(name, from: [.active, .paused], to: .paused, "paused")
    }

    /// Resumes a campaign with its paused parts and its quarantined slices. Refuses a campaign that has ended with
    /// `invalidState`.
    public func resume(_ name: CampaignName) async throws(PushError) {
        let campaign = try await move(name, from: [.active, .paused], to: .active, "resumed")
        let parts = campaign.parts.map(\.number)
        try await stored { try await $0.pauseParts(of: campaign.id, parts, for: nil) }
    }

    /// Resumes the paused parts at a route, with their quarantined slices. Campaigns that a person paused stay paused.
    /// Returns the campaigns that had such a part, oldest first.
    @discardableResult
    public func resume(at route: RouteName) async throws(PushError) -> [CampaignName] {
        var resumed: [CampaignName] = []
        for campaign in try await backlog(needy: .max).needy {
            let parts = campaign.parts.filter { $0.route == route && $0.pausedFor != nil }.map(\.number)
            guard !parts.isEmpty else { continue }
            try await stored { try await $0.pauseParts(of: campaign.id, parts, for: nil) }
            resumed.append(campaign.name)
        }
        return resumed
    }

    /// Counts the waiting work of all campaigns that have not ended. Takes some seconds for a million campaigns.
    /// - Parameter limit: the most campaigns that need a person in `needy`.
    public func backlog(needy limit: Int = 100) async throws(PushError) -> OutboxBacklog {
        try await stored { try await $0.backlog(needy: max(0, limit)) }
    }

    /// Ends a campaign. Targets that were not sent are `notAttempted`. Requests in flight end as after `pause`: their
    /// targets are `unknown` until the answer comes, then the report has the outcome. Refuses a campaign that has ended
    /// with `invalidState`.
    public func cancel(_ name: CampaignName) async throws(PushError) {
        try await move(name, from: [.submitted, .active, .paused], to: .cancelled, "cancelled")
    }

    /// Sends a campaign again to its targets with an unknown outcome, a minute from now. Some may get it twice. The
    /// report counts them as resent. Returns their number.
    ///
    /// Refuses a campaign that is loading, cancelled or past its expiry with `invalidState`. An audience that is not a
    /// list stays unknown, because the report could not count who gets it twice.
    @discardableResult
    public func resendUnknown(_ name: CampaignName) async throws(PushError) -> Int {
        let campaign = try await campaign(name)
        guard [.active, .paused, .finished].contains(campaign.state) else {
            throw Self.refusal(campaign, "sent again")
        }
        if let end = campaign.expiresAt, end <= clock.date {
            throw PushError(
                .invalidState,
                "the time of the campaign \(Redaction.quoted(name.rawValue)) is up; enqueue another one for who is unknown"
            )
        }
        var (count, last) = (0, SliceRow.ID?.none)
        while true {
            let after = last
            let page = try await stored {
                try await $0.slices(of: campaign.id, with: [.unknown], after: after, limit: 100)
            }
            guard let end = page.last else { break }
            last = end.slice.id
            let changes = page.map(\.slice).filter { $0.state == .done && campaign.isList($0) }
                .map { slice in
                    var slice = slice
                    slice.resendUnknown(at: clock.date)
                    return SliceChange(slice, from: [.done])
                }
            let made = try await stored { try await $0.apply(changes) }
            for (change, isMade) in zip(changes, made) where isMade { count += change.slice.open.count }
        }
        // Counts from the store: an earlier call may have ended halfway, or the campaign may have ended meanwhile.
        let slices = try await stored { try await $0.counts(of: campaign.id) }.slices
        if slices[.ready] ?? 0 > 0 {
            let now = clock.date
            _ = try await stored { try await $0.move(campaign.id, from: [.finished], to: .active, at: now) }
        }
        return count
    }
}
