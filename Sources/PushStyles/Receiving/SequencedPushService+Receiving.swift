import Dispatch
public import PushAdapter
public import PushDevice

/// Events and messages for the app. Without a phone as the session's host, nothing arrives.
extension SequencedPushService {
    // MARK: Notifications

    /// Asks the user for permission, sets the categories, and passes notifications to a delegate. The delegate is held
    /// weakly and replaces an earlier one of the session. Without a delegate, the phone shows nothing while the app is
    /// in the foreground.
    public func register(
        forRemoteNotificationConfig config: JPUSHRegisterEntity?, delegate: (any JPUSHRegisterDelegate)?
    ) {
        register(
            config, delegate.map { delegate in .init(on: queue) { [weak delegate] in delegate.map { .jpush($0) } } })
    }

    /// The same, with EngageLab's delegate.
    public func register(
        forRemoteNotificationConfig config: MTPushRegisterEntity?, delegate: any MTPushRegisterDelegate
    ) {
        register(config, .init(on: queue) { [weak delegate] in delegate.map { .mtpush($0) } })
    }

    private func register(_ config: JPUSHRegisterEntity?, _ center: StyleReceiver<StyleReceivers.Center>?) {
        guard has(.notifications, "registerForRemoteNotificationConfig") else { return }
        state.receive { $0.center = center }
        if let categories = config?.categories {
            session.phone?.setCategories(categories.sorted { $0.identifier < $1.identifier })
        }
        session.phone?.requestPermission()
    }

    /// Receives the system's calls to the app: its start, the pushes that wake it, and notifications before iOS 10.
    /// Held weakly.
    public var applicationDelegate: (any PhoneApplicationDelegate)? {
        get { state.receivers.application?.delegate }
        set {
            let receiver = newValue.map { delegate in
                StyleReceiver<any PhoneApplicationDelegate>(on: queue) { [weak delegate] in delegate }
            }
            state.receive { $0.application = receiver }
        }
    }

    /// The app's extension, which may change a pushed notification before it is shown.
    /// ``NotificationExtensionService`` has its calls.
    public var serviceExtension: (any NotificationServiceExtension)? {
        get { state.receivers.serviceExtension }
        set { state.receive { $0.serviceExtension = newValue } }
    }

    /// Hands a payload to the SDK, which counts it. Call it where a push arrives; reports no result.
    public func handleRemoteNotification(_ userInfo: [String: JSONValue]) {
        session.phone?.record(.handled(userInfo))
    }

    /// Hands the message of a call to the SDK, which counts it. Reports no result.
    public func handleVoipNotification(_ remoteInfo: [String: JSONValue]) {
        session.phone?.record(.handled(remoteInfo))
    }

    // MARK: Posts of the SDK

    /// Reports custom messages from now on, as the notification `kJPFNetworkDidReceiveMessageNotification` does; they
    /// arrive while the app is in the foreground. The text is under `content`, its title under `title`, its type under
    /// `content_type`, the id under `_j_msgid` and the app's own fields under `extras`. JPush's old generation has no id.
    /// Do not retain the session in the observer.
    public func networkDidReceiveMessage(
        _ observer: @escaping @Sendable (_ userInfo: [String: JSONValue]) -> Void
    ) {
        guard has(.customMessages, "networkDidReceiveMessage") else { return }
        let hasID = session.rules.calls != SessionRules.jpushLegacy.calls
        state.receive { receivers in
            receivers.messages.append { [queue] message in
                var userInfo = message
                let id = userInfo.removeValue(forKey: "messageID")
                if hasID, let id { userInfo["_j_msgid"] = id }
                queue.async { [userInfo] in observer(userInfo) }
            }
        }
    }

    /// Reports logins from now on, as the notification `kJPFNetworkDidLoginNotification` does: after a start, and again
    /// whenever the app or the network comes back. ``registrationID()`` is then the current id. Do not retain the
    /// service in the observer.
    public func networkDidLogin(_ observer: @escaping @Sendable () -> Void) {
        session.onConnection(on: queue, notify: observer)
    }
}
