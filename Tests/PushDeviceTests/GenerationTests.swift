import PushAdapter
import PushDevice
import Testing

/// The SDK version from which the rules have a call.
@Suite("Versions of the SDKs")
struct GenerationTests {
    struct Date: Sendable, CustomTestStringConvertible {
        var generation: String
        var rules: @Sendable (SDKVersion) -> SessionRules
        var before: SDKVersion
        var since: SDKVersion
        var kinds: [SessionCall.Kind]
        var testDescription: String { "\(generation) \(since)" }
    }

    private static func jpush(_ before: SDKVersion, _ since: SDKVersion, _ kinds: SessionCall.Kind...) -> Date {
        Date(generation: "JPush", rules: { .jpush($0) }, before: before, since: since, kinds: kinds)
    }
    private static func mtpush(_ before: SDKVersion, _ since: SDKVersion, _ kinds: SessionCall.Kind...) -> Date {
        Date(generation: "MTPush", rules: { .mtpush($0) }, before: before, since: since, kinds: kinds)
    }
    private static func tpns(_ before: SDKVersion, _ since: SDKVersion, _ kinds: SessionCall.Kind...) -> Date {
        Date(generation: "TPNS", rules: { .tpns($0) }, before: before, since: since, kinds: kinds)
    }

    static let dates: [Date] = [
        jpush(SDKVersion(1, 2, 4), SDKVersion(1, 2, 5), .customMessages),
        jpush(SDKVersion(1, 3, 9), SDKVersion(1, 4, 0), .overlay, .overlayTags, .overlayAlias, .filterTags),
        jpush(SDKVersion(1, 6, 9), SDKVersion(1, 7, 0), .pages, .registrationID),
        jpush(SDKVersion(1, 7, 3), SDKVersion(1, 7, 4), .setBadge),
        jpush(SDKVersion(1, 7, 9), SDKVersion(1, 8, 0), .oldLocalNotifications, .location, .crashLog),
        jpush(SDKVersion(2, 0, 9), SDKVersion(2, 1, 0), .background, .overlayBlock),
        jpush(SDKVersion(2, 1, 8), SDKVersion(2, 1, 9), .registration, .notifications, .localNotifications),
        jpush(
            SDKVersion(3, 0, 5), SDKVersion(3, 0, 6), .addTags, .setTags, .deleteTags, .cleanTags, .getAllTags,
            .validTag, .setAlias, .deleteAlias, .getAlias, .voipToken),
        jpush(SDKVersion(3, 0, 6), SDKVersion(3, 0, 7), .receipts),
        jpush(SDKVersion(3, 0, 7), SDKVersion(3, 0, 8), .setPhone),
        mtpush(
            SDKVersion(2, 9, 9), SDKVersion(3, 0, 0), .setPhone, .setBadge, .setLanguage, .registration,
            .registrationID, .customMessages, .notifications, .localNotifications, .receipts),
        mtpush(SDKVersion(3, 1, 0), SDKVersion(3, 1, 1), .openSettings),
        mtpush(SDKVersion(3, 2, 9), SDKVersion(3, 3, 0), .encryption),
        mtpush(SDKVersion(3, 4, 9), SDKVersion(3, 5, 0), .addTags, .setAlias, .getAlias),
        mtpush(SDKVersion(4, 3, 3), SDKVersion(4, 3, 4), .appGroup),
        mtpush(SDKVersion(4, 3, 9), SDKVersion(4, 4, 0), .voipToken, .liveActivityStart, .liveActivityUpdate),
        tpns(SDKVersion(1, 2, 4, 0), SDKVersion(1, 2, 4, 1), .logUpload),
        tpns(SDKVersion(1, 2, 7, 1), SDKVersion(1, 2, 7, 2), .accessID, .registrationFailure),
        tpns(
            SDKVersion(1, 2, 7, 2), SDKVersion(1, 2, 9, 0), .addTags, .setTags, .deleteTags, .cleanTags,
            .upsertAccounts, .deleteAccounts, .clearAccounts, .upsertAttributes, .deleteAttributes, .clearAttributes,
            .replaceAttributes),
        tpns(SDKVersion(1, 3, 0, 9), SDKVersion(1, 3, 1, 0), .queryTags, .permission),
        tpns(SDKVersion(1, 3, 1, 9), SDKVersion(1, 3, 2, 0), .setPhone),
    ]

    @Test("a generation has a call since the version that its guide names, and refuses it before", arguments: dates)
    func since(date: Date) async {
        for kind in date.kinds {
            #expect(date.rules(date.since).calls.contains(kind), "\(kind)")
            let session = Stage(date.rules(date.before)).session
            let fault = session.refusal(of: kind)
            #expect(fault?.reason == .unsupported && fault?.error.kind == .unsupported, "\(kind)")
        }
    }

    @Test("rules without a call on the device refuse it")
    func without() {
        let none: [(SessionRules, [SessionCall.Kind])] = [
            (
                .jpushLegacy,
                [.receipts, .notifications, .localNotifications, .location, .crashLog, .registration, .overlayBlock]
            ),
            (.tpns, [.receipts, .appGroup, .encryption, .openSettings, .pages, .filterTags, .registrationID]),
            (.jpush, [.openSettings, .encryption, .appGroup, .openUDID, .accessID]),
            (.mtpush(SDKVersion(4, 4, 0)), [.filterTags, .overlayBlock]),
        ]
        for (rules, kinds) in none {
            for kind in kinds { #expect(Stage(rules).session.refusal(of: kind) != nil, "\(rules.name) \(kind)") }
        }
    }

    @Test("TPNS polls for in-app messages since 1.3.4.0, and its version has four numbers")
    func polling() {
        #expect(SessionRules.tpns(SDKVersion(1, 3, 3, 0)).polling == nil)
        #expect(SessionRules.tpns(SDKVersion(1, 3, 4, 0)).polling != nil)
        #expect(SessionRules.tpns.name == "TPNS 1.4.0.5" && SessionRules.jpush.name == "JPush 3.0.8")
        #expect(throws: SessionFault.self) {
            try Stage(.tpns(SDKVersion(1, 3, 3, 0))).session.setPollingInterval(.seconds(20))
        }
    }
}
