import HuaweiDialect
import PushAdapter

extension LimitKey {
    /// Devices of a test message.
    static let harmonyTestDevices: LimitKey = "harmony.test.devices"
}

extension QuotaBucket {
    /// Test messages of the project.
    static let harmonyTests: QuotaBucket = "harmony.tests"
}

/// The capabilities and limits of HarmonyOS, each with the page and its date.
enum HarmonyLimits {
    private static let parameters = "Push Kit, parameters of scenario messages, 2026"

    static let capabilities: Capabilities = {
        let native: [Feature] = [
            .audienceDevices, .contentNotification, .contentCustom, .contentLiveActivity, .contentVoIP,
            .contentBadgeArithmetic, .harmonyRecall, .harmonyForm,
        ]
        var capabilities = Capabilities(
            support: .init(native: native, unsupported: unsupported), limits: limits,
            // The day's zone is assumed.
            quotas: [.harmonyTests: Quota(1000, a: .china, source: parameters)],
            callerKeys: [.push: KeyMemory(.seconds(86_400), grade: .device, source: parameters)],
            fields: fields, absentFields: absentFields, optionRules: HarmonyOptions.rules,
            optionPlaces: HarmonyOptions.places, platforms: [.harmony]
        ).passingClasses(to: [.harmony], reaching: [.harmony])
        capabilities.ignoredFields[.template] = "Huawei approves no templates; devices show the notification's own text"
        // The pages state no wait; the rate counts devices a second.
        capabilities.leastWaits = [.rateLimited: .seconds(1)]
        return capabilities
    }()

    private static let fields: Set<MessageField> = {
        let own = [
            "title", "body", "category", "tap.intentURI", "tap.intentAction", "sound", "badge.set", "badge.add",
            "collapseID", "extras",
        ]
        let common: [MessageField] = [
            .platforms, .timeToLive, .messageClass, .title, .body, .image, .extras, .customTitle, .customContentType,
            .customExtras,
        ]
        return Set(common + own.map(MessageField.harmony))
    }()

    private static let keys = "HarmonyOS translates no texts of a notification; send a plain text"
    private static let taps =
        "a tap on HarmonyOS opens the app or one of its pages; give intentAction or intentURI, or put the address into "
        + "the extras for the app to open"

    private static let absentFields: [MessageField: String] = [
        .deliveryPriority: "HarmonyOS decides itself how soon a message arrives; leave it out",
        .title.form("localized"): keys, .body.form("localized"): keys,
        .harmony("title").form("localized"): keys, .harmony("body").form("localized"): keys,
        .harmony("tap.link"): taps, .harmony("tap.activity"): taps,
    ]

    private static let unsupported = HuaweiTables.unsupported("HarmonyOS").merging(
        .unsupported([
            (.tags, "HarmonyOS has no tags; keep them beside the tokens of your devices"),
            ([.validate], "HarmonyOS has no dry run; send a test message with the option pushOptions.testMessage"),
            ([.probeCredentials], "HarmonyOS has no call that changes nothing"),
            ([.mintKeys], "HarmonyOS takes keys that the client makes"),
        ])
    ) { $1 }

    private static let limits: Limits = {
        var bounds = HuaweiTables.limits(parameters)
        bounds[.harmonyTestDevices] = Limit(10, .count, .reject, source: parameters)
        bounds[.idempotencyKey] = Limit(64, .characters, .reject, source: parameters)
        return Limits(
            bounds,
            characters: [
                .idempotencyKey: AllowedCharacters(
                    "letters, digits, blanks and + / = - _", ascii: AllowedCharacters.alphanumerics + "+/=-_ ",
                    ranges: [],
                    source: parameters)
            ])
    }()
}
