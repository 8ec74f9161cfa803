import Dispatch
import PushAdapter
import PushDevice

/// The delegates that an app named for its phone's calls. As in the SDKs, a new delegate replaces the earlier one for
/// the same calls, and no other.
struct StyleReceivers: Sendable {
    /// The delegate that the guides of JPush and EngageLab register for notifications.
    enum Center: Sendable {
        case jpush(any JPUSHRegisterDelegate)
        case mtpush(any MTPushRegisterDelegate)
    }

    /// Whether the SDK of the rules reports that the user opens the app's settings, and the user's permission.
    let opensSettings, reportsPermission: Bool
    var center: StyleReceiver<Center>?
    var application: StyleReceiver<any PhoneApplicationDelegate>?
    var events: StyleReceiver<any XGPushDelegate>?
    var actions: StyleReceiver<any XGInAppMessageActionDelegate>?
    var serviceExtension: (any NotificationServiceExtension)?
    var messages: [@Sendable ([String: JSONValue]) -> Void] = []

    /// No receivers yet, for an app whose SDK is that of the session's rules.
    init(under session: DeviceSession) {
        opensSettings = session.refusal(of: .openSettings) == nil
        reportsPermission = session.refusal(of: .permission) == nil
    }
}

/// A delegate, and the queue on which it is called. The delegate belongs to the app and is held weakly.
struct StyleReceiver<Delegate: Sendable>: Sendable {
    private let queue: DispatchQueue
    private let find: @Sendable () -> Delegate?

    /// A delegate that `find` reads from a weak reference.
    init(on queue: DispatchQueue, _ find: @escaping @Sendable () -> Delegate?) {
        self.queue = queue
        self.find = find
    }

    /// The delegate; nil if it is gone.
    var delegate: Delegate? { find() }

    /// Calls the delegate later, on its queue; with nil if it is gone by then.
    func pass(_ call: @escaping @Sendable (Delegate?) -> Void) {
        queue.async { call(find()) }
    }

    /// Calls the delegate on its queue, if it is not gone: at once if that is the current queue.
    func call(from current: DispatchQueue, _ call: @escaping @Sendable (Delegate) -> Void) {
        guard current === queue else { return pass { $0.map(call) } }
        find().map(call)
    }

    /// A question to the delegate, which answers on its queue; without the delegate, the answer is `fallback`.
    func question<Answer: Sendable>(
        orElse fallback: Answer,
        _ ask: @escaping @Sendable (Delegate, @escaping @Sendable (Answer) -> Void) -> Void
    ) -> StyleAnswers<Answer>.Question {
        { answer in pass { delegate in if let delegate { ask(delegate, answer) } else { answer(fallback) } } }
    }
}
