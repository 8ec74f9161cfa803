public import FoundationEssentials
import PushAdapter

/// What an outbox does, for logs and metrics. No event has a target, a text of a message or a secret in it.
public enum OutboxEvent: Sendable, Hashable {
    /// A campaign was enqueued, with this number of slices.
    case enqueued(CampaignName, slices: Int)
    /// A worker took slices of a route.
    case leased(RouteName, slices: Int)
    /// A worker started and found slices whose worker had ended; so many may have been sent.
    case recovered(slices: Int, mayHaveBeenSent: Int)
    /// A worker starts: at first, when the worker that it waited for has ended, or anew after it lost its claim.
    case started
    /// Another process works on the store; this one waits.
    case standsBy
    /// A try of a slice ended: its targets by outcome, open for those that are to be sent again; why its request failed or, where
    /// each target has a request of its own, why some are not settled; and how long it took.
    case attempted(CampaignName, SliceRow.ID, RouteName, [SliceRow.Outcome: Int], reason: String?, took: Duration)
    /// The answer to a slice came after other workers had counted this one as gone, and still says what became of it.
    case settledLate(SliceRow.ID)
    /// Nothing of a part is sent before a moment: its quota is used up, or there are no keys.
    case partDelayed(CampaignName, part: Int, RouteName, reason: String, until: Date)
    /// The vendor refused a worker's key, a setting or the app. The worker leaves the route to others for a while, because
    /// only its own settings may be old.
    case routeLeft(RouteName, reason: String)
    /// The vendor gave no answers, or only failed, three times in a row. The worker sends nothing there before a moment; the
    /// moments grow up to five minutes apart, until a request succeeds.
    case routeRests(RouteName, until: Date)
    /// A part was paused until a person resumes it.
    case partPaused(CampaignName, part: Int, RouteName, reason: String)
    /// A slice ended several workers, or its targets cannot be read; it waits for a person.
    case quarantined(CampaignName, SliceRow.ID)
    /// What another program had enqueued as JSON cannot be sent.
    case refused(CampaignName, reason: String)
    /// A worker cannot read or plan a campaign: a newer version wrote it, or the worker lacks a route. Others may.
    case unreadable(CampaignName, reason: String)
    /// The store failed; the worker goes on.
    case storeFailed(reason: String)
    /// A campaign ended.
    case ended(CampaignName, Campaign.State)
}
