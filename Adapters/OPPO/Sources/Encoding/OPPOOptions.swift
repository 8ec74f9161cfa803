public import PushAdapter

/// The options of OPPO beyond the common model, under the vendor's keys; `fields` is this library's.
///
/// ```swift
/// var options = OPPOOptions()
/// options.notifyLevel = 16
/// options.category = "IM"
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor does not accept. The error names the option.
public struct OPPOOptions: ProviderOptions, Hashable {
    /// `oppo`: only this vendor's adapter reads these options.
    public static let provider = OPPO.id
    /// All keys. A message with any other key in these options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// The form: 1 standard, 2 long text. Without it, a text of more than 50 characters is a long text.
    public var style: Int?
    /// A line below the title, of at most 10 characters.
    public var subTitle: String?
    /// The vendor's word for the class, in place of the message's class: `IM`, `ORDER`, `MARKETING`.
    public var category: String?
    /// The alert: 1 in the notification bar; 2 also on the lock screen; 16 also as a banner, with sound and vibration.
    /// It needs a category, and the vendor's permission.
    public var notifyLevel: Int?
    /// A later notification with the same number replaces this one.
    public var notifyID: Int?
    /// How long the phone shows the notification, in seconds: at most 24 hours, 12 for marketing.
    public var showTTL: Int?
    /// The network over which the phone gets the message: 0 any, 1 Wi-Fi only.
    public var networkType: Int?
    /// Other fields of the vendor's notification, such as those of pictures and buttons, which the vendor permits on
    /// request. A field that the adapter writes is refused in both of the vendor's spellings.
    public var fields: [String: JSONValue]?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
        case style
        case subTitle = "sub_title"
        case category
        case notifyLevel = "notify_level"
        case notifyID = "notify_id"
        case showTTL = "show_ttl"
        case networkType = "network_type"
        case fields
    }
}

extension OPPOOptions {
    static let rules: [OptionRule] = [
        .oneOf("style", 1, 2),
        .form("sub_title", "a text, not empty", refusing: [""]) { $0 != "" },
        .form("category", "a word in capital letters, such as ORDER", refusing: ["", "order"]) { value in
            value.stringValue?.wholeMatch(of: /[A-Z_]+/) != nil
        },
        .oneOf("notify_level", 1, 2, 16), .number("notify_id", 0...Int(Int32.max)),
        .number("show_ttl", 0...86_400, "seconds"), .oneOf("network_type", 0, 1),
        .form(
            "fields", "fields without those that the adapter writes: \(written.sorted().joined(separator: ", "))",
            refusing: [["title": "T"], ["app_message_id": "a"], ["appMessageId": "a"], ["": 1]]
        ) { value in
            guard case .object(let fields) = value else { return false }
            return fields.keys.allSatisfy {
                !$0.isEmpty && !spellings.contains($0.lowercased().replacing("_", with: ""))
            }
        },
    ]

    /// Fields that the adapter writes from the message, the other options, the key and the callback.
    private static let written: Set<String> = [
        "action_parameters", "app_message_id", "call_back_parameter", "call_back_url", "category", "channel_id",
        "click_action_activity", "click_action_type", "click_action_url", "content", "network_type", "notify_id",
        "notify_level", "off_line", "off_line_ttl", "private_content_parameters", "private_msg_template_id",
        "private_title_parameters", "show_ttl", "style", "sub_title", "title",
    ]

    /// The vendor also reads `callBackUrl` for `call_back_url`.
    private static let spellings = Set(written.map { $0.replacing("_", with: "") })

    /// The options of a message that keep the rules; empty ones if it has none.
    static func checked(in message: Message) throws(PushError) -> OPPOOptions {
        guard let options = try message.options(OPPOOptions.self) else { return OPPOOptions() }
        try message.check(rules, of: provider)
        return options
    }
}
