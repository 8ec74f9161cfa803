public import FoundationEssentials
import PushAdapter

/// The events of an outbox, for logs and metrics. No event holds a target, a text of a message or a secret.
public enum OutboxEvent: Sendable, Hashable {
    /// A campaign was enqueued, with this number of slices.
    case enqueued(CampaignName, slices: Int)
    /// A worker leased slices of a route.
    case leased(RouteName, slices: Int)
    /// A worker took back slices of dead workers; `mayHaveBeenSent` of them may have been sent.
    case recovered(slices: Int, mayHaveBeenSent: Int)
    /// A worker starts: for the first time, after the worker that it waited for ended, or anew after it lost its claim.
    case started
    /// Another process works on the store; this one waits.
    case standsBy
    /// An attempt of a slice ended. Has its targets by outcome (open if they will be sent again) and how long it took.
    /// The reason says why the request failed. If each target has a request of its own, it says why some targets
    /// failed.
    case attempted(CampaignName, SliceRow.ID, RouteName, [SliceRow.Outcome: Int], reason: String?, took: Duration)
    /// A slice was settled late: its answer came after other workers had counted this worker as dead.
    case settledLate(SliceRow.ID)
    /// The worker sends nothing of a part until a moment: its quota is used up, or the vendor issued no keys.
    case partDelayed(CampaignName, part: Int, RouteName, reason: String, until: Date)
    /// The vendor refused a worker's credentials, a setting or the app. The worker leaves the route to the other
    /// workers for a while, because perhaps only its own settings are old.
    case routeLeft(RouteName, reason: String)
    /// Three requests in a row got no answer or a server failure. The worker sends nothing at this route until a
    /// moment. The pauses grow up to five minutes, until a request succeeds. Requests to hosts that the targets bring do
    /// not count.
    case routeRests(RouteName, until: Date)
    /// A worker paused a part until a person resumes it.
    case partPaused(CampaignName, part: Int, RouteName, reason: String)
    /// A slice crashed several workers, or its targets cannot be read. A person must resume it.
    case quarantined(CampaignName, SliceRow.ID)
    /// A campaign that another program enqueued as JSON cannot be sent.
    case refused(CampaignName, reason: String)
    /// A worker cannot read or plan a campaign, because a newer version wrote it or the worker lacks a route. Other
    /// workers may.
    case unreadable(CampaignName, reason: String)
    /// The store failed; the worker continues.
    case storeFailed(reason: String)
    /// A campaign ended.
    case ended(CampaignName, Campaign.State)
}
