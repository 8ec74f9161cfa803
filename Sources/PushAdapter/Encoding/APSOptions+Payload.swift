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

    /// Refuses values that no device accepts, and values that do not fit the push, with `invalidArgument`.
    /// - Parameters:
    ///   - hasNotification: whether the message has a notification, to whose alert the options add.
    ///   - isAlert: whether the push may be seen and heard. An APNs push may be an alert without a notification.
    ///   - place: the name of these options in the error: `the APNs option aps`.
    public func check(hasNotification: Bool, isAlert: Bool, in place: String) throws(PushError) {
        func refuse(_ name: String, _ advice: String) throws(PushError) {
            throw PushError(.invalidArgument, "\(place).\(name) does not fit: \(advice)")
        }
        if !hasNotification, alert != nil { try refuse("alert", "it needs a notification in the message") }
        if !isAlert {
            let visible: [(name: String, isGiven: Bool)] = [
                ("sound", sound != nil), ("target-content-id", targetContentID != nil),
                ("url-args", urlArguments != nil),
            ]
            if let (name, _) = visible.first(where: { $0.isGiven }) {
                try refuse(name, "it needs a notification in the message")
            }
        }
        if let relevanceScore {
            guard isAlert else {
                return try refuse("relevance-score", "give it in the Live Activity, or with a notification")
            }
            if !(0...1).contains(relevanceScore) { try refuse("relevance-score", "give a number from 0 to 1") }
        }
        try sound?.check(in: place)
    }
}

extension APSOptions.CriticalSound {
    /// The sound as Apple's JSON object.
    public var json: JSONValue {
        var fields: [String: JSONValue] = ["critical": 1, "name": .string(name)]
        fields["volume"] = volume.map(JSONValue.init(exactly:))
        return .object(fields)
    }

    /// Refuses values that no device accepts, with `invalidArgument`.
    /// - Parameter place: the name of the options in the error: `the APNs option aps`.
    public func check(in place: String) throws(PushError) {
        func refuse(_ name: String, _ advice: String) throws(PushError) {
            throw PushError(.invalidArgument, "\(place).sound.\(name) does not fit: \(advice)")
        }
        if let volume, !(0...1).contains(volume) { try refuse("volume", "give a number from 0 to 1") }
        if critical != 1 { try refuse("critical", "leave it out, or give 1") }
        if name.isEmpty { try refuse("name", "give a file of the app, or default") }
    }
}
