import PushAdapter

/// Calls of an SDK that stay on the device. They are no ``SessionCall``, but the guides date them, so rules have them
/// or not.
extension SessionCall.Kind {
    /// The delegate of notifications, since the system has a notification center.
    public static let notifications: SessionCall.Kind = "notifications"
    /// The delegate's call about the app's notification settings.
    public static let openSettings: SessionCall.Kind = "openSettings"
    /// Local notifications, with the calls for a notification center.
    public static let localNotifications: SessionCall.Kind = "localNotifications"
    /// Local notifications, with the older calls.
    public static let oldLocalNotifications: SessionCall.Kind = "oldLocalNotifications"
    /// The report of the app's extension that a notification arrived.
    public static let receipts: SessionCall.Kind = "receipts"
    /// The storage that an app shares with its extension, and the calls that need it.
    public static let appGroup: SessionCall.Kind = "appGroup"
    /// The encryption of the SDK's own connection.
    public static let encryption: SessionCall.Kind = "encryption"
    /// How long pages are on the screen.
    public static let pages: SessionCall.Kind = "pages"
    /// The place of the phone.
    public static let location: SessionCall.Kind = "location"
    /// Crash logs.
    public static let crashLog: SessionCall.Kind = "crashLog"
    /// The id that the SDK derives for an installation.
    public static let openUDID: SessionCall.Kind = "openUDID"
    /// Tags and alias together, with a block for the result.
    public static let overlayBlock: SessionCall.Kind = "overlayBlock"
    /// The selection of the valid tags.
    public static let filterTags: SessionCall.Kind = "filterTags"
    /// The device's id, as a value.
    public static let registrationID: SessionCall.Kind = "registrationID"
    /// Custom messages that the app receives while it is open.
    public static let customMessages: SessionCall.Kind = "customMessages"
    /// The start of the service with an access ID.
    public static let accessID: SessionCall.Kind = "accessID"
    /// The delegate's call about a failed registration.
    public static let registrationFailure: SessionCall.Kind = "registrationFailure"
    /// The upload of the SDK's log.
    public static let logUpload: SessionCall.Kind = "logUpload"
    /// The report of the user's answer to the question whether the app may notify.
    public static let permission: SessionCall.Kind = "permission"
}
