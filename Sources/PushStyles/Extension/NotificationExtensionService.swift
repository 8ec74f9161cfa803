import Dispatch
import PushAdapter
public import PushDevice

/// The calls of an app's extension, which gets a pushed notification before it is shown: those of JPush's
/// `JPushNotificationExtensionService` and EngageLab's `MTNotificationExtensionService`.
///
/// Set the app key before a receipt, and set the app's own. Otherwise the arrival is not reported, and a line of the
/// phone's log says why; the same holds under rules without receipts. As in the SDKs, the key, the app group and the
/// log level are kept once for the app: for the session, not for each object. The service's queue calls the
/// completions, also after a refusal. Without a phone as the session's host, nothing is reported.
///
/// ```swift
/// let sdk = NotificationExtensionService(service)
/// sdk.jpushSetAppkey("0123456789abcdef01234567")
/// sdk.jpushReceive(request) { contentHandler(request.content) }
/// ```
public final class NotificationExtensionService: Sendable {
    /// Why the SDK of the session's rules has no receipts, or no spoken notifications; nil if it has them.
    private let withoutReceipts, withoutAppGroup: SessionFault?
    private let phone: (any Phone)?
    private let queue: DispatchQueue
    private let start: DeviceStart
    private let state: StyleState
    private var log: StyleLog { state.extensionLog }

    /// Makes the calls of the extension of one app.
    /// - Parameters:
    ///   - service: the app's service, which is not retained.
    ///   - start: the values that the app's service was started with. If it has no app key, the extension may set any
    ///     key.
    public init(_ service: SequencedPushService, start: DeviceStart = DeviceStart()) {
        phone = service.session.phone
        withoutReceipts = service.session.refusal(of: .receipts)
        withoutAppGroup = service.session.refusal(of: .appGroup)
        queue = service.queue
        self.start = start
        state = service.state
    }

    // MARK: App key

    /// Sets the app key: JPush's call. A key that differs from the app's is refused, and the refusal is logged.
    public func jpushSetAppkey(_ appkey: String?) { setAppKey(appkey, "jpushSetAppkey") }

    /// Sets the app key: EngageLab's call.
    public func mtpushSetAppkey(_ appkey: String?) { setAppKey(appkey, "mtpushSetAppkey") }

    private func setAppKey(_ key: String?, _ call: String) {
        guard let key, !key.isEmpty else {
            state.extension.withLock { $0.appKey = .missing }
            return log.write("\(call): there is no app key")
        }
        let isRight = start.appKey.map { $0 == Secret(key) } ?? true
        state.extension.withLock { $0.appKey = isRight ? .set : .refused }
        if !isRight { log.write("\(call): the app key differs from the app's; set the same one") }
    }

    // MARK: Data center

    /// Names the data center: EngageLab's call, before the app key is set. The phone keeps the name in its records. From
    /// version 4.3.5 on, the SDK needs no name.
    public func setSiteName(_ siteName: String?) {
        if let siteName { phone?.record(.site(siteName)) }
    }

    // MARK: Receipts

    /// Reports that a notification arrived: JPush's `jpushReceiveNotificationRequest:with:`. Show the notification in
    /// the completion.
    public func jpushReceive(_ request: PhoneNotification.Request, with completion: (@Sendable () -> Void)?) {
        receive(request, "jpushReceiveNotificationRequest", completion)
    }

    /// Reports that a notification arrived: EngageLab's `mtpushReceiveNotificationRequest:with:`. Show the notification
    /// in the completion.
    public func mtpushReceive(_ request: PhoneNotification.Request, with completion: (@Sendable () -> Void)?) {
        receive(request, "mtpushReceiveNotificationRequest", completion)
    }

    private func receive(
        _ request: PhoneNotification.Request, _ call: String, _ completion: (@Sendable () -> Void)?
    ) {
        defer { queue.async { completion?() } }
        if let fault = withoutReceipts {
            return log.write("\(call): not reported, because \(fault.error.message)")
        }
        switch state.extension.withLock({ $0.appKey }) {
        case .set:
            phone?.confirmDelivery(of: request)
            log.write("\(call): reported \(request.identifier)", .event)
        case .missing: log.write("\(call): not reported, because no app key is set; set it first")
        case .refused: log.write("\(call): not reported, because the app key is not the app's")
        }
    }

    // MARK: Spoken notifications

    /// Names the storage that the extension shares with the app. The app must name the same one, with
    /// ``SequencedPushService/setAppGroupId(_:)``.
    public func mtpushSetAppGroupId(_ appGroupId: String?) { state.extension.withLock { $0.appGroup = appGroupId } }

    /// Prepares a spoken notification and passes on the sound that its content should have. If the app and the
    /// extension do not share a storage, the sound stays the original, and a line of the phone's log says why.
    ///
    /// The name of the sound is made from the notification's identifier; there is no file behind it.
    public func handleVoice(
        _ request: PhoneNotification.Request, with completion: @escaping @Sendable (_ soundName: String?) -> Void
    ) {
        let original = request.content.sound
        guard phone != nil else { return queue.async { completion(original) } }
        if let fault = withoutAppGroup {
            log.write("handleVoice: \(fault.error.message); the sound is unchanged")
            return queue.async { completion(original) }
        }
        let groups = [state.appGroup.withLock { $0 }, state.extension.withLock { $0.appGroup }].compactMap(\.self)
        guard groups.count == 2, groups[0] == groups[1] else {
            let reason =
                groups.count == 2
                ? "the app groups of app and extension differ" : "the app group is not set on both sides"
            log.write("handleVoice: \(reason); the sound is unchanged")
            return queue.async { completion(original) }
        }
        log.write("handleVoice: prepared \(request.identifier)", .event)
        queue.async { completion("voice-\(request.identifier)") }
    }

    // MARK: Log

    /// Writes only refusals to the log from now on; for releases.
    public func setLogOff() { log.level = .errors }
}
