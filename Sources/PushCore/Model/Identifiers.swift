/// The name of a push vendor's adapter, one word of lower-case letters and digits.
public struct ProviderID: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A family of a vendor's API with its own base address.
public struct ServiceName: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A vendor's id of one app installation: registration id, token.
///
/// It addresses a person's phone, so its description shows at most the last four characters. If it contains an address,
/// the description shows the address's origin instead.
public struct DeviceID: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { Redaction.shortened(rawValue) }
}

/// A label on devices, many to many.
public struct Tag: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A backend's own name for the devices of one person. Its description is shortened like a device id's.
public struct Alias: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { Redaction.shortened(rawValue) }
}

/// A vendor's id of a sent message: text, because vendors use up to 20 digits.
public struct MessageID: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A vendor's id of a schedule.
public struct ScheduleID: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// An operating system that a vendor delivers to.
public struct Platform: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Apple's iOS and iPadOS.
    public static let ios: Platform = "ios"
    /// Android.
    public static let android: Platform = "android"
    /// Huawei's HarmonyOS.
    public static let harmony: Platform = "harmony"
}

extension DeviceID: CustomReflectable {
    /// Empty, so `dump` shows only the shortened description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Alias: CustomReflectable {
    /// Empty, so `dump` shows only the shortened description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
