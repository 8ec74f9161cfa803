public import FoundationEssentials
public import PushAdapter

/// A backend's own id of a person. Its description is shortened, like a device id's.
public struct UserID: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { Redaction.shortened(rawValue) }
}

/// A backend's own id of one app on one phone. Its description is shortened, like a device id's.
public struct InstallationID: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { Redaction.shortened(rawValue) }
}

/// One vendor's connection to one installation: the route, and the vendor's target.
public struct Binding: Sendable, Hashable {
    /// The owner of the installation.
    public var user: UserID
    /// The app on the phone. Bindings of one installation lead to the same screen, so a message takes only one of them.
    /// Nil for a binding that stands alone. A binding to an alias or an account must stand alone.
    public var installation: InstallationID?
    /// The client that sends to the target.
    public var route: RouteName
    /// The vendor's name for the installation.
    public var target: Target
    /// The operating system, if known.
    public var platform: Platform?
    /// When the app last reported the binding.
    public var boundAt: Date
    /// When its vendor first accepted a message for it, if a migration recorded that.
    public var acceptedAt: Date?

    /// A binding that the app reported at this time.
    public init(
        user: UserID, installation: InstallationID?, route: RouteName, target: Target, platform: Platform? = nil,
        boundAt: Date, acceptedAt: Date? = nil
    ) {
        self.user = user
        self.installation = installation
        self.route = route
        self.target = target
        self.platform = platform
        self.boundAt = boundAt
        self.acceptedAt = acceptedAt
    }

    /// The route and the target, which identify the binding.
    public var way: RoutedTarget.Way { RoutedTarget.Way(target, at: route) }
}

extension UserID: CustomReflectable {
    /// Empty, so `dump` shows only the shortened description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension InstallationID: CustomReflectable {
    /// Empty, so `dump` shows only the shortened description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Binding: CustomStringConvertible, CustomReflectable {
    /// The route, and shortened ids.
    public var description: String {
        "\(installation.map { "\($0)" } ?? "an installation") of \(user) at \(Redaction.quoted(route.rawValue)): "
            + Redaction.shortened(target.text)
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
