import Dispatch
import PushAdapter
import PushClient
import PushDevice

/// The state that an SDK keeps once for an app: one value for each session. All services, managers and extensions over
/// a session share it, as an app's code shares the SDK's class methods and singletons.
final class StyleState: Sendable {
    /// The state of TPNS's singletons.
    struct Manager: Sendable {
        var writes: StyleReceiver<any XGPushTokenManagerDelegate>?
        var configure: XGNotificationConfigure?
        var icon = 0
        var reportsConnections = false
    }

    /// The settings of the app's extension.
    struct Extension: Sendable {
        enum AppKey: Sendable {
            case missing
            case refused
            case set
        }

        var appKey = AppKey.missing
        var appGroup: String?
    }

    let log: StyleLog
    /// The log of the app's extension, which is a program of its own and has its own level.
    let extensionLog: StyleLog
    /// When each page on the screen appeared.
    let pages = Locked<[String: Duration]>([:])
    /// The storage that the app shares with its extension.
    let appGroup = Locked<String?>(nil)
    /// Names of local notifications that are being registered.
    let localNames = Locked<Set<String>>([])
    let manager = Locked(Manager())
    let `extension` = Locked(Extension())
    /// The app that the phone's system calls; nil without a phone.
    private let app: StyleApp?
    private let phone: (any Phone)?
    private let state: Locked<StyleReceivers>

    init(_ phone: (any Phone)?, _ receivers: StyleReceivers) {
        self.phone = phone
        let receivers = Locked(receivers)
        state = receivers
        app = phone.map { StyleApp($0, receivers) }
        log = StyleLog(phone) { receivers.withLock { $0.events } }
        extensionLog = StyleLog(phone) { nil }
    }

    var receivers: StyleReceivers { state.withLock { $0 } }

    /// Changes the receivers of calls, and installs the app on the phone.
    func receive(_ change: (inout StyleReceivers) -> Void) {
        state.withLock { change(&$0) }
        if let app { phone?.install(app) }
    }

    /// Reports each connection to the delegate of TPNS's style, once for the session.
    func reportConnections(of session: DeviceSession, on queue: DispatchQueue) {
        let isReported = manager.withLock { manager in
            defer { manager.reportsConnections = true }
            return manager.reportsConnections
        }
        guard !isReported else { return }
        session.onConnection(on: queue) { [weak self] in
            self?.receivers.events?.call(from: queue) { $0.xgPushNetworkConnected() }
        }
    }
}

extension DeviceSession {
    /// The state that the styles keep for the session's app.
    var styles: StyleState { attachments.value { StyleState(phone, StyleReceivers(under: self)) } }
}
