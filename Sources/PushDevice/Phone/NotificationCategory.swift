/// An action that a notification offers.
public struct NotificationAction: Sendable, Hashable {
    /// The requirements and effects of an action.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Only on an unlocked phone.
        public static let authenticationRequired = Options(rawValue: 1)
        /// It removes something.
        public static let destructive = Options(rawValue: 2)
        /// It opens the app.
        public static let foreground = Options(rawValue: 4)
    }

    /// The app's name for it.
    public var identifier: String
    /// The text of the button.
    public var title: String
    /// The requirements and effects of the action.
    public var options: Options

    /// An action with its button.
    public init(identifier: String, title: String, options: Options = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }
}

/// The actions of all notifications of one kind.
public struct NotificationCategory: Sendable, Hashable {
    /// Extra events for the app.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The app gets an event when a notification is removed.
        public static let customDismissAction = Options(rawValue: 1)
    }

    /// The name that a notification carries.
    public var identifier: String
    /// The buttons, in order.
    public var actions: [NotificationAction]
    /// Extra events for the app.
    public var options: Options

    /// A category with its actions.
    public init(identifier: String, actions: [NotificationAction], options: Options = []) {
        self.identifier = identifier
        self.actions = actions
        self.options = options
    }
}
