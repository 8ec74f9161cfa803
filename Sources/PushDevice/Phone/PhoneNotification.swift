public import FoundationEssentials
public import PushAdapter

/// A notification on a phone, pushed or local.
public struct PhoneNotification: Sendable, Hashable, Identifiable {
    /// The texts and the data of a notification.
    public struct Content: Sendable, Hashable {
        /// The first line; empty for none.
        public var title = ""
        /// The second line; empty for none.
        public var subtitle = ""
        /// The text; empty for none.
        public var body = ""
        /// The number that it puts on the icon; nil leaves the icon unchanged, 0 removes the number.
        public var badge: Int?
        /// The sound that it plays; nil for none.
        public var sound: String?
        /// The category whose actions it offers; empty for none.
        public var categoryIdentifier = ""
        /// The group that it belongs to; empty for the app's own group.
        public var threadIdentifier = ""
        /// The address or id of its picture; nil for none.
        public var image: String?
        /// The action of a tap; nil opens the app itself.
        public var tap: TapAction?
        /// How urgent it is, in Apple's words; nil for `active`.
        public var interruptionLevel: String?
        /// The payload: `aps` and the app's own keys, or the data that the app attached.
        public var userInfo: [String: JSONValue] = [:]

        /// A content without texts.
        public init() {}

        /// Whether there is a text to show.
        public var hasText: Bool { !(title.isEmpty && subtitle.isEmpty && body.isEmpty) }
    }

    /// When a notification is shown.
    public enum Trigger: Sendable, Hashable {
        /// It was pushed.
        case push
        /// After a time, once or again and again.
        case timeInterval(Duration, repeats: Bool)
        /// When the local date has these components, once or every time.
        case calendar(DateComponents, repeats: Bool)
        /// When the phone enters a region, once or every time.
        case region(PhoneRegion, repeats: Bool)
        /// At a moment.
        case date(Date)
    }

    /// A request to show a notification.
    public struct Request: Sendable, Hashable, Identifiable {
        /// The app's name for it; a new request of the same name replaces the old one.
        public var identifier: String
        /// The texts and the data.
        public var content: Content
        /// When it is shown; nil for at once.
        public var trigger: Trigger?
        /// The vendor's id of the pushed message; nil for a local notification. Several messages may have the same
        /// identifier, by which each replaces the one before.
        public var messageID: String?

        /// A request; without a trigger, the notification is shown at once.
        public init(identifier: String, content: Content, trigger: Trigger? = nil, messageID: String? = nil) {
            self.identifier = identifier
            self.content = content
            self.trigger = trigger
            self.messageID = messageID
        }

        public var id: String { identifier }
        /// Whether it was pushed and not made on the phone.
        public var isPush: Bool { trigger == .push }
    }

    /// How it is shown while the app is in the foreground.
    public struct Presentation: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Its number goes on the icon.
        public static let badge = Presentation(rawValue: 1)
        /// Its sound is played.
        public static let sound = Presentation(rawValue: 2)
        /// It is shown as a banner, and kept in the notification center.
        public static let alert = Presentation(rawValue: 4)
    }

    /// The user's response to a notification.
    public struct Response: Sendable, Hashable {
        /// The action of a user.
        public enum Action: Sendable, Hashable {
            /// Tapped the notification itself.
            case open
            /// Removed it.
            case dismiss
            /// Chose an action of its category.
            case action(String)
        }

        /// The notification.
        public var notification: PhoneNotification
        /// The action of the user.
        public var action: Action
        /// The text that the user typed; nil if the action takes none.
        public var text: String?

        /// A response of the user.
        public init(_ notification: PhoneNotification, action: Action, text: String? = nil) {
            self.notification = notification
            self.action = action
            self.text = text
        }
    }

    /// The request to show it.
    public var request: Request
    /// When it was shown, or arrived.
    public var date: Date

    /// A notification that arrived at a moment.
    public init(_ request: Request, date: Date) {
        self.request = request
        self.date = date
    }

    public var id: String { request.identifier }
    /// The texts and the data.
    public var content: Content { request.content }
}
