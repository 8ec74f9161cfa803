/// How many notifications of a class a phone maker shows on one day of its clock: data for people. The client counts
/// none of them, because a maker counts for each phone.
public struct ClassQuota: Sendable, Hashable {
    /// For whom the maker counts.
    public enum Holder: String, Sendable, Hashable {
        /// For each device.
        case device
        /// For the whole app; the number is then one for each of its users.
        case app
    }

    /// When a notification counts.
    public enum Count: String, Sendable, Hashable {
        /// When the maker accepts it for a device.
        case targets
        /// When it reaches the device.
        case deliveries
    }

    /// What happens to further notifications of the day.
    public enum Overflow: String, Sendable, Hashable {
        /// The maker accepts them and does not show them. A vendor's response says nothing then.
        case dropped
        /// The maker refuses them.
        case refused
    }

    /// The phone maker, by the name of its adapter.
    public var maker: ProviderID
    /// The intent of the counted notifications; nil for both.
    public var intent: MessageClass.Intent?
    /// The only category that counts; nil for those of the intent that have no row of their own. The row of news is for
    /// apps with a license for news.
    public var category: MessageClass.Category?
    /// For whom the maker counts.
    public var holder: Holder
    /// When a notification counts.
    public var count: Count
    /// Notifications a day, for each device or for each user of the app.
    public var limit: Int
    /// What happens to further notifications of the day.
    public var overflow: Overflow
    /// The page or document that states it, and its date.
    public var source: String

    /// A number of notifications a day.
    public init(
        _ maker: ProviderID, _ intent: MessageClass.Intent?, _ category: MessageClass.Category? = nil,
        per holder: Holder,
        _ limit: Int, counting count: Count, _ overflow: Overflow, source: String
    ) {
        self.maker = maker
        self.intent = intent
        self.category = category
        self.holder = holder
        self.limit = limit
        self.count = count
        self.overflow = overflow
        self.source = source
    }
}

extension ClassQuota {
    /// For people: "xiaomi: marketing, for each device".
    public var subject: String {
        let kind = category?.rawValue ?? intent?.rawValue ?? "all notifications"
        return "\(maker): \(kind), for \(holder == .device ? "each device" : "the app")"
    }

    /// For people: "2 a day, counted when delivered".
    public var summary: String {
        let number = holder == .device ? "\(limit) a day" : "\(limit) a day for each of its users"
        return number + (count == .deliveries ? ", counted when delivered" : "")
    }
}
