public import FoundationEssentials

/// A worker's request for slices. Only due slices count, in active campaigns that have not expired and parts that are
/// not paused. They come by priority, then from the part that was leased from longest ago, then by due time, then by
/// number. A slice whose key was first used after `keysAfter` counts as due.
public struct OutboxLease: Sendable {
    /// The worker.
    public var worker: Int64
    /// Leases only from parts at these routes.
    public var routes: [RouteName]
    /// The most slices to lease.
    public var limit: Int
    /// The current time.
    public var now: Date
    /// If a key was first used after this, the clock was set back since. Its age is unknown, so waiting does not help.
    public var keysAfter: Date { now.addingTimeInterval(60) }
    /// Whether to lease recovered slices, or only the others.
    public var wantsRecovered = false
    /// Whether to lease only from parts whose targets may have a second route.
    public var wantsOtherWays = false
    /// Leases only from campaigns that are more urgent than this; nil for all.
    public var moreUrgentThan: CampaignOptions.Priority?
    /// Whether the part that was leased from longest ago comes first, whatever its priority.
    public var wantsOldest = false

    /// A request for slices.
    public init(worker: Int64, routes: [RouteName], limit: Int, now: Date) {
        (self.worker, self.routes, self.limit, self.now) = (worker, routes, limit, now)
    }
}
