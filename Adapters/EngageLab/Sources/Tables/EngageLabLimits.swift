import JiguangDialect
import PushAdapter

extension LimitKey {
    static let engageLabContentBytes: LimitKey = "engagelab.message.content.bytes"
    static let engageLabActivityID: LimitKey = "engagelab.message.liveActivity.id"
    static let engageLabCustomArguments: LimitKey = "engagelab.message.customArguments"
    static let engageLabPacing: LimitKey = "engagelab.message.pacing"
    static let engageLabBatch: LimitKey = "engagelab.send.batch"
    static let engageLabTagsPerCount: LimitKey = "engagelab.tags.count"
    static let engageLabPlanID: LimitKey = "engagelab.plan.id"
    static let engageLabPlanDescription: LimitKey = "engagelab.plan.description"
    static let engageLabPlansPerCall: LimitKey = "engagelab.plan.call"
    static let engageLabTagsPerApp: LimitKey = "engagelab.app.tags"
    static let engageLabDevicesPerTag: LimitKey = "engagelab.tag.devices"
    static let engageLabClientTag: LimitKey = "engagelab.client.tag.length"
    static let engageLabClientAlias: LimitKey = "engagelab.client.alias.length"
    static let engageLabClientTagsPerDevice: LimitKey = "engagelab.client.tags.device"
    static let engageLabClientTagBytes: LimitKey = "engagelab.client.tags.call.bytes"
}

extension QuotaBucket {
    static let engageLab: QuotaBucket = "calls"
}

/// EngageLab's features and limits, each with its page and date.
///
/// Limits that apply only on devices have names that begin with `client`. The adapter does not check them.
enum EngageLabLimits {
    private static let tagAlias = "Tag Alias API page, 2023-11-16 and current"
    private static let webPush = "vendor's Web Push reference, 2026-03-11; same engine, inferred for apps"
    private static let reference = "vendor's AppPush reference, 2026-03-11"
    private static let overview = "REST API overview; Create Push API page, 2024"
    private static let statistics = "Statistics API page"
    private static let scheduled = "Scheduled Tasks API page, 2023-02-27"
    private static let guide = "iOS API guide, 2024-05-08"
    private static let lineage = "recalled from the JPush lineage, on no page of the vendor"
    private static let duplicates = "best practice: how to avoid duplicate push"

    static let capabilities = unclassed.passingClasses(
        to: EngageLabClasses.makers, reaching: [.huawei, .harmony, .honor, .xiaomi, .oppo, .vivo])

    private static let unclassed = Capabilities(
        support: support, limits: limits, quotas: [.engageLab: Quota(500, per: .seconds(1), source: overview)],
        callerKeys: [.push: KeyMemory(.seconds(3600), source: duplicates)], aliasSharing: .one, fields: fields,
        absentFields: absentFields, optionRules: EngageLabOptions.rules,
        optionPlaces: EngageLabOptions.places, platforms: [.android, .harmony, .ios])

    /// The message fields that the encoder writes.
    static let fields = Dialect.fields.union([.messageClass])

    private static let translations =
        "EngageLab passes keys of texts to Apple's devices only; give ios the key and the others a plain text, or set the "
        + "option multi_language"

    private static let absentFields = Dialect.absentFields(of: "EngageLab", translations: translations).merging([
        .harmony("sound"): "EngageLab has no sound for HarmonyOS",
        .template: "no page of EngageLab has a field for a maker's template",
    ]) { $1 }

    private static let support = Dialect.support(of: "EngageLab", calls: Feature.engageLabCalls).merging(
        .unsupported([
            ([.mintKeys], "EngageLab mints no keys; it remembers those that the caller makes"),
            ([.removeAlias], "EngageLab removes an alias only by name, from whichever device has it"),
            ([.audienceFile], "EngageLab takes no uploaded lists; use a segment of the console"),
            (.phones, "EngageLab takes phone numbers from its SDK on the device only"),
        ])
    ) { $1 }

    private static let limits = Limits(
        [
            .devicesPerSend: Limit(1000, .count, .split, source: "\(webPush); console guide"),
            .aliasesPerSend: Limit(1000, .count, .split, source: "\(webPush); console guide"),
            .tagsPerSend: Limit(20, .count, .leaveToVendor, source: lineage),
            .devicesPerTagCall: Limit(500, .count, .split, source: "this library; the vendor states no number"),
            .tagLength: Limit(40, .utf8Bytes, .reject, source: tagAlias),
            .aliasLength: Limit(40, .utf8Bytes, .reject, source: tagAlias),
            .tagsPerDevice: Limit(100, .count, .reject, source: tagAlias),
            .devicesPerAlias: Limit(1, .count, .leaveToVendor, source: tagAlias),
            .messagesPerReport: Limit(100, .count, .split, source: statistics),
            .timeToLive: Limit(15 * 86_400, .seconds, .reject, source: webPush),
            .idempotencyKey: Limit(64, .utf8Bytes, .reject, source: duplicates),
            .scheduleName: Limit(255, .utf8Bytes, .reject, source: scheduled),
            .scheduleHorizon: Limit(366 * 86_400, .seconds, .reject, source: scheduled),
            .schedules: Limit(1000, .count, .leaveToVendor, source: scheduled),
            .engageLabContentBytes: Limit(4000, .utf8Bytes, .reject, source: reference),
            .engageLabActivityID: Limit(24, .utf8Bytes, .reject, source: guide),
            .engageLabCustomArguments: Limit(128, .characters, .reject, source: reference),
            .engageLabPacing: Limit(1440 * 60, .seconds, .reject, source: reference),
            .engageLabBatch: Limit(500, .count, .reject, source: "Batch Single Push API page"),
            .engageLabTagsPerCount: Limit(1000, .count, .reject, source: reference),
            .engageLabPlanID: Limit(50, .utf8Bytes, .reject, source: "Push Plan API page, 2025-04-15"),
            .engageLabPlanDescription: Limit(
                200, .characters, .leaveToVendor, source: "Push Plan API page, 2025-04-15; 128 in the Java SDK"),
            .engageLabPlansPerCall: Limit(1000, .count, .reject, source: "Push Plan API page, 2025-04-15"),
            .engageLabTagsPerApp: Limit(100_000, .count, .leaveToVendor, source: tagAlias),
            .engageLabDevicesPerTag: Limit(100_000, .count, .leaveToVendor, source: tagAlias),
            .engageLabClientTag: Limit(40, .utf8Bytes, .leaveToVendor, source: guide),
            .engageLabClientAlias: Limit(40, .utf8Bytes, .leaveToVendor, source: guide),
            .engageLabClientTagsPerDevice: Limit(1000, .count, .leaveToVendor, source: guide),
            .engageLabClientTagBytes: Limit(
                5120, .utf8Bytes, .leaveToVendor, source: "\(guide); 7 K on the page of client error codes"),
        ],
        characters: [
            .tagLength: server, .aliasLength: server, .engageLabClientTag: client, .engageLabClientAlias: client,
            .scheduleName: Dialect.wordCharacters(source: scheduled),
            .idempotencyKey: AllowedCharacters(
                "letters, digits, _ and -", ascii: AllowedCharacters.alphanumerics + "_-", ranges: [],
                source: duplicates),
            .engageLabPlanID: AllowedCharacters(
                "letters, digits and _", ascii: AllowedCharacters.alphanumerics + "_", ranges: [],
                source: "Push Plan API page, 2025-04-15"),
        ])

    private static let server = Dialect.wordCharacters(source: tagAlias)
    private static let client = AllowedCharacters(
        "letters, digits, Chinese and _@!#$&*+=.|", ascii: AllowedCharacters.alphanumerics + "_@!#$&*+=.|",
        ranges: AllowedCharacters.han, source: guide)
}
