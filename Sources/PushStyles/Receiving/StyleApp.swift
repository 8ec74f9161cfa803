import Dispatch
import PushAdapter
import PushDevice

/// The app as the phone's system sees it. It passes each call on to the app's delegates and observers, on their queues
/// and in the order of the calls.
///
/// If the styles of two SDKs have a delegate, both get a notification. The phone shows it in every way that one of them
/// asks for.
final class StyleApp: PhoneApp {
    private let phone: any Phone
    private let state: Locked<StyleReceivers>

    init(_ phone: any Phone, _ receivers: Locked<StyleReceivers>) {
        self.phone = phone
        state = receivers
    }

    private var receivers: StyleReceivers { state.withLock { $0 } }

    private func passToApplication(_ call: @escaping @Sendable (any PhoneApplicationDelegate, any Phone) -> Void) {
        receivers.application?.pass { [phone] in if let application = $0 { call(application, phone) } }
    }

    // MARK: PhoneApp

    func didFinishLaunching(_ options: LaunchOptions) {
        passToApplication { _ = $0.application($1, didFinishLaunchingWithOptions: options.dictionary) }
    }

    func didReceiveRemoteNotification(_ userInfo: [String: JSONValue]) {
        let hasFetchMethod = (7..<10).contains(phone.systemVersion)
        passToApplication { application, phone in
            if hasFetchMethod {
                application.application(phone, didReceiveRemoteNotification: userInfo) { _ in }
            } else {
                application.application(phone, didReceiveRemoteNotification: userInfo)
            }
        }
        receivers.events?.pass { $0?.xgPushDidReceiveRemoteNotification(userInfo) { _ in } }
    }

    func didReceiveRemoteNotification(
        _ userInfo: [String: JSONValue], completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        let application = receivers.application?.question(orElse: FetchResult.noData) { [phone] delegate, answer in
            delegate.application(phone, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: answer)
        }
        let events = receivers.events?.question(orElse: FetchResult.noData) { delegate, answer in
            delegate.xgPushDidReceiveRemoteNotification(userInfo) { result in
                answer(FetchResult(rawValue: Int(clamping: result)) ?? .noData)
            }
        }
        StyleAnswers.collect([application, events]) { results in
            completion([.newData, .failed].first { results.contains($0) } ?? .noData)
        }
    }

    func didReceiveLocalNotification(_ notification: PhoneNotification) {
        passToApplication { $0.application($1, didReceive: notification) }
    }

    func willPresent(
        _ notification: PhoneNotification, completion: @escaping @Sendable (PhoneNotification.Presentation) -> Void
    ) {
        let center = receivers.center?.question(orElse: 0) { [phone] delegate, answer in
            switch delegate {
            case .jpush(let jpush):
                jpush.jpushNotificationCenter(phone, willPresent: notification, withCompletionHandler: answer)
            case .mtpush(let mtpush):
                mtpush.mtpNotificationCenter(phone, willPresent: notification, withCompletionHandler: answer)
            }
        }
        let events = receivers.events?.question(orElse: 0) { delegate, answer in
            delegate.xgPushDidReceiveRemoteNotification(notification) { answer(Int(truncatingIfNeeded: $0)) }
        }
        StyleAnswers.collect([center, events]) { ways in
            completion(PhoneNotification.Presentation(rawValue: ways.reduce(0, |)))
        }
    }

    func didReceive(_ response: PhoneNotification.Response, completion: @escaping @Sendable () -> Void) {
        let center = receivers.center?.question(orElse: ()) { [phone] delegate, answer in
            switch delegate {
            case .jpush(let jpush):
                jpush.jpushNotificationCenter(phone, didReceive: response) { answer(()) }
            case .mtpush(let mtpush):
                mtpush.mtpNotificationCenter(phone, didReceive: response) { answer(()) }
            }
        }
        let events = receivers.events?.question(orElse: ()) { delegate, answer in
            delegate.xgPushDidReceiveNotificationResponse(response) { answer(()) }
        }
        StyleAnswers.collect([center, events]) { _ in completion() }
    }

    func openSettings(for notification: PhoneNotification?) {
        guard receivers.opensSettings else { return }
        receivers.center?.pass { [phone] delegate in
            guard case .mtpush(let mtpush) = delegate else { return }
            mtpush.mtpNotificationCenter(phone, openSettingsFor: notification)
        }
    }

    func didReceiveCustomMessage(_ userInfo: [String: JSONValue]) {
        for observer in receivers.messages { observer(userInfo) }
    }

    func didReceiveCall(_ payload: [String: JSONValue], report: @escaping @Sendable () -> Void) {
        passToApplication { $0.pushRegistry($1, didReceiveIncomingPushWith: payload, completion: report) }
    }

    func didClickInAppMessage(_ parameters: [String: JSONValue]) {
        receivers.actions?.pass { $0?.onClick(withCustomAction: parameters) }
    }

    func didRequestPermission(isAllowed: Bool) {
        guard receivers.reportsPermission else { return }
        receivers.events?.pass { $0?.xgPushDidRequestNotificationPermission(isAllowed, error: nil) }
    }

    var serviceExtension: (any NotificationServiceExtension)? { receivers.serviceExtension }
}

extension LaunchOptions {
    /// The options under their names; nil if there are none.
    fileprivate var dictionary: [String: JSONValue]? {
        var options: [String: JSONValue] = [:]
        if let remoteNotification { options[LaunchOptionsKey.remoteNotification] = .object(remoteNotification) }
        if let local = localNotification {
            options[LaunchOptionsKey.localNotification] = [
                "identifier": .string(local.id), "alertTitle": .string(local.content.title),
                "alertBody": .string(local.content.body), "userInfo": .object(local.content.userInfo),
            ]
        }
        return options.isEmpty ? nil : options
    }
}
