import PushAdapter

extension Feature {
    // The vendor's own calls, beyond the model.
    static let engageLabReadDevice: Feature = "engagelab.device.read"
    static let engageLabDeleteDevice: Feature = "engagelab.device.delete"
    static let engageLabReadStatus: Feature = "engagelab.device.status"
    static let engageLabRegisterTokens: Feature = "engagelab.device.register"
    static let engageLabListTags: Feature = "engagelab.tags.list"
    static let engageLabUpdateTag: Feature = "engagelab.tag.update"
    static let engageLabDeleteTag: Feature = "engagelab.tag.delete"
    static let engageLabCountTags: Feature = "engagelab.tags.count"
    static let engageLabReadTagQuota: Feature = "engagelab.tags.quota"
    static let engageLabReadPaidStatus: Feature = "engagelab.app.paid"
    static let engageLabSendBatch: Feature = "engagelab.send.batch"
    static let engageLabSendToGroup: Feature = "engagelab.send.group"
    static let engageLabRecall: Feature = "engagelab.recall"
    static let engageLabSetPlan: Feature = "engagelab.plan.set"
    static let engageLabListPlans: Feature = "engagelab.plan.list"
    static let engageLabRemovePlans: Feature = "engagelab.plan.remove"
    static let engageLabReadPlanMessages: Feature = "engagelab.plan.messages"
    static let engageLabReadPlanStatistics: Feature = "engagelab.plan.statistics"
    static let engageLabReadStatistics: Feature = "engagelab.report.messages"
    static let engageLabReadFates: Feature = "engagelab.report.fates"
    static let engageLabReadUsers: Feature = "engagelab.report.users"
    static let engageLabReadWholeSchedule: Feature = "engagelab.schedule.read"
    static let engageLabUpdateSchedule: Feature = "engagelab.schedule.update"
    static let engageLabReadScheduledMessages: Feature = "engagelab.schedule.messages"
    static let engageLabUploadVoice: Feature = "engagelab.voice.upload"
    static let engageLabReadVoices: Feature = "engagelab.voice.read"
    static let engageLabRemoveVoice: Feature = "engagelab.voice.remove"
    static let engageLabRegisterImage: Feature = "engagelab.image.register"

    /// All of the calls above. Each is native.
    static let engageLabCalls: [Feature] = [
        .engageLabReadDevice, .engageLabDeleteDevice, .engageLabReadStatus,
        .engageLabRegisterTokens, .engageLabListTags, .engageLabUpdateTag, .engageLabDeleteTag, .engageLabCountTags,
        .engageLabReadTagQuota, .engageLabReadPaidStatus, .engageLabSendBatch, .engageLabSendToGroup,
        .engageLabRecall, .engageLabSetPlan, .engageLabListPlans, .engageLabRemovePlans, .engageLabReadPlanMessages,
        .engageLabReadPlanStatistics, .engageLabReadStatistics, .engageLabReadFates, .engageLabReadUsers,
        .engageLabReadWholeSchedule, .engageLabUpdateSchedule, .engageLabReadScheduledMessages, .engageLabUploadVoice,
        .engageLabReadVoices,
        .engageLabRemoveVoice, .engageLabRegisterImage,
    ]
}
