import PushCore

extension SessionRules {
    /// JPush's current generation (`JPUSHService`), at its version 3.0.8.
    public static let jpush = jpush(SDKVersion(3, 0, 8))

    /// JPush's current generation (`JPUSHService`) at a version of its SDK: ten special characters since 2.1.9,
    /// background updates since 2.1.0, calls with a sequence number since 3.0.6, phone numbers since 3.0.8.
    public static func jpush(_ version: SDKVersion) -> SessionRules {
        var rules = SessionRules(name: "JPush \(version)", calls: [.overlay, .overlayTags, .overlayAlias, .setBadge])
        if version >= SDKVersion(2, 1, 0) { rules.calls.insert(.background) }
        if version >= SDKVersion(3, 0, 6) { rules.calls.formUnion(sequenced.union([.voipToken])) }
        if version >= SDKVersion(3, 0, 8) { rules.calls.insert(.setPhone) }
        rules.limits = limits(tags: 1000, specials: version >= SDKVersion(2, 1, 9) ? tenSpecials : "")
        rules.bytes = bytes(5 * kilobyte, overlay: 7 * kilobyte)
        rules.slots = oneOfEach
        rules.windows = [Window(settings, 10, in: .seconds(10)), Window([.setPhone], 3, in: .seconds(10))]
        rules.badges = 0...99_999
        return rules
    }

    /// JPush's old generation (`APService`): it sets tags and alias, together or separately, and reads nothing.
    public static let jpushLegacy: SessionRules = {
        var rules = SessionRules(name: "JPush, old generation", calls: [.overlay, .overlayTags, .overlayAlias])
        rules.limits = limits(tags: 100, specials: "")
        rules.bytes = bytes(nil, overlay: kilobyte)
        rules.countsAliasBytes = true
        return rules
    }()

    /// EngageLab's generation (`MTPushService`) at a version of its SDK: calls about tags and aliases since 3.5.0,
    /// tokens since 4.4.0.
    ///
    /// Its guide names no window for tags and aliases, and no overlay. The rule of one request of a kind in flight is
    /// inferred from JPush, from which the SDK descends. The limit of 24 bytes for an app's Live Activity id is a
    /// reading of a broken sentence.
    public static func mtpush(_ version: SDKVersion) -> SessionRules {
        var rules = SessionRules(name: "MTPush \(version)", calls: [.setPhone, .setBadge, .setLanguage])
        if version >= SDKVersion(3, 5, 0) { rules.calls.formUnion(sequenced) }
        if version >= SDKVersion(4, 4, 0) {
            rules.calls.formUnion([.voipToken, .liveActivityStart, .liveActivityUpdate])
        }
        rules.limits = limits(tags: 1000, specials: tenSpecials)
        // An overlay made from other calls has the byte limit of `setTags`.
        rules.bytes = bytes(5 * kilobyte, overlay: 5 * kilobyte)
        rules.slots = oneOfEach
        rules.windows = [Window([.setPhone], 3, in: .seconds(10))]
        rules.badges = 0...99_999
        rules.activityBytes = 24
        return rules
    }

    /// TPNS (`XGPush`, `XGPushTokenManager`): tags, accounts and attributes with any characters, no aliases, and no
    /// calls before the device is registered.
    public static let tpns: SessionRules = {
        var rules = SessionRules(
            name: "TPNS",
            calls: [
                .addTags, .setTags, .deleteTags, .cleanTags, .queryTags, .setPhone, .upsertAccounts, .deleteAccounts,
                .clearAccounts, .upsertAttributes, .deleteAttributes, .clearAttributes, .replaceAttributes, .setBadge,
            ])
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
        rules.polling = Polling(shortest: .seconds(10), usual: .seconds(258))
        rules.phoneAccountType = 1002
        rules.stoppingEndsRegistration = true
        return rules
    }()

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
