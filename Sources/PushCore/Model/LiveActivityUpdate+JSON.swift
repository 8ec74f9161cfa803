public import FoundationEssentials

extension LiveActivityUpdate {
    /// The last second that every JSON reader represents exactly.
    private static let lastSecond = 9_007_199_254_740_991.0

    private static let keys: Set<String> = [
        "event", "content-state", "timestamp", "stale-date", "dismissal-date", "attributes-type", "attributes", "alert",
        "relevance-score", "input-push-token", "input-push-channel",
    ]

    /// Reads a message's `liveActivity`. Refuses with `invalidArgument` an unknown key, a value of the wrong form, both
    /// inputs at once, and everything that ``check(at:)`` refuses.
    public init(_ json: JSONValue, at now: Date) throws(PushError) {
        func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the Live Activity: \(text)") }
        guard case .object(let fields) = json else { throw refusal("it must be a JSON object") }
        if let key = fields.keys.sorted().first(where: { !Self.keys.contains($0) }) {
            throw refusal(
                "unknown key \(Redaction.quoted(key)); known keys are \(Self.keys.sorted().joined(separator: ", "))")
        }
        guard let event = fields["event"]?.stringValue.flatMap(Event.init) else {
            throw refusal("event must be start, update or end")
        }
        func object(_ key: String) throws(PushError) -> [String: JSONValue]? {
            guard let value = fields[key] else { return nil }
            guard case .object(let object) = value else { throw refusal("\(key) must be an object") }
            return object
        }
        func date(_ key: String) throws(PushError) -> Date? {
            guard let value = fields[key] else { return nil }
            guard let seconds = value.intValue else { throw refusal("\(key) must be whole seconds since 1970") }
            return Date(timeIntervalSince1970: Double(seconds))
        }
        self.init(event, content: try object("content-state"))
        timestamp = try date("timestamp")
        staleDate = try date("stale-date")
        dismissalDate = try date("dismissal-date")
        if let type = fields["attributes-type"] {
            guard let text = type.stringValue else { throw refusal("attributes-type must be a text") }
            attributesType = text
        }
        attributes = try object("attributes")
        alert = fields["alert"]
        if let score = fields["relevance-score"] {
            guard case .number(let number) = score else { throw refusal("relevance-score must be a number") }
            relevanceScore = Double(number.description)
        }
        switch (fields["input-push-token"], fields["input-push-channel"]) {
        case (nil, nil): break
        case (let flag?, nil) where flag.intValue == 1: input = .token
        case (nil, .string(let channel)?) where !channel.isEmpty: input = .channel(channel)
        default: throw refusal("give input-push-token 1, or input-push-channel with the id of a channel, not both")
        }
        try check(at: now)
    }

    /// Refuses, with `invalidArgument`, an update that a device would ignore or that has no JSON form:
    ///
    /// - one without content, except an end;
    /// - a start without attributes, the name of their type or an alert;
    /// - an update or an end with attributes, the name of their type or an input;
    /// - an alert that is neither a text nor an object;
    /// - a timestamp, a stale date or a dismissal date before 1970, or too far ahead for a number of seconds in JSON;
    /// - a relevance score that is not finite;
    /// - a timestamp more than eight hours ahead of `now`.
    public func check(at now: Date) throws(PushError) {
        func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the Live Activity: \(text)") }
        guard content != nil || event == .end else { throw refusal("content-state is missing") }
        if event == .start {
            guard attributesType?.isEmpty == false else { throw refusal("a start needs attributes-type") }
            guard attributes != nil else { throw refusal("a start needs attributes") }
            guard alert != nil else { throw refusal("a start needs an alert") }
        } else if input != nil || attributes != nil || attributesType != nil {
            throw refusal("attributes, attributes-type and input-push-… are for a start")
        }
        if let alert {
            switch alert {
            case .object, .string: break
            default: throw refusal("the alert must be a text or an object")
            }
        }
        for (name, date) in [("timestamp", timestamp), ("stale-date", staleDate), ("dismissal-date", dismissalDate)] {
            guard let date, !(0...Self.lastSecond).contains(date.timeIntervalSince1970) else { continue }
            throw refusal("\(name) is before 1970, or too far ahead for a number of seconds")
        }
        if let relevanceScore, !relevanceScore.isFinite { throw refusal("relevance-score must be a number") }
        if let timestamp, timestamp > now.addingTimeInterval(8 * 3600) {
            throw refusal("the timestamp is more than eight hours ahead, and the device would ignore it")
        }
    }

    /// The keys of `aps`, with dates in whole seconds. The timestamp is `now` if the change has none.
    public func fields(at now: Date?) -> [String: JSONValue] {
        func seconds(_ date: Date?) -> JSONValue? {
            date.flatMap { Int(exactly: $0.timeIntervalSince1970.rounded(.down)) }.map {
                JSONValue(integerLiteral: max(0, $0))
            }
        }
        var fields: [String: JSONValue] = ["event": .string(event.rawValue)]
        fields["content-state"] = content.map(JSONValue.object)
        fields["timestamp"] = seconds(timestamp ?? now)
        fields["stale-date"] = seconds(staleDate)
        fields["dismissal-date"] = seconds(dismissalDate)
        fields["attributes-type"] = attributesType.map(JSONValue.string)
        fields["attributes"] = attributes.map(JSONValue.object)
        fields["alert"] = alert
        fields["relevance-score"] = relevanceScore.map(JSONValue.init(exactly:))
        switch input {
        case .token: fields["input-push-token"] = 1
        case .channel(let id): fields["input-push-channel"] = .string(id)
        case nil: break
        }
        return fields
    }
}
