import FoundationEssentials
public import PushAdapter
public import PushClient

/// Sends that survive: campaigns are kept in a store before anything is sent, and carried out by a worker that may be
/// killed at any moment.
///
/// ```swift
/// let outbox = PushOutbox(store, routes: ["jpush": jpush])
/// let worker = Task { try await outbox.run() }
/// try await outbox.enqueue(message, to: [.audience(.devices(ids), at: "jpush")], as: "sale-2026-11")
/// for try await progress in outbox.progress(of: "sale-2026-11") { print(progress) }
/// ```
///
/// A campaign whose `enqueue` returned is carried out or reported. Before the first byte of a request leaves, the store
/// says that it may have been sent, and under which key; after that, only the same key may be sent again. So a crash
/// delivers nothing twice: what cannot be known is `unknown`, for each target, unless the options say `resend`.
public final class PushOutbox: Sendable {
    let store: any OutboxStore
    let routes: [RouteName: PushClient]
    let settings: OutboxSettings
    let clock: any PushClock
    /// This start of the machine.
    let boot: String
    private let circuits: [RouteName: CircuitBreaker]
    let room = OutboxRoom()

    /// An outbox over a store. Several may share one; one of them works at a time.
    /// - Parameters:
    ///   - store: where the campaigns are kept.
    ///   - routes: clients by name. Shut them down after `run` has returned. To watch and to operate needs none.
    ///   - settings: how it works.
    ///   - clock: the clock of waits, leases and expiry; a virtual one in tests.
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
        (self.store, self.routes, self.settings, self.clock, self.boot) = (store, routes, settings, clock, boot)
        circuits = Dictionary(uniqueKeysWithValues: routes.keys.map { ($0, Self.newCircuit($0, clock)) })
    }

    private static func newCircuit(_ route: RouteName, _ clock: any PushClock) -> CircuitBreaker {
        CircuitBreaker(
            route, failures: 3, pause: .seconds(10), longestPause: .seconds(300), countsServerErrors: true,
            clock: clock)
    }

    func circuit(of route: RouteName) -> CircuitBreaker { circuits[route] ?? Self.newCircuit(route, clock) }

    /// A page of the campaigns in some states, newest first: those that were enqueued before another one, or the newest. All
    /// that have a report, unless you say otherwise.
    public func campaigns(
        in states: Set<Campaign.State> = Campaign.reported, before last: Campaign? = nil, limit: Int = 100
    ) async throws(PushError) -> [Campaign] {
        try await stored { try await $0.campaigns(.page(states, before: last?.id, limit: max(1, limit))) }
    }

    /// Pauses a campaign: nothing more leaves but what is noted already, for each slice on its way at most the requests of a
    /// tenth of a second, 100 at most. Refuses one that has ended with `invalidState`.
    public func pause(_ name: CampaignName) async throws(PushError) {
        try await move(name, from: [.active, .paused], to: .paused, "paused")
    }

    /// Resumes a campaign, all its parts that were paused for a reason, and its quarantined slices. Refuses one that has
    /// ended with `invalidState`.
    public func resume(_ name: CampaignName) async throws(PushError) {
        let campaign = try await move(name, from: [.active, .paused], to: .active, "resumed")
        let parts = campaign.parts.map(\.number)
        try await stored { try await $0.pauseParts(of: campaign.id, parts, for: nil) }
    }

    /// Resumes the parts at a route that were paused for a reason, with their quarantined slices; what a person has
    /// paused stays paused. Returns the campaigns that had such a part, oldest first.
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

    /// What waits, of all campaigns that have not ended; some seconds for a million of them.
    /// - Parameter limit: how many of the campaigns that need a person it names.
    public func backlog(needy limit: Int = 100) async throws(PushError) -> OutboxBacklog {
        try await stored { try await $0.backlog(needy: max(0, limit)) }
    }

    /// Ends a campaign: what was not sent is `notAttempted`. Requests on their way end, as after `pause`, and the report has
    /// their outcome; until then they are `unknown`. Refuses one that has ended with `invalidState`.
    public func cancel(_ name: CampaignName) async throws(PushError) {
        try await move(name, from: [.submitted, .active, .paused], to: .cancelled, "cancelled")
    }

    /// Sends a campaign once more to the targets with an unknown outcome, a minute from now; some may get it twice. The
    /// report counts them as resent. Returns how many they are.
    ///
    /// Refuses a campaign that is loading, cancelled or past its expiry with `invalidState`. An audience that is no list stays
    /// unknown: it could not be counted who gets it twice.
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
            let changes = page.map(\.slice).filter { $0.state == .done && campaign.part(of: $0)?.audience == nil }
                .map { slice in
                    var slice = slice
                    slice.resendUnknown(at: clock.date)
                    return SliceChange(slice, from: [.done])
                }
            let made = try await stored { try await $0.apply(changes) }
            for (change, isMade) in zip(changes, made) where isMade { count += change.slice.open.count }
        }
        // Also what an earlier call left that did not come to its end, or whose campaign ended meanwhile.
        let slices = try await stored { try await $0.counts(of: campaign.id) }.slices
        if slices[.ready] ?? 0 > 0 {
            let now = clock.date
            _ = try await stored { try await $0.move(campaign.id, from: [.finished], to: .active, at: now) }
        }
        return count
    }

    // MARK: The store

    /// What the store says of its engine.
    public func facts() async throws(PushError) -> OutboxFacts { try await stored { try await $0.facts() } }

    /// Removes what is no longer kept, as a worker does; returns how many slices and names that were.
    public func prune() async throws(PushError) -> Int {
        var sum = 0
        while true {
            let now = clock.date
            let count = try await stored { try await $0.prune(at: now, limit: 100) }
            guard count > 0 else { return sum }
            sum += count
        }
    }

    /// The campaign of a name. Refuses one that is not there with `invalidArgument`.
    public func campaign(_ name: CampaignName) async throws(PushError) -> Campaign {
        guard let campaign = try await stored({ try await $0.campaigns(.named(name)) }).first else {
            throw PushError(.invalidArgument, "there is no campaign \(Redaction.quoted(name.rawValue))")
        }
        return campaign
    }

    /// Moves a campaign to a state, or refuses with what it is.
    @discardableResult
    private func move(
        _ name: CampaignName, from states: Set<Campaign.State>, to state: Campaign.State, _ what: String
    ) async throws(PushError) -> Campaign {
        let campaign = try await campaign(name)
        let now = clock.date
        guard try await stored({ try await $0.move(campaign.id, from: states, to: state, at: now) }) else {
            // As it is now: it may have ended since.
            throw Self.refusal(try await self.campaign(name), what)
        }
        return campaign
    }

    private static func refusal(_ campaign: Campaign, _ what: String) -> PushError {
        PushError(
            .invalidState,
            "the campaign \(Redaction.quoted(campaign.name.rawValue)) is \(campaign.state) and cannot be \(what)")
    }

    /// Asks the store; its errors become the library's.
    func stored<Value: Sendable>(_ ask: @Sendable (any OutboxStore) async throws -> Value) async throws(PushError)
        -> Value
    {
        do {
            return try await ask(store)
        } catch let error as PushError {
            throw error
        } catch is CancellationError {
            throw PushError(.cancelled, "the task was cancelled while the store was asked")
        } catch {
            throw PushError(
                .invalidState, "the store of the outbox failed: \(Redaction.masked("\(error)"))", retry: .backoff,
                underlying: error)
        }
    }
}
