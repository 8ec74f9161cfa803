/// The purpose of a message. Phone makers count, show and refuse notifications by it; vendors without classes ignore it.
///
/// A class has an intent and a category of that intent. It applies to the notification of a message; other contents
/// have no class.
///
/// ```swift
/// message.messageClass = MessageClass(.service, .order)
/// ```
///
/// Its JSON form is `{"intent": "service", "category": "order"}`. Without a category it is the intent's general one.
public struct MessageClass: Sendable, Hashable {
    /// Whether the user waits for the message, or the sender wants attention.
    public enum Intent: String, Sendable, Hashable, Codable, CaseIterable {
        /// The user waits for the message: a chat, an order, a reminder.
        case service
        /// The sender wants attention: news, advice, advertisements.
        case marketing

        /// The category that says no more than the intent.
        public var general: Category { self == .service ? .service : .marketing }
    }

    /// The subject of a message. An app may use its own categories; its settings then name the makers' words for them.
    public struct Category: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Whether the user waits for the message, or the sender wants attention.
    public var intent: Intent
    /// The subject of the message. The client refuses a category of the other intent.
    public var category: Category
    /// A text that a phone maker has approved, for the makers that demand one.
    public var template: Template?

    /// A class, of the intent's general category by default.
    public init(_ intent: Intent, _ category: Category? = nil, template: Template? = nil) {
        self.intent = intent
        self.category = category ?? intent.general
        self.template = template
    }
}

extension MessageClass.Category {
    // Service.
    /// Service in general. Some makers take no such category.
    public static let service: Self = "service"
    /// A message in a chat.
    public static let instantMessage: Self = "instantMessage"
    /// A voice or video call.
    public static let call: Self = "call"
    /// A call that was not taken.
    public static let missedCall: Self = "missedCall"
    /// A change of the user's account.
    public static let account: Self = "account"
    /// A change of the user's money.
    public static let finance: Self = "finance"
    /// An order and its delivery.
    public static let order: Self = "order"
    /// A message from a device of the user's.
    public static let deviceReminder: Self = "deviceReminder"
    /// A subject that the user subscribed to.
    public static let subscription: Self = "subscription"
    /// A plan or a reminder that the user set.
    public static let todo: Self = "todo"
    /// The user's work: approvals, meetings.
    public static let work: Self = "work"
    /// A journey.
    public static let travel: Self = "travel"
    /// The user's health.
    public static let health: Self = "health"
    /// Mail.
    public static let mail: Self = "mail"
    /// A message from customer service.
    public static let customerService: Self = "customerService"
    /// A text that the phone reads aloud.
    public static let voice: Self = "voice"

    // Marketing.
    /// Marketing in general.
    public static let marketing: Self = "marketing"
    /// News.
    public static let news: Self = "news"
    /// A recommendation of content.
    public static let content: Self = "content"
    /// News of other users.
    public static let social: Self = "social"
    /// An advertisement or an offer.
    public static let promotion: Self = "promotion"

    /// The intent of a category of the model; nil for an app's own category.
    public var intent: MessageClass.Intent? {
        if Self.ofService.contains(self) { return .service }
        return Self.ofMarketing.contains(self) ? .marketing : nil
    }

    private static let ofService: Set<Self> = [
        .service, .instantMessage, .call, .missedCall, .account, .finance, .order, .deviceReminder, .subscription,
        .todo, .work, .travel, .health, .mail, .customerService, .voice,
    ]
    private static let ofMarketing: Set<Self> = [.marketing, .news, .content, .social, .promotion]
}

extension MessageClass: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case intent, category, template }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        self.init(
            try container.decode(Intent.self, forKey: .intent),
            try container.decodeIfPresent(Category.self, forKey: .category),
            template: try container.decodeIfPresent(Template.self, forKey: .template))
    }
}
