extension APSOptions {
    /// The keys in their payload form; empty if none is set.
    public var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        fields["alert"] = alert.flatMap { alert in
            var more: [String: JSONValue] = [:]
            more["launch-image"] = alert.launchImage.map(JSONValue.string)
            more["action-loc-key"] = alert.actionKey.map(JSONValue.string)
            more["summary-arg"] = alert.summaryArgument.map(JSONValue.string)
            more["summary-arg-count"] = alert.summaryArgumentCount.map { JSONValue(integerLiteral: $0) }
            return more.isEmpty ? nil : .object(more)
        }
        fields["sound"] = sound?.json
        fields["target-content-id"] = targetContentID.map(JSONValue.string)
        fields["relevance-score"] = relevanceScore.map(JSONValue.init(exactly:))
        fields["filter-criteria"] = filterCriteria.map(JSONValue.string)
        fields["url-args"] = urlArguments.map { .array($0.map(JSONValue.string)) }
        return fields
    }
}

extension OptionRule {
    /// The rules of `APSOptions` at a path of a vendor's options: `apns.payload.aps`.
    /// - Parameters:
    ///   - path: the place of the options.
    ///   - other: a substitute for a notification, because such a push may be seen and heard as well.
    public static func aps(_ path: String, or other: Condition? = nil) -> [OptionRule] {
        [.needs("\(path).alert", .notification)]
            + ["sound", "target-content-id", "url-args"].map { .needs("\(path).\($0)", .notification, or: other) }
            + [
                .needs("\(path).relevance-score", .notification, or: other)
                    .advising("give it in the Live Activity, or with a notification"),
                .fraction("\(path).relevance-score"),
            ] + criticalSound("\(path).sound")
    }

    /// The rules of `APSOptions.CriticalSound` at a path of a vendor's options.
    public static func criticalSound(_ path: String) -> [OptionRule] {
        [
            .fraction("\(path).volume"),
            .form("\(path).critical", "1, or leave it out", refusing: [0]) { $0 == 1 },
            .form("\(path).name", "a file of the app, or default", refusing: [""]) { $0 != "" },
        ]
    }
}

extension APSOptions.CriticalSound {
    /// The sound as Apple's JSON object.
    public var json: JSONValue {
        var fields: [String: JSONValue] = ["critical": 1, "name": .string(name)]
        fields["volume"] = volume.map(JSONValue.init(exactly:))
        return .object(fields)
    }
}
