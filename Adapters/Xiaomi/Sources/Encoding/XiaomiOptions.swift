public import PushAdapter

/// The options of Xiaomi beyond the common model, under the vendor's keys; `except` is this library's.
///
/// ```swift
/// var options = XiaomiOptions()
/// options.notifyID = 7
/// options.extra = ["only_send_once": "1"]
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor does not accept. The error names the option.
public struct XiaomiOptions: ProviderOptions, Hashable {
    /// `xiaomi`: only this vendor's adapter reads these options.
    public static let provider = Xiaomi.id
    /// All keys. A message with any other key in these options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// The alert: -1 for all, or a sum of 1 sound, 2 vibration, 4 light.
    public var notifyType: Int?
    /// A later notification with the same number replaces this one. Without it, the adapter makes a number for each
    /// request, because the vendor's default is 0 for all notifications.
    public var notifyID: Int?
    /// Fields of the vendor's `extra`, without that word: filters such as `model`, the look, data for the app. At most
    /// 10, with at most 1,024 characters. They replace the adapter's fields of a class: `channel_id`, `template_id`,
    /// `template_param`.
    public var extra: [String: String]?
    /// Tags that devices must not have. The audience must be one tag; both together are at most five.
    public var except: [String]?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
        case notifyType = "notify_type"
        case notifyID = "notify_id"
        case extra, except
    }
}

extension XiaomiOptions {
    static let rules: [OptionRule] = [
        .number("notify_type", -1...7), .number("notify_id", 0...Int(Int32.max)),
        .form(
            "extra",
            "fields with values, without those that the adapter writes: \(written.sorted().joined(separator: ", "))",
            refusing: [["model": ""], ["jobkey": "a"]]
        ) { value in
            guard case .object(let fields) = value else { return false }
            return fields.allSatisfy { $0 != "" && $1 != "" && !written.contains($0) }
        },
        .form("except", "1 to 4 tags, each once", refusing: [[], [""], ["a", "b", "c", "d", "e"], ["a", "a"]]) {
            value in
            let tags = value.arrayValue ?? []
            return (1...4).contains(tags.count) && Set(tags).count == tags.count && !tags.contains("")
        },
    ]

    /// Fields of `extra` that the adapter writes from the message, the key and the callback.
    private static let written: Set<String> = [
        "badge", "callback", "callback.param", "callback.type", "intent_uri", "jobkey", "notify_effect", "web_uri",
    ]

    /// The options of a message that keep the rules; empty ones if it has none.
    static func checked(in message: Message) throws(PushError) -> XiaomiOptions {
        guard let options = try message.options(XiaomiOptions.self) else { return XiaomiOptions() }
        try message.check(rules, of: provider)
        return options
    }
}
