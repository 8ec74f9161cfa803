public import PushAdapter

/// A message that a virtual device received.
public struct DeliveredMessage: Sendable, Hashable {
    /// A change of a Live Activity.
    public struct ActivityChange: Sendable, Hashable {
        /// The kind of a change.
        public enum Event: String, Sendable {
            /// It appears.
            case start
            /// It shows new content.
            case update
            /// It shows its last content and then disappears.
            case end
        }

        /// The activity, or at its start the type of its attributes.
        public var id: String
        /// The kind of the change.
        public var event: Event
        /// The content that it shows.
        public var content: [String: JSONValue]

        /// A change of an activity.
        public init(id: String, event: Event, content: [String: JSONValue]) {
            self.id = id
            self.event = event
            self.content = content
        }
    }

    /// The vendor's id of the message.
    public var messageID: String
    /// The notification's text, nil for none.
    public var alert: String?
    /// The notification's title, nil for none.
    public var title: String?
    /// The notification's second title, nil for none.
    public var subtitle: String?
    /// The name of the sound that it plays, nil for none.
    public var sound: String?
    /// The category whose actions it offers, or that a phone maker demands; nil for none.
    public var category: String?
    /// The thread it is grouped by, nil for none.
    public var thread: String?
    /// The Android channel it is shown in, nil for none.
    public var channel: String?
    /// The address or id of its picture, nil for none.
    public var image: String?
    /// The action of a tap; nil opens the app itself.
    public var tap: TapAction?
    /// The id by which a later message replaces this one on the screen; nil if none does.
    public var collapseID: String?
    /// How urgent it is, in Apple's words; nil for the usual way.
    public var interruptionLevel: String?
    /// Whether the app's extension may change it before it is shown: `mutable-content`.
    public var isMutable = false
    /// Whether it wakes the app in the background: `content-available`.
    public var wakesApp = false
    /// Whether an app in the foreground gets it instead of the screen.
    public var goesToOpenApp = false
    /// The custom message, with its own title and data; nil for none.
    public var custom: CustomMessage?
    /// Whether the custom message is the payload of a push that wakes the app. Vendors without a connection of their
    /// own to an Apple phone send it so.
    public var isCustomInPush = false
    /// The payload of a call; nil for any other message.
    public var call: [String: JSONValue]?
    /// The change to a Live Activity; nil for any other message.
    public var activity: ActivityChange?
    /// The number on the icon after this message; nil if it did not change.
    public var badge: Int?
    /// The app's data that came with the notification.
    public var extras: [String: JSONValue]

    /// A message as it arrived; leave out the parts that it did not contain.
    public init(
        messageID: String, alert: String? = nil, title: String? = nil, custom: CustomMessage? = nil,
        badge: Int? = nil, extras: [String: JSONValue] = [:]
    ) {
        self.messageID = messageID
        self.alert = alert
        self.title = title
        self.custom = custom
        self.badge = badge
        self.extras = extras
    }

    /// Whether it has a text to show.
    public var isVisible: Bool { alert != nil || title != nil || subtitle != nil }
}
