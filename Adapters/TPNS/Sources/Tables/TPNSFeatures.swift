import PushAdapter

extension Feature {
    // The vendor's own calls, outside the model.
    static let tpnsAddTagPairs: Feature = "tpns.tag.pairs.add"
    static let tpnsRemoveTagPairs: Feature = "tpns.tag.pairs.remove"
    static let tpnsDeleteTags: Feature = "tpns.tag.delete"
    static let tpnsBindAccounts: Feature = "tpns.accounts.bind"
    static let tpnsUnbindAccounts: Feature = "tpns.accounts.unbind"
    static let tpnsClearAccounts: Feature = "tpns.accounts.clear"
    static let tpnsDeleteAccounts: Feature = "tpns.accounts.delete"
    static let tpnsReadAccounts: Feature = "tpns.accounts.read"
    static let tpnsReadDevices: Feature = "tpns.accounts.devices"
    static let tpnsUpload: Feature = "tpns.package.upload"
    static let tpnsStop: Feature = "tpns.push.stop"
    static let tpnsCancel: Feature = "tpns.push.cancel"
    static let tpnsRecall: Feature = "tpns.push.recall"
    static let tpnsCreatePlan: Feature = "tpns.plan.create"
    static let tpnsReadPush: Feature = "tpns.report.push"
    static let tpnsReadPushes: Feature = "tpns.report.pushes"
    static let tpnsReadStatistics: Feature = "tpns.report.statistics"
    static let tpnsReadPlanStatistics: Feature = "tpns.report.plan"
    static let tpnsReadDays: Feature = "tpns.report.days"
    static let tpnsReadDevicesByDay: Feature = "tpns.report.devices"
    static let tpnsReadDistribution: Feature = "tpns.report.distribution"
    static let tpnsReadPushesToDevice: Feature = "tpns.report.device.pushes"

    /// All of the calls above.
    static let tpnsCalls: [Feature] = [
        .tpnsAddTagPairs, .tpnsRemoveTagPairs, .tpnsDeleteTags, .tpnsBindAccounts,
        .tpnsUnbindAccounts, .tpnsClearAccounts, .tpnsDeleteAccounts, .tpnsReadAccounts, .tpnsReadDevices, .tpnsUpload,
        .tpnsStop, .tpnsCancel, .tpnsRecall, .tpnsCreatePlan, .tpnsReadPush, .tpnsReadPushes, .tpnsReadStatistics,
        .tpnsReadPlanStatistics, .tpnsReadDays, .tpnsReadDevicesByDay, .tpnsReadDistribution, .tpnsReadPushesToDevice,
    ]
}
