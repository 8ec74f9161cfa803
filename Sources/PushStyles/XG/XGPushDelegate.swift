import PushDevice

/// Receives the reports of TPNS's `XGPush`: registration, connection, permission, notifications, badge, log, the
/// end of the service. As in the SDK, every method is optional. So a method with a wrong signature compiles but is never
/// called; debug builds say so on standard error.
///
/// Errors are ``ResultError``s. TPNS's guide has no error numbers: those are JPush's and, from 9001 on, this library's.
/// The methods are called on the manager's queue, one at a time; they may call the manager.
public protocol XGPushDelegate: AnyObject, Sendable {
    /// The device is registered, with the system's token and its id at the vendor. `error` is nil, because a failure
    /// has its own method; SDKs before 1.2.7.2 report it here, without a token.
    func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?)
    /// The registration failed; since 1.2.7.2.
    func xgPushDidFailToRegisterDeviceToken(withError error: (any Error)?)
    /// The user answered whether the app may notify. `error` is nil.
    func xgPushDidRequestNotificationPermission(_ isEnable: Bool, error: (any Error)?)
    /// Something was pushed: a notification is about to be shown while the app is in the foreground, or a push woke the
    /// app. By default, nothing is shown, and the app found nothing new. Not in the guide; named as in the SDK's header.
    /// - Parameters:
    ///   - notification: a `PhoneNotification` that is about to be shown, or the payload as `[String: JSONValue]` of a
    ///     push that woke the app. Before iOS 10, the payload stands for both, and for a notification that was tapped.
    ///   - completionHandler: call it with the sum of the raw values of `PhoneNotification.Presentation` for a
    ///     notification, and with the raw value of a `FetchResult` for a payload.
    func xgPushDidReceiveRemoteNotification(
        _ notification: Any, withCompletionHandler completionHandler: (@Sendable (UInt) -> Void)?)
    /// The user tapped or removed a notification, or chose one of its actions. Not in the guide; named as in the SDK's
    /// header.
    /// - Parameters:
    ///   - response: a `PhoneNotification.Response`.
    ///   - completionHandler: call it when the app is done.
    func xgPushDidReceiveNotificationResponse(
        _ response: Any, withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    /// The persistent connection is up.
    func xgPushNetworkConnected()
    /// The service was stopped.
    func xgPushDidFinishStop(_ isSuccess: Bool, error: (any Error)?)
    /// The badge was stored at the vendor.
    func xgPushDidSetBadge(_ isSuccess: Bool, error: (any Error)?)
    /// A line of the SDK's log, whatever ``XGTokenManager/isEnableDebug`` is.
    func xgPushLog(_ logInfo: String?)
}

extension XGPushDelegate {
    public func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidFailToRegisterDeviceToken(withError error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidRequestNotificationPermission(_ isEnable: Bool, error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidReceiveRemoteNotification(
        _ notification: Any, withCompletionHandler completionHandler: (@Sendable (UInt) -> Void)?
    ) {
        DelegateSignatures.noteDefault(of: self)
        completionHandler?(notification is PhoneNotification ? 0 : UInt(FetchResult.noData.rawValue))
    }
    public func xgPushDidReceiveNotificationResponse(
        _ response: Any, withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        DelegateSignatures.noteDefault(of: self)
        completionHandler()
    }
    public func xgPushNetworkConnected() { DelegateSignatures.noteDefault(of: self) }
    public func xgPushDidFinishStop(_ isSuccess: Bool, error: (any Error)?) {
        DelegateSignatures.noteDefault(of: self)
    }
    public func xgPushDidSetBadge(_ isSuccess: Bool, error: (any Error)?) { DelegateSignatures.noteDefault(of: self) }
    public func xgPushLog(_ logInfo: String?) { DelegateSignatures.noteDefault(of: self) }
}
