package import PushOutbox

extension CampaignSelection {
    /// All that have a report, in the small stores of tests.
    package static let all = CampaignSelection.page(Campaign.reported, before: nil, limit: 10_000)
    /// All that have not ended.
    package static let live = CampaignSelection.page(Campaign.live, before: nil, limit: 10_000)
}
