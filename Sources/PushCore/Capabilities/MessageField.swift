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
    /// ``Message/messageClass``.
    public static let messageClass: MessageField = "class"
    /// ``MessageClass/template``.
    public static let template: MessageField = "class.template"
    /// ``Message/environment``, if it is not Apple's production.
    public static let environment: MessageField = "environment"
    /// ``Notification/title``.
    public static let title: MessageField = "title"
    /// ``Notification/body``.
    public static let body: MessageField = "body"
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

    /// The field restricted to one kind of its values. The kinds are a `localized` text, a badge to `set` or to `add`
    /// to, and a tap on a `link`, `intentURI`, `intentAction` or `activity`.
    public func form(_ name: String) -> MessageField { MessageField(rawValue: "\(rawValue).\(name)") }

    /// A field of ``Notification/ios``, by its name: `.ios("sound")`.
    public static func ios(_ name: String) -> MessageField { MessageField(rawValue: "ios." + name) }
    /// A field of ``Notification/android``, by its name: `.android("sound")`.
    public static func android(_ name: String) -> MessageField { MessageField(rawValue: "android." + name) }
    /// A field of ``Notification/harmony``, by its name: `.harmony("category")`.
    public static func harmony(_ name: String) -> MessageField { MessageField(rawValue: "harmony." + name) }

    /// The error for a vendor that does not carry the field.
    /// - Parameters:
    ///   - vendor: the vendor's adapter.
    ///   - advice: the reason and an alternative; nil if the only advice is to leave the field out or use another
    ///     vendor.
    public func refusal(by vendor: ProviderID, _ advice: String? = nil) -> PushError {
        let advice = advice ?? "leave it out, or use another vendor"
        return PushError(.unsupported, "\(vendor) does not carry the message field \(self): \(advice)")
    }

    /// The platform that the field is for; nil for all.
    package var platform: Platform? {
        if rawValue.hasPrefix("ios.") || self == .environment { return .ios }
        if rawValue.hasPrefix("harmony.") { return .harmony }
        return rawValue.hasPrefix("android.") ? .android : nil
    }
}
