import PushAdapter

extension SessionRules {
    /// JPush's current generation (`JPUSHService`), at its version 3.0.8.
    public static let jpush = jpush(SDKVersion(3, 0, 8))

    /// JPush's current generation (`JPUSHService`) at a version of its SDK, with the calls that its guide dates up to
    /// that version. Tags and aliases have ten special characters since 2.1.9.
    public static func jpush(_ version: SDKVersion) -> SessionRules {
        var rules = SessionRules(name: "JPush \(version)", calls: calls(of: jpushDates, at: version))
        rules.limits = limits(tags: 1000, specials: version >= SDKVersion(2, 1, 9) ? tenSpecials : "")
        rules.bytes = bytes(5 * kilobyte, overlay: 7 * kilobyte)
        rules.slots = oneOfEach
        rules.windows = [Window(settings, 10, in: .seconds(10)), Window([.setPhone], 3, in: .seconds(10))]
        rules.badges = 0...99_999
        return rules
    }

    /// JPush's old generation (`APService`): it sets tags and alias, together or separately, and reads nothing.
    public static let jpushLegacy: SessionRules = {
        var rules = SessionRules(
            name: "JPush, old generation",
            calls: [
                .overlay, .overlayTags, .overlayAlias, .filterTags, .customMessages, .registrationID, .pages, .openUDID,
            ])
        rules.limits = limits(tags: 100, specials: "")
        rules.bytes = bytes(nil, overlay: kilobyte)
        rules.countsAliasBytes = true
        return rules
    }()

    /// EngageLab's generation (`MTPushService`) at a version of its SDK, with the calls that its guide dates up to that
    /// version: from 3.0.0 on.
    ///
    /// Its guide names no window for tags and aliases, and no overlay. The rule of one request of a kind in flight is
    /// inferred from JPush, from which the SDK descends. The limit of 24 bytes for an app's Live Activity id is a
    /// reading of a broken sentence.
    public static func mtpush(_ version: SDKVersion) -> SessionRules {
        var rules = SessionRules(name: "MTPush \(version)", calls: calls(of: mtpushDates, at: version))
        rules.limits = limits(tags: 1000, specials: tenSpecials)
        // An overlay made from other calls has the byte limit of `setTags`.
        rules.bytes = bytes(5 * kilobyte, overlay: 5 * kilobyte)
        rules.slots = oneOfEach
        rules.windows = [Window([.setPhone], 3, in: .seconds(10))]
        rules.badges = 0...99_999
        rules.activityBytes = 24
        return rules
    }

    /// TPNS (`XGPush`, `XGPushTokenManager`), at its version 1.4.0.5.
    public static let tpns = tpns(SDKVersion(1, 4, 0, 5))

    /// TPNS (`XGPush`, `XGPushTokenManager`) at a version of its SDK, with the calls that its guide dates up to that
    /// version. Tags, accounts and attributes may have any characters. There are no aliases, and no calls before the
    /// device is registered. It polls for in-app messages since 1.3.4.0, by the SDK's header.
    public static func tpns(_ version: SDKVersion) -> SessionRules {
        var rules = SessionRules(name: "TPNS \(version)", calls: calls(of: tpnsDates, at: version))
        let noBlanks = AllowedCharacters(
            "everything but blanks and tabs",
            ascii: String(String.UnicodeScalarView((0...0x7F).map { Unicode.Scalar($0 as UInt8) })).filter {
                $0 != " " && $0 != "\t"
            },
            ranges: [0x80...0x10FFFF], source: guide)
        rules.limits = Limits(
            [
                .attributeName: Limit(50, .characters, .reject, source: guide),
                .attributeValue: Limit(50, .characters, .reject, source: guide),
            ], characters: [.tagLength: noBlanks, .attributeName: noBlanks, .attributeValue: noBlanks])
        rules.slots = [.queryTags: [.query]]
        rules.phoneForm = .e164
        rules.largestPage = 200
        if version >= SDKVersion(1, 3, 4, 0) {
            rules.polling = Polling(shortest: .seconds(10), usual: .seconds(258))
        }
        rules.phoneAccountType = 1002
        rules.stoppingEndsRegistration = true
        return rules
    }

    // MARK: Dates

    /// Calls with the first version that has them.
    private typealias Dates = [(since: SDKVersion, calls: Set<SessionCall.Kind>)]

    private static func calls(of dates: Dates, at version: SDKVersion) -> Set<SessionCall.Kind> {
        dates.reduce(into: []) { if $1.since <= version { $0.formUnion($1.calls) } }
    }

    private static let jpushDates: Dates = [
        (SDKVersion(1, 2, 5), [.customMessages]),
        (SDKVersion(1, 4, 0), [.overlay, .overlayTags, .overlayAlias, .filterTags]),
        (SDKVersion(1, 7, 0), [.pages, .registrationID]),
        (SDKVersion(1, 7, 4), [.setBadge]),
        (SDKVersion(1, 8, 0), [.oldLocalNotifications, .location, .crashLog]),
        (SDKVersion(2, 1, 0), [.background, .overlayBlock]),
        (SDKVersion(2, 1, 9), [.registration, .notifications, .localNotifications]),
        (SDKVersion(3, 0, 6), sequenced.union([.voipToken])),
        // Version 1.0.0 of the extension's SDK came with it.
        (SDKVersion(3, 0, 7), [.receipts]),
        (SDKVersion(3, 0, 8), [.setPhone]),
    ]

    private static let mtpushDates: Dates = [
        (
            SDKVersion(3, 0, 0),
            [
                .setPhone, .setBadge, .setLanguage, .registration, .registrationID, .customMessages, .notifications,
                .localNotifications, .receipts,
            ]
        ),
        (SDKVersion(3, 1, 1), [.openSettings]),
        (SDKVersion(3, 3, 0), [.encryption]),
        (SDKVersion(3, 5, 0), sequenced),
        (SDKVersion(4, 3, 4), [.appGroup]),
        (SDKVersion(4, 4, 0), [.voipToken, .liveActivityStart, .liveActivityUpdate]),
    ]

    private static let tpnsDates: Dates = [
        (SDKVersion(1, 0, 0, 0), [.setBadge]),
        (SDKVersion(1, 2, 4, 1), [.logUpload]),
        (SDKVersion(1, 2, 7, 2), [.accessID, .registrationFailure]),
        (
            SDKVersion(1, 2, 9, 0),
            [
                .addTags, .setTags, .deleteTags, .cleanTags, .upsertAccounts, .deleteAccounts, .clearAccounts,
                .upsertAttributes, .deleteAttributes, .clearAttributes, .replaceAttributes,
            ]
        ),
        (SDKVersion(1, 3, 1, 0), [.queryTags, .permission]),
        (SDKVersion(1, 3, 2, 0), [.setPhone]),
    ]

    // MARK: Limits

    private static let kilobyte = 1024
    private static let guide = "the vendor's iOS SDK guide"
    private static let tenSpecials = "@!#$&*+=.|"

    private static let sequenced: Set<SessionCall.Kind> = [
        .addTags, .setTags, .deleteTags, .cleanTags, .getAllTags, .validTag, .setAlias, .deleteAlias, .getAlias,
    ]
    private static let settings: Set<SessionCall.Kind> = [
        .addTags, .setTags, .deleteTags, .cleanTags, .setAlias, .deleteAlias, .overlay, .overlayTags, .overlayAlias,
    ]
    /// One request about tags and one about the alias, queries included. An overlay takes both slots, a background
    /// update takes none.
    private static let oneOfEach: [SessionCall.Kind: [SessionSubject]] = [
        .addTags: [.tags], .setTags: [.tags], .deleteTags: [.tags], .cleanTags: [.tags], .getAllTags: [.tags],
        .validTag: [.tags], .setAlias: [.alias], .deleteAlias: [.alias], .getAlias: [.alias],
        .overlay: [.tags, .alias], .overlayTags: [.tags], .overlayAlias: [.alias],
    ]

    private static func limits(tags: Int, specials: String) -> Limits {
        let letters = AllowedCharacters(
            specials.isEmpty ? "letters, digits, _ and Chinese" : "letters, digits, Chinese and _\(specials)",
            ascii: AllowedCharacters.alphanumerics + "_" + specials, ranges: AllowedCharacters.han, source: guide)
        return Limits(
            [
                .tagLength: Limit(40, .utf8Bytes, .reject, source: guide),
                .aliasLength: Limit(40, .utf8Bytes, .reject, source: guide),
                .tagsPerCall: Limit(tags, .count, .reject, source: guide),
                .phoneLength: Limit(20, .characters, .reject, source: guide),
            ], characters: [.tagLength: letters, .aliasLength: letters])
    }

    private static func bytes(_ sequenced: Int?, overlay: Int) -> [SessionCall.Kind: Int] {
        var bytes: [SessionCall.Kind: Int] = [:]
        for kind: SessionCall.Kind in [.addTags, .setTags, .deleteTags] { bytes[kind] = sequenced }
        for kind: SessionCall.Kind in [.overlay, .overlayTags, .overlayAlias, .background] { bytes[kind] = overlay }
        return bytes
    }
}
