public import FoundationEssentials
public import PushCore

/// A change of a Live Activity, in Apple's terms: the typed form of a message's `liveActivity`, and what a broadcast carries.
///
/// ```swift
/// let message = Message(liveActivity: LiveActivityUpdate(.update, content: ["eta": 9]).json)
/// ```
///
/// Source: Starting and updating Live Activities with ActivityKit push notifications, 2026.
public struct LiveActivityUpdate: Sendable, Hashable {
    /// What happens to the activity.
    public enum Event: String, Sendable, Hashable, CaseIterable {
        /// It appears; needs ``attributes``, ``attributesType`` and ``alert``. iOS 17.2.
        case start
        /// It shows something else.
        case update
        /// It shows its last content, and disappears at ``dismissalDate``, at most four hours later.
        case end
    }

    /// How the app of a new activity gets its updates. iOS 18.
    public enum Input: Sendable, Hashable {
        /// By a token of its own.
        case token
        /// By the channel with this id.
        case channel(String)
    }

    /// What happens.
    public var event: Event
    /// What the activity shows, as its app decodes it; may be left out at the end.
    public var content: [String: JSONValue]?
    /// The moment of the change, in whole seconds; nil for the moment of the send. A device ignores one that is older than
    /// its last one, or more than eight hours ahead.
    public var timestamp: Date?
    /// When the content is out of date.
    public var staleDate: Date?
    /// When an activity that ended disappears; a date in the past removes it at once.
    public var dismissalDate: Date?
    /// The name of the type of the attributes; for a start.
    public var attributesType: String?
    /// What never changes in the activity; for a start.
    public var attributes: [String: JSONValue]?
    /// A text that announces the change, in the form of Apple's `alert`.
    public var alert: JSONValue?
    /// Which activity comes first, if there are several.
    public var relevanceScore: Double?
    /// How a new activity is updated; for a start.
    public var input: Input?

    /// A change with this content; set the rest.
    public init(_ event: Event, content: [String: JSONValue]? = nil) {
        self.event = event
        self.content = content
    }

    /// The change for a message's `liveActivity`.
    public var json: JSONValue { .object(fields(at: nil)) }
}

extension LiveActivityUpdate {
    /// The last second that every JSON reader takes exactly.
    private static let lastSecond = 9_007_199_254_740_991.0

    private static let keys: Set<String> = [
        "event", "content-state", "timestamp", "stale-date", "dismissal-date", "attributes-type", "attributes", "alert",
        "relevance-score", "input-push-token", "input-push-channel",
    ]

    /// Reads a message's `liveActivity`, and checks what the vendor's page asks for.
    init(_ json: JSONValue, at now: Date) throws(PushError) {
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

    /// Refuses what the device would not take.
    func check(at now: Date) throws(PushError) {
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

    /// The keys of `aps`; the timestamp is this moment if the change has none.
    func fields(at now: Date?) -> [String: JSONValue] {
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
