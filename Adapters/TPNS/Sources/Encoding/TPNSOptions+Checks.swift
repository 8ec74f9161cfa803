import PushAdapter

extension TPNSOptions {
    /// Whether any option applies to notifications only.
    var showsSomething: Bool {
        usesAttributes != nil || defaultTitle != nil || defaultContent != nil || defaultSubtitle != nil
            || mediaResources != nil || audioResources != nil || threadSummary != nil || acceptTime != nil
            || showType != nil || ios != nil || android != nil
    }

    /// Refuses values that the vendor does not accept, and options that it does not accept for the audience.
    func check(_ target: PushTarget, _ platform: Platform) throws(PushError) {
        func refuse(_ key: CodingKeys, _ reason: String) -> PushError {
            PushError(.invalidArgument, "the option \(key.rawValue): \(reason)")
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
                throw refuse(key, "TPNS takes it for everyone, tags and account packages only")
            }
        }
        if accountPushType != nil, !isForAccounts { throw refuse(.accountPushType, "it goes with accounts only") }
        if ignoreInvalidToken != nil {
            guard case .devices = target else { throw refuse(.ignoreInvalidToken, "it goes with devices only") }
        }
        for (key, value) in [
            (CodingKeys.accountPushType, accountPushType), (.ignoreInvalidToken, ignoreInvalidToken),
            (.onlinePushType, onlinePushType), (.showType, showType.map { $0 - 1 }),
        ] {
            if let value, ![0, 1].contains(value) {
                throw refuse(key, key == .showType ? "give 1 or 2" : "give 0 or 1")
            }
        }
        if let pushSpeed, !(1000...50_000).contains(pushSpeed) { throw refuse(.pushSpeed, "give 1000 to 50000") }
        if let sendTime, !TPNSClock.fits(sendTime, TPNSClock.moment) {
            throw refuse(.sendTime, "give it as 2026-12-01 09:30:00; see vendorTime(of:)")
        }
        if forcesCollapse != nil, collapseID == nil { throw refuse(.forcesCollapse, "it needs collapse_id") }
        if resendsBySMS == true, smsInfo == nil { throw refuse(.resendsBySMS, "it needs sms_info") }
        if usesAttributes == true, defaultContent == nil { throw refuse(.usesAttributes, "it needs default_content") }
        if usesAttributes == true, platform == .android, defaultTitle == nil {
            throw refuse(.usesAttributes, "on Android it needs default_title")
        }
        if let rule = channelRules?.first(where: { !TPNSChannelRule.channels.contains($0.channel) }) {
            throw refuse(
                .channelRules,
                "unknown channel \(Redaction.quoted(rule.channel)); give one of "
                    + TPNSChannelRule.channels.sorted().joined(separator: ", "))
        }
        if let tagRules {
            guard !tagRules.isEmpty,
                tagRules.allSatisfy({ !$0.items.isEmpty && $0.items.allSatisfy { !$0.tags.isEmpty } })
            else { throw refuse(.tagRules, "give one or more rules, each with an item, each item with a tag") }
        }
        if let loop { try loop.check() }
    }
}

extension TPNSLoop {
    fileprivate func check() throws(PushError) {
        let range = [Rhythm.daily: 0...0, .weekly: 0...6, .monthly: 1...31][rhythm, default: 0...0]
        guard TPNSClock.fits(startDate, TPNSClock.day), TPNSClock.fits(endDate, TPNSClock.day), startDate <= endDate,
            !times.isEmpty, times.allSatisfy({ TPNSClock.fits($0, TPNSClock.time) }), !days.isEmpty,
            days.allSatisfy(range.contains)
        else {
            throw PushError(
                .invalidArgument,
                "give a loop a first and a last day such as 2026-12-01, times such as 09:30:00, and days from "
                    + "\(range.lowerBound) to \(range.upperBound) for its rhythm")
        }
    }
}
