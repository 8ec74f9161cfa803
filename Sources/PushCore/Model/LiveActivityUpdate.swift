public import FoundationEssentials

/// A change of a Live Activity, in Apple's terms: the typed form of a message's `liveActivity`, for APNs and FCM, which
/// take Apple's own keys.
///
/// ```swift
/// let message = Message(liveActivity: LiveActivityUpdate(.update, content: ["eta": 9]).json)
/// ```
///
/// Source: Starting and updating Live Activities with ActivityKit push notifications, 2026.
public struct LiveActivityUpdate: Sendable, Hashable {
    /// The kind of a change.
    public enum Event: String, Sendable, Hashable, CaseIterable {
        /// It appears; needs ``attributes``, ``attributesType`` and ``alert``. iOS 17.2.
        case start
        /// It shows new content.
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

    /// The kind of the change.
    public var event: Event
    /// The content that the activity shows, in the form that its app decodes; optional for an end.
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
    /// The attributes that never change in the activity; for a start.
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
