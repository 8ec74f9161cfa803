import Dispatch
import PushAdapter
import PushDevice

/// Calls that concern only the device. They need a phone as the session's host.
extension XGTokenManager {
    // MARK: Notifications

    /// Whether the user allows notifications; false if the user was not asked yet, and without a phone.
    public func deviceNotificationIsAllowed(_ handler: @escaping @Sendable (_ isAllowed: Bool) -> Void) {
        let isAllowed = session.phone?.isNotificationAllowed ?? false
        queue.async { handler(isAllowed) }
    }

    /// How notifications look. Setting it sets the phone's categories; nil leaves them unchanged.
    public var notificationConfigure: XGNotificationConfigure? {
        get { state.manager.withLock { $0.configure } }
        set {
            state.manager.withLock { $0.configure = newValue }
            guard let newValue else { return }
            session.phone?.setCategories(newValue.categories.sorted { $0.identifier < $1.identifier })
        }
    }

    /// Receives the buttons of in-app messages; held weakly.
    public var actionDelegate: (any XGInAppMessageActionDelegate)? {
        get { state.receivers.actions?.delegate }
        set {
            let receiver = newValue.map { delegate in
                StyleReceiver<any XGInAppMessageActionDelegate>(on: queue) { [weak delegate] in delegate }
            }
            state.receive { $0.actions = receiver }
        }
    }

    // MARK: Log

    /// Whether the phone's log gets more lines, from every writer. The delegate's `xgPushLog` gets every line in any
    /// case.
    public var isEnableDebug: Bool {
        get { log.level == .debug }
        set { log.level = newValue ? .debug : .normal }
    }

    /// Uploads the log for TPNS's support. Without a phone, the handler gets false and a message.
    public func uploadLogCompletionHandler(
        _ handler: (@Sendable (_ result: Bool, _ errorMessage: String?) -> Void)?
    ) {
        guard let phone = session.phone else {
            let error = ResultError(
                code: ResultCodes.unsupported,
                error: PushError(.unsupported, "only a phone has a log; give the session a Phone"))
            return queue.async { handler?(false, error.errorDescription) }
        }
        if let fault = session.refusal(of: .logUpload) {
            let error = ResultError(code: ResultCodes.unsupported, error: fault.error)
            return queue.async { handler?(false, error.errorDescription) }
        }
        phone.record(.logUpload)
        queue.async { handler?(true, nil) }
    }

    /// The generation of the SDK whose rules the session has, by name.
    public func sdkVersion() -> String { session.rules.name }
}
