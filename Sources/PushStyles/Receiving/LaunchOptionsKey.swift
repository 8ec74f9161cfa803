/// The names in the options of a launch: they say which notification started the app.
public enum LaunchOptionsKey {
    /// The payload of the push that the user tapped.
    public static let remoteNotification = "UIApplicationLaunchOptionsRemoteNotificationKey"
    /// The local notification that the user tapped: an object with `identifier`, `alertTitle`, `alertBody` and
    /// `userInfo`.
    public static let localNotification = "UIApplicationLaunchOptionsLocalNotificationKey"
}
