import FoundationEssentials
import JPushSimulator
import PushAdapter
import PushClient
import PushDevice
import PushJPush
import PushPhone
import PushSimulation

/// A phone at a JPush simulator, and a client that sends to it.
struct Stage {
    static let id = "191e35f7e0a1b2c3d4f"
    let clock = VirtualClock()
    let simulator: JPushSimulator
    let client: PushClient
    let jpush: JPush
    let phone: VirtualPhone

    init(_ platform: Platform = .ios, settings: VirtualPhone.Settings = VirtualPhone.Settings()) throws {
        let (key, secret) = ("0123456789abcdef01234567", "aaaabbbbccccddddeeeeffff")
        simulator = JPushSimulator(appKey: key, masterSecret: secret)
        let host = SimulatorHost(simulator, clock: clock)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        jpush = try JPush(
            appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
        client = PushClient(jpush, transport: InProcessTransport(host), configuration: configuration)
        phone = VirtualPhone(VirtualDevice(Self.id, platform), at: simulator, settings: settings, clock: clock)
    }

    /// A phone in a pocket: registered, with the app in the background.
    static func pocket(_ platform: Platform = .ios) async throws -> Stage {
        let stage = try Stage(platform)
        _ = try await stage.phone.register()
        await stage.phone.leaveApp()
        return stage
    }

    /// Sends a message to the phone.
    func send(_ message: Message) async throws -> MessageID {
        let receipt = try await client.send(message, to: .devices([DeviceID(Self.id)]))
        await phone.reported()
        guard let id = receipt.messageIDs.first else { throw PushError(.malformedResponse, "no message id") }
        return id
    }
}

/// An app that records the system's calls, and answers them as configured.
final class DiaryApp: PhoneApp {
    struct State {
        var lines: [String] = []
        var presentation: PhoneNotification.Presentation = [.alert, .badge, .sound]
        var isSilent = false
        var held: [@Sendable () -> Void] = []
        var onLaunch: (@Sendable () -> Void)?
    }
    private let state = Locked(State())
    let serviceExtension: (any NotificationServiceExtension)?

    init(
        presenting presentation: PhoneNotification.Presentation = [.alert, .badge, .sound], isSilent: Bool = false,
        serviceExtension: (any NotificationServiceExtension)? = nil
    ) {
        self.serviceExtension = serviceExtension
        state.withLock {
            $0.presentation = presentation
            $0.isSilent = isSilent
        }
    }

    var lines: [String] { state.withLock { $0.lines } }

    /// Gives the answers that the app held back.
    func answerAll() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for answer in held { answer() }
    }

    private func note(_ line: String) { state.withLock { $0.lines.append(line) } }

    private func answer(_ answer: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isSilent { state.held.append(answer) }
            return state.isSilent
        }
        if !isHeld { answer() }
    }

    func didFinishLaunching(_ options: LaunchOptions) {
        let how = options.remoteNotification != nil ? "push" : options.localNotification != nil ? "local" : "icon"
        note("launched by \(how)")
        state.withLock { $0.onLaunch }?()
    }

    /// Calls a function when the app is started.
    func onLaunch(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onLaunch = call } }
    func didReceiveRemoteNotification(_ userInfo: [String: JSONValue]) { note("remote") }
    func didReceiveRemoteNotification(
        _ userInfo: [String: JSONValue], completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        note("woken")
        answer { completion(.newData) }
    }
    func didReceiveLocalNotification(_ notification: PhoneNotification) { note("local \(notification.id)") }
    func willPresent(
        _ notification: PhoneNotification, completion: @escaping @Sendable (PhoneNotification.Presentation) -> Void
    ) {
        note("will present \(notification.content.body)")
        let presentation = state.withLock { $0.presentation }
        answer { completion(presentation) }
    }
    func didReceive(_ response: PhoneNotification.Response, completion: @escaping @Sendable () -> Void) {
        switch response.action {
        case .open: note("opened \(response.notification.content.body)")
        case .dismiss: note("dismissed \(response.notification.content.body)")
        case .action(let name): note("action \(name) \(response.text ?? "")")
        }
        completion()
    }
    func openSettings(for notification: PhoneNotification?) {
        note("settings from \(notification?.id ?? "the system")")
    }
    func didReceiveCustomMessage(_ userInfo: [String: JSONValue]) {
        note("custom \(userInfo["content"]?.stringValue ?? "")")
    }
    func didReceiveCall(_ payload: [String: JSONValue], report: @escaping @Sendable () -> Void) {
        note("call")
        answer(report)
    }
    func didClickInAppMessage(_ parameters: [String: JSONValue]) { note("in-app") }
    func didRequestPermission(isAllowed: Bool) { note("permission \(isAllowed)") }
}

/// An extension that marks its notifications, or never answers.
struct MarkingExtension: NotificationServiceExtension {
    var answers = true
    func didReceive(
        _ request: PhoneNotification.Request, contentHandler: @escaping @Sendable (PhoneNotification.Content) -> Void
    ) {
        guard answers else { return }
        var content = request.content
        content.title = "marked"
        contentHandler(content)
        // A second answer does nothing.
        content.title = "again"
        contentHandler(content)
    }
}

/// An extension that holds each notification until the test passes it on.
final class HoldingExtension: NotificationServiceExtension {
    private let state = Locked<[(PhoneNotification.Request, @Sendable (PhoneNotification.Content) -> Void)]>([])

    var requests: [PhoneNotification.Request] { state.withLock { $0.map(\.0) } }

    func didReceive(
        _ request: PhoneNotification.Request, contentHandler: @escaping @Sendable (PhoneNotification.Content) -> Void
    ) {
        state.withLock { $0.append((request, contentHandler)) }
    }

    func passAll() { for (request, handler) in state.withLock({ $0 }) { handler(request.content) } }
}

extension Message {
    static func hello(_ edit: (inout IOSNotification) -> Void = { _ in }) -> Message {
        var notification = Notification(body: "Hello")
        var ios = IOSNotification()
        edit(&ios)
        notification.ios = ios
        return Message(notification: notification)
    }
}
