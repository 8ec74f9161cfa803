import Dispatch
import PushCore
import PushDevice

/// The app as the phone's system sees it: passes each call on to the app's delegates and observers, on their queue and
/// in the order of the calls.
final class StyleApp: PhoneApp {
    /// Who receives the calls. The delegates belong to the app and are held weakly.
    struct Receivers: Sendable {
        weak var jpush: (any JPUSHRegisterDelegate)?
        weak var mtpush: (any MTPushRegisterDelegate)?
        weak var application: (any PhoneApplicationDelegate)?
        var serviceExtension: (any NotificationServiceExtension)?
        var messages: [@Sendable ([String: JSONValue]) -> Void] = []
        var permission: (@Sendable (Bool) -> Void)?
        var click: (@Sendable ([String: JSONValue]) -> Void)?
    }

    private let phone: any Phone
    private let queue: DispatchQueue
    private let log: StyleLog
    private let state = Locked(Receivers())

    init(_ phone: any Phone, queue: DispatchQueue, log: StyleLog) {
        self.phone = phone
        self.queue = queue
        self.log = log
    }

    var receivers: Receivers { state.withLock { $0 } }

    /// Changes the receivers and becomes the phone's app.
    func receive(_ change: (inout Receivers) -> Void) {
        state.withLock { change(&$0) }
        phone.install(self)
    }

    /// Calls the receivers that are there when the queue gets to it.
    private func pass(_ call: @escaping @Sendable (Receivers, any Phone) -> Void) {
        queue.async { [self] in log.calling { call(receivers, phone) } }
    }

    // MARK: PhoneApp

    func didFinishLaunching(_ options: LaunchOptions) {
        pass { receivers, phone in
            _ = receivers.application?.application(phone, didFinishLaunchingWithOptions: options.dictionary)
        }
    }

    func didReceiveRemoteNotification(_ userInfo: [String: JSONValue]) {
        pass { receivers, phone in
            receivers.application?.application(phone, didReceiveRemoteNotification: userInfo)
        }
    }

    func didReceiveRemoteNotification(
        _ userInfo: [String: JSONValue], completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        pass { receivers, phone in
            guard let application = receivers.application else { return completion(.noData) }
            application.application(
                phone, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: completion)
        }
    }

    func didReceiveLocalNotification(_ notification: PhoneNotification) {
        pass { receivers, phone in receivers.application?.application(phone, didReceive: notification) }
    }

    func willPresent(
        _ notification: PhoneNotification, completion: @escaping @Sendable (PhoneNotification.Presentation) -> Void
    ) {
        pass { receivers, phone in
            let handler: @Sendable (Int) -> Void = { completion(PhoneNotification.Presentation(rawValue: $0)) }
            if let jpush = receivers.jpush {
                jpush.jpushNotificationCenter(phone, willPresent: notification, withCompletionHandler: handler)
            } else if let mtpush = receivers.mtpush {
                mtpush.mtpNotificationCenter(phone, willPresent: notification, withCompletionHandler: handler)
            } else {
                completion([])
            }
        }
    }

    func didReceive(_ response: PhoneNotification.Response, completion: @escaping @Sendable () -> Void) {
        pass { receivers, phone in
            if let jpush = receivers.jpush {
                jpush.jpushNotificationCenter(phone, didReceive: response, withCompletionHandler: completion)
            } else if let mtpush = receivers.mtpush {
                mtpush.mtpNotificationCenter(phone, didReceive: response, withCompletionHandler: completion)
            } else {
                completion()
            }
        }
    }

    func openSettings(for notification: PhoneNotification?) {
        pass { receivers, phone in receivers.mtpush?.mtpNotificationCenter(phone, openSettingsFor: notification) }
    }

    func didReceiveCustomMessage(_ userInfo: [String: JSONValue]) {
        pass { receivers, _ in for observer in receivers.messages { observer(userInfo) } }
    }

    func didReceiveCall(_ payload: [String: JSONValue], report: @escaping @Sendable () -> Void) {
        pass { receivers, phone in
            receivers.application?.pushRegistry(phone, didReceiveIncomingPushWith: payload, completion: report)
        }
    }

    func didClickInAppMessage(_ parameters: [String: JSONValue]) {
        pass { receivers, _ in receivers.click?(parameters) }
    }

    func didRequestPermission(isAllowed: Bool) { pass { receivers, _ in receivers.permission?(isAllowed) } }

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
