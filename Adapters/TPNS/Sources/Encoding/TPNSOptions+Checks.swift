import PushAdapter

extension TPNSOptions {
    /// The rules of an app's options. Those about an audience are in ``check(_:)``.
    static func rules(on platform: Platform) -> [OptionRule] { platform == .ios ? onIOS : onAndroid }

    private static let onIOS: [OptionRule] =
        rules + [.excludes("ios.mutable-content", is: 0, .field(.ios("isMutable")))]

    private static let onAndroid: [OptionRule] =
        rules + [.needs("ntf_wt_attrs", is: true, .option("default_title"))]

    private static let rules: [OptionRule] =
        [
            .defaultTitle, .defaultContent, .defaultSubtitle, .mediaResources, .audioResources, .threadSummary,
            .acceptTime, .showType, .ios, .android, CodingKeys.usesAttributes,
        ]
        .map { .needs($0.rawValue, .notification) } + [
            .oneOf("account_push_type", 0, 1), .oneOf("ignore_invalid_token", 0, 1),
            .oneOf("tpns_online_push_type", 0, 1), .oneOf("show_type", 1, 2), .number("push_speed", 1000...50_000),
            .form("send_time", "a time as 2026-12-01 09:30:00; see vendorTime(of:)", refusing: ["2026-12-01T09:30:00"])
            {
                TPNSClock.fits($0.stringValue ?? "", TPNSClock.moment)
            },
            .needs("force_collapse", .option("collapse_id")), .needs("resend_by_sms", is: true, .option("sms_info")),
            .needs("ntf_wt_attrs", is: true, .option("default_content")),
            .form(
                "channel_rules", "the channels " + TPNSChannelRule.channels.sorted().joined(separator: ", "),
                refusing: [[["channel": "sms", "disable": true]]]
            ) { rules in
                rules.arrayValue?.allSatisfy { TPNSChannelRule.channels.contains($0["channel"]?.stringValue ?? "") }
                    ?? false
            },
            .form(
                "tag_rules", "one or more rules, each with an item, each item with a tag",
                refusing: [[], [["tag_items": [], "operator": "OR", "is_not": false]]]
            ) { rules in
                hasItems(rules) { hasItems($0["tag_items"]) { hasItems($0["tags"]) { _ in true } } }
            },
            .custom(
                "loop_param",
                "a first and a last day such as 2026-12-01, times such as 09:30:00, and days of the rhythm: 0 for daily, "
                    + "0 to 6 for weekly, 1 to 31 for monthly", refusing: TPNSLoop.refused
            ) { _, message in ((try? message.options(TPNSOptions.self)) ?? nil)?.loop?.isComplete ?? true },
        ]

    /// Whether a list has an item, and each item passes the test.
    private static func hasItems(_ list: JSONValue?, _ test: (JSONValue) -> Bool) -> Bool {
        list?.arrayValue.map { !$0.isEmpty && $0.allSatisfy(test) } ?? false
    }

    /// Refuses options that the vendor does not accept for the audience.
    func check(_ target: PushTarget) throws(PushError) {
        func refuse(_ key: CodingKeys, _ advice: String) -> PushError {
            PushError(.invalidArgument, "the tpns option \(key.rawValue) does not fit; \(advice)")
        }
        var takesTimes = target.isBroad
        var isForAccounts = false
        switch target {
        case .package(let package):
            if case .accounts = package.kind { isForAccounts = true }
            takesTimes = isForAccounts
        case .accounts: isForAccounts = true
        default: break
        }
        if !takesTimes {
            let given: [(CodingKeys, Bool)] = [
                (.sendTime, sendTime != nil), (.loop, loop != nil), (.pushSpeed, pushSpeed != nil),
                (.collapseID, collapseID != nil),
            ]
            if let key = given.first(where: \.1)?.0 {
                throw refuse(key, "send it to everyone, tags or account packages only")
            }
        }
        if accountPushType != nil, !isForAccounts { throw refuse(.accountPushType, "send it to accounts only") }
        if ignoreInvalidToken != nil {
            guard case .devices = target else { throw refuse(.ignoreInvalidToken, "send it to devices only") }
        }
    }
}

extension TPNSLoop {
    fileprivate var isComplete: Bool {
        let range = [Rhythm.daily: 0...0, .weekly: 0...6, .monthly: 1...31][rhythm, default: 0...0]
        return TPNSClock.fits(startDate, TPNSClock.day) && TPNSClock.fits(endDate, TPNSClock.day)
            && startDate <= endDate && !times.isEmpty && times.allSatisfy { TPNSClock.fits($0, TPNSClock.time) }
            && !days.isEmpty && days.allSatisfy(range.contains)
    }

    /// Loops that are not complete, in JSON.
    fileprivate static let refused: [JSONValue] = [
        json(to: "2026-11-30"), json(at: []), json(2, on: 7), json(3, on: 0), json(to: "31.12.2026"),
    ]

    private static func json(
        _ rhythm: JSONValue = 1, to last: JSONValue = "2026-12-02", on day: JSONValue = 0,
        at times: JSONValue = ["09:00:00"]
    ) -> JSONValue {
        [
            "startDate": "2026-12-01", "endDate": last, "loopType": rhythm, "loopDayIndexs": [day],
            "dayTimes": times,
        ]
    }
}
