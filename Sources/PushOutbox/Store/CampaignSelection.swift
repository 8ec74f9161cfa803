/// Selects campaigns to read.
public enum CampaignSelection: Sendable, Hashable {
    /// A page of campaigns in these states, newest first: those before the campaign with this number; nil begins with
    /// the newest.
    case page(Set<Campaign.State>, before: Int64?, limit: Int)
    /// The campaign with this name, if it exists.
    case named(CampaignName)
    /// The campaigns with these numbers.
    case numbered(Set<Int64>)
}
