public import PushAdapter

/// The options of vivo beyond the common model, under the vendor's keys; `except` is this library's.
///
/// ```swift
/// var options = VivoOptions()
/// options.notifyId = 7
/// options.networkType = 1
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor does not accept. The error names the option.
public struct VivoOptions: ProviderOptions, Hashable {
    /// `vivo`: only this vendor's adapter reads these options.
    public static let provider = Vivo.id
    /// All keys. A message with any other key in these options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// The alert: 1 none, 2 sound, 3 vibration, 4 both; 4 if it is not set.
    public var notifyType: Int?
    /// -1 for any network, 1 for Wi-Fi only.
    public var networkType: Int?
    /// A later notification with the same number replaces this one.
    public var notifyId: Int?
    /// Whether the vendor sends only to devices that are online now.
    public var sendOnline: Bool?
    /// Whether the notification is shown while the app is open; true if it is not set.
    public var foregroundShow: Bool?
    /// A name for the vendor's statistics: at most 64 characters.
    public var profileId: String?
    /// 0 for a live message, 1 for a test to the console's test devices; else as the adapter's `isTest` says.
    public var pushMode: Int?
    /// Tags that devices must not have. The audience must be tags.
    public var except: [String]?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
        case notifyType, networkType, notifyId, sendOnline, foregroundShow, profileId, pushMode, except
    }
}

extension VivoOptions {
    /// The other two change more than a field: a test message has no address for receipts, and tags to leave out are a
    /// part of the target.
    static let places = OptionPlaces(
        of: Self.self,
        ["": ["notifyType", "networkType", "notifyId", "sendOnline", "foregroundShow", "profileId"]],
        elsewhere: ["pushMode", "except"])

    static let rules: [OptionRule] = [
        .number("notifyType", 1...4), .oneOf("networkType", -1, 1), .number("notifyId", 0...Int(Int32.max)),
        .number("pushMode", 0...1),
        .form(
            "profileId", "1 to 64 characters", refusing: ["", .string(String(repeating: "a", count: 65))]
        ) { (1...64).contains($0.stringValue?.utf16.count ?? 0) },
        .form("except", "at least one tag, each once", refusing: [[], [""], ["a", "a"]]) { value in
            let tags = value.arrayValue ?? []
            return !tags.isEmpty && Set(tags).count == tags.count && !tags.contains("")
        },
    ]

    /// The options of a message that keep the rules; empty ones if it has none.
    static func checked(in message: Message) throws(PushError) -> VivoOptions {
        guard let options = try message.options(VivoOptions.self) else { return VivoOptions() }
        try message.check(rules, of: provider)
        return options
    }
}
