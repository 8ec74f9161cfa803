import PushAdapter

extension Feature {
    // The vendor's own calls, beyond the model.
    static let jpushReadDevice: Feature = "jpush.device.read"
    static let jpushRemoveAlias: Feature = "jpush.alias.remove"
    static let jpushListTags: Feature = "jpush.tags.list"
    static let jpushUpdateTag: Feature = "jpush.tag.update"
    static let jpushDeleteTag: Feature = "jpush.tag.delete"
    static let jpushReadStatus: Feature = "jpush.device.status"
    static let jpushAddTestDevice: Feature = "jpush.test.add"
    static let jpushUpdateTestDevice: Feature = "jpush.test.update"
    static let jpushRemoveTestDevice: Feature = "jpush.test.remove"
    static let jpushListTestDevices: Feature = "jpush.test.list"
    static let jpushSendBatch: Feature = "jpush.send.batch"
    static let jpushSendToGroup: Feature = "jpush.send.group"
    static let jpushSendTemplate: Feature = "jpush.send.template"
    static let jpushScheduleTemplate: Feature = "jpush.schedule.template"
    static let jpushRecall: Feature = "jpush.recall"
    static let jpushReadVendorQuota: Feature = "jpush.quota.read"
    static let jpushCreatePlan: Feature = "jpush.plan.create"
    static let jpushUpdatePlan: Feature = "jpush.plan.update"
    static let jpushListPlans: Feature = "jpush.plan.list"
    static let jpushUploadFile: Feature = "jpush.file.upload"
    static let jpushListFiles: Feature = "jpush.file.list"
    static let jpushReadFile: Feature = "jpush.file.read"
    static let jpushRemoveFile: Feature = "jpush.file.remove"
    static let jpushRegisterImage: Feature = "jpush.image.register"
    static let jpushUpdateSchedule: Feature = "jpush.schedule.update"
    static let jpushReadScheduledMessages: Feature = "jpush.schedule.messages"
    static let jpushReadReceived: Feature = "jpush.report.received"
    static let jpushReadReceipts: Feature = "jpush.report.receipts"
    static let jpushReadStatistics: Feature = "jpush.report.messages"
    static let jpushReadOldStatistics: Feature = "jpush.report.messages.old"
    static let jpushReadUsers: Feature = "jpush.report.users"
    static let jpushReadGroupStatistics: Feature = "jpush.report.group.messages"
    static let jpushReadGroupUsers: Feature = "jpush.report.group.users"

    /// All of the calls above. Each is native.
    static let jpushCalls: [Feature] = [
        .jpushReadDevice, .jpushRemoveAlias,
        .jpushListTags, .jpushUpdateTag, .jpushDeleteTag, .jpushReadStatus, .jpushAddTestDevice,
        .jpushUpdateTestDevice, .jpushRemoveTestDevice, .jpushListTestDevices, .jpushSendBatch, .jpushSendToGroup,
        .jpushSendTemplate, .jpushScheduleTemplate, .jpushRecall, .jpushReadVendorQuota, .jpushCreatePlan,
        .jpushUpdatePlan, .jpushListPlans, .jpushUploadFile, .jpushListFiles, .jpushReadFile, .jpushRemoveFile,
        .jpushRegisterImage, .jpushUpdateSchedule, .jpushReadScheduledMessages, .jpushReadReceived,
        .jpushReadReceipts, .jpushReadStatistics, .jpushReadOldStatistics, .jpushReadUsers,
        .jpushReadGroupStatistics, .jpushReadGroupUsers,
    ]
}
