/// A message field that a vendor may or may not carry, by its path. A provider declares the fields that it carries. The
/// client refuses the others by name, so a field that an adapter forgets is refused, never dropped.
public struct MessageField: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// ``Message/platforms``.
    public static let platforms: MessageField = "platforms"
    /// ``Message/timeToLive``.
    public static let timeToLive: MessageField = "timeToLive"
    /// ``Message/deliveryPriority``.
    public static let deliveryPriority: MessageField = "deliveryPriority"
    /// ``Message/environment``, if it is not Apple's production.
    public static let environment: MessageField = "environment"
    /// ``Notification/title``.
    public static let title: MessageField = "title"
    /// ``Notification/image``.
    public static let image: MessageField = "image"
    /// ``Notification/extras``.
    public static let extras: MessageField = "extras"
    /// ``CustomMessage/title``.
    public static let customTitle: MessageField = "custom.title"
    /// ``CustomMessage/contentType``.
    public static let customContentType: MessageField = "custom.contentType"
    /// ``CustomMessage/extras``.
    public static let customExtras: MessageField = "custom.extras"

    /// A field of ``Notification/ios``, by its name: `.ios("sound")`.
    public static func ios(_ name: String) -> MessageField { MessageField(rawValue: "ios." + name) }
    /// A field of ``Notification/android``, by its name: `.android("sound")`.
    public static func android(_ name: String) -> MessageField { MessageField(rawValue: "android." + name) }
    /// A field of ``Notification/harmony``, by its name: `.harmony("category")`.
    public static func harmony(_ name: String) -> MessageField { MessageField(rawValue: "harmony." + name) }

    /// The platform that the field is for; nil for all.
    var platform: Platform? {
        if rawValue.hasPrefix("ios.") || self == .environment { return .ios }
        if rawValue.hasPrefix("harmony.") { return .harmony }
        return rawValue.hasPrefix("android.") ? .android : nil
    }

    private typealias Use = (field: MessageField, isGiven: @Sendable (Message) -> Bool)

    /// For each field, whether a message sets it.
    private static let uses: [Use] = {
        let common: [Use] = [
            (.platforms, { $0.platforms != nil }), (.timeToLive, { $0.timeToLive != nil }),
            (.environment, { $0.environment != .production }), (.title, { $0.notification?.title != nil }),
            (.deliveryPriority, { $0.deliveryPriority != nil }), (.image, { $0.notification?.image != nil }),
            (.extras, { $0.notification?.extras.isEmpty == false }), (.customTitle, { $0.custom?.title != nil }),
            (.customContentType, { $0.custom?.contentType != nil }),
            (.customExtras, { $0.custom?.extras.isEmpty == false }),
        ]
        let ios = iosUses.map { name, isGiven -> Use in
            (.ios(name), { $0.notification?.ios.map(isGiven) ?? false })
        }
        let android = androidUses.map { name, isGiven -> Use in
            (.android(name), { $0.notification?.android.map(isGiven) ?? false })
        }
        let harmony = harmonyUses.map { name, isGiven -> Use in
            (.harmony(name), { $0.notification?.harmony.map(isGiven) ?? false })
        }
        return common + ios + android + harmony
    }()

    private static let iosUses: [(String, @Sendable (IOSNotification) -> Bool)] = [
        ("title", { $0.title != nil }), ("subtitle", { $0.subtitle != nil }), ("body", { $0.body != nil }),
        ("sound", { $0.sound != nil }), ("badge", { $0.badge != nil }), ("category", { $0.category != nil }),
        ("threadID", { $0.threadID != nil }), ("isMutable", { $0.isMutable }),
        ("isContentAvailable", { $0.isContentAvailable }), ("interruptionLevel", { $0.interruptionLevel != nil }),
        ("collapseID", { $0.collapseID != nil }), ("localizedTitle", { $0.localizedTitle != nil }),
        ("localizedSubtitle", { $0.localizedSubtitle != nil }), ("localizedBody", { $0.localizedBody != nil }),
        ("image", { $0.image != nil }), ("extras", { $0.extras != nil }),
    ]

    private static let androidUses: [(String, @Sendable (AndroidNotification) -> Bool)] = [
        ("title", { $0.title != nil }), ("body", { $0.body != nil }), ("channelID", { $0.channelID != nil }),
        ("priority", { $0.priority != nil }), ("category", { $0.category != nil }), ("sound", { $0.sound != nil }),
        ("intentURL", { $0.intentURL != nil }), ("badgeIncrement", { $0.badgeIncrement != nil }),
        ("localizedTitle", { $0.localizedTitle != nil }), ("localizedBody", { $0.localizedBody != nil }),
        ("image", { $0.image != nil }), ("extras", { $0.extras != nil }),
    ]

    private static let harmonyUses: [(String, @Sendable (HarmonyNotification) -> Bool)] = [
        ("title", { $0.title != nil }), ("body", { $0.body != nil }), ("category", { $0.category != nil }),
        ("intentURL", { $0.intentURL != nil }), ("sound", { $0.sound != nil }),
        ("badgeIncrement", { $0.badgeIncrement != nil }), ("extras", { $0.extras != nil }),
    ]

    /// The first field that a message sets, of those that match.
    static func first(in message: Message, where isMeant: (MessageField) -> Bool) -> MessageField? {
        uses.first { $0.isGiven(message) && isMeant($0.field) }?.field
    }
}

extension Capabilities {
    /// Refuses inputs of an exchange that a provider does not accept: a message field that it does not carry, with
    /// `unsupported`, and an input that breaks a limit.
    ///
    /// Ignores fields for a platform that the app cannot have.
    public func check(_ inputs: [Input], of provider: ProviderID) throws(PushError) {
        for input in inputs { try check(input, of: provider) }
    }

    /// Checks one input in the same way.
    public func check(_ input: Input, of provider: ProviderID) throws(PushError) {
        if case .message(let message) = input { try checkFields(of: message, provider) }
        try limits.check(input, of: provider)
    }

    private func checkFields(of message: Message, _ provider: ProviderID) throws(PushError) {
        let missing = MessageField.first(in: message) { field in
            !fields.contains(field) && field.platform.map { platforms?.contains($0) ?? true } ?? true
        }
        guard let missing else { return }
        let advice = absentFields[missing] ?? "leave it out, or use another vendor"
        throw PushError(.unsupported, "\(provider) does not carry the message field \(missing): \(advice)")
    }
}
