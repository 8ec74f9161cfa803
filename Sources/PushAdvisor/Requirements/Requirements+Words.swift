public import PushAdapter

extension Requirements {
    /// Common words for things, and the needs behind each word.
    public static let words: [(word: String, needs: [Need])] = [
        ("tags", features(.addTags, .removeTags, .audienceTagsAnyOf)),
        ("read-tags", features(.readTags)),
        ("replace-tags", features(.replaceTags)),
        ("alias", features(.setAlias, .removeAlias, .audienceAliases)),
        ("shared-alias", [.aliasSharing(.several)]),
        ("own-alias", [.aliasSharing(.one)]),
        ("accounts", features(.addAccounts, .removeAccounts, .audienceAccounts)),
        ("attributes", features(.addAttributes, .removeAttributes)),
        ("phone", features(.setPhone, .removePhone)),
        ("custom-message", features(.contentCustom)),
        ("live-activity", features(.contentLiveActivity)),
        ("voip", features(.contentVoIP)),
        ("badge", features(.contentBadgeArithmetic)),
        ("segments", features(.audienceSegment)),
        ("validation", features(.validate)),
        ("schedules", features(.createSchedule, .removeSchedule, .scheduleOnce)),
        ("recurring-schedules", features(.createSchedule, .scheduleRecurring)),
        ("reports", features(.readDeliveries)),
        ("idempotency", [.idempotencyKeys]),
        ("message-class", [.field(.messageClass)]),
        ("message-template", [.field(.template)]),
    ]

    /// Common words for limits.
    public static let limitWords: [(word: String, limit: LimitKey)] = [
        ("tags-per-device", .tagsPerDevice), ("tag-length", .tagLength), ("alias-length", .aliasLength),
        ("devices-per-alias", .devicesPerAlias), ("devices-per-request", .devicesPerSend),
        ("aliases-per-request", .aliasesPerSend), ("tags-per-audience", .tagsPerSend),
        ("attributes-per-device", .attributesPerDevice), ("schedules", .schedules),
        ("seconds-to-live", .timeToLive), ("seconds-ahead", .scheduleHorizon),
    ]

    private static func features(_ features: Feature...) -> [Need] { features.map { .feature($0) } }

    static func needs(_ text: String) throws(PushError) -> [Need] {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 {
            let limit =
                limitWords.first { $0.word == parts[0] }?.limit
                ?? LimitKey.model.first { $0.limit.rawValue == parts[0] }?.limit
            guard let limit else {
                throw unknown(text, "the limits \(limitWords.map(\.word).joined(separator: ", "))")
            }
            guard let number = Int(parts[1]), number > 0 else {
                throw PushError(
                    .invalidArgument, "the need \(Redaction.quoted(text)) needs a number from 1 to \(Int.max)")
            }
            return [.limit(limit, atLeast: number)]
        }
        if let known = words.first(where: { $0.word == text }) { return known.needs }
        if limitWords.contains(where: { $0.word == text }) {
            throw PushError(.invalidArgument, "the need \(text) takes a number: \(text)=N")
        }
        guard Feature.model.contains(where: { $0.feature.rawValue == text }) else {
            throw unknown(text, words.map(\.word).joined(separator: ", ") + ", a feature such as tags.replace")
        }
        return [.feature(Feature(text))]
    }

    private static func unknown(_ text: String, _ known: String) -> PushError {
        PushError(.invalidArgument, "unknown need \(Redaction.quoted(text)); known are \(known)")
    }
}
