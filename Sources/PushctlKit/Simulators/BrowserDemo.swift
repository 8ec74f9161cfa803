import Foundation
import PushAdapter
import PushBridge
import PushWebPush
import WebPushBrowser

/// Pushes to a person's Firefox, through the client, the adapter and a push service on this machine.
struct BrowserDemo: Sendable {
    private let client: PushClient
    private let webpush: WebPush
    private let stage: BrowserStage
    /// The browser, once it has subscribed.
    private let device = Locked<DeviceID?>(nil)
    private let count = Locked(0)

    /// Serves the page, starts Firefox if it is installed, and sends until SIGINT or SIGTERM.
    static func run() async throws {
        let signal = StopSignal()
        let lines = lines()
        var webpush = try WebPush(WebPushKey.generate(), subject: "mailto:push@example.com")
        webpush.services = [.init("simulator", hosts: [BrowserStage.serviceHost], as: .mozilla, isPrivate: true)]
        let settings = webpush
        try await BrowserStage.run(serverKey: settings.primaryKey.publicKey) { stage in
            var webpush = settings
            webpush.defaultNavigate = stage.page.address + "/"
            let client = PushClient(webpush, transport: try CurlTransport())
            let demo = BrowserDemo(client: client, webpush: webpush, stage: stage)
            demo.explain()
            let firefox = demo.start()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await event in stage.page.events { await demo.take(event) } }
                group.addTask { for await _ in lines { await demo.send() } }
                await signal.wait()
                group.cancelAll()
            }
            firefox?.terminate()
            firefox?.waitUntilExit()
            await client.shutdown()
        }
    }

    /// One element for each line of standard input. The thread ends with the program.
    private static func lines() -> AsyncStream<Void> {
        let (lines, found) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        Thread.detachNewThread {
            while readLine() != nil { found.yield() }
            found.finish()
        }
        return lines
    }

    // MARK: Firefox

    private func explain() {
        let words = stage.profile.arguments().map { "'\($0)'" }.joined(separator: " ")
        Output.line("The page is at \(stage.page.address). It needs a Firefox with a profile of its own:\n")
        Output.line("  firefox \(words)\n")
        Output.line("The profile differs from a new one in these preferences:\n")
        for (name, value) in stage.profile.preferences {
            Output.line("  \(name) = \(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self))")
        }
        Output.line("\nPress Enter to send a push. Ctrl-C ends the demo and deletes the profile.\n")
    }

    private func start() -> Process? {
        guard let program = FirefoxProfile.program else {
            Output.complain("Firefox is not installed here; start it with the command above")
            return nil
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = stage.profile.arguments()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try Self.run(process)
            return process
        } catch {
            Output.complain("Firefox does not start; start it with the command above")
            return nil
        }
    }

    /// Runs a process that takes signals. The threads of tasks block them, and a process begins with the signals of its
    /// thread: Firefox would ignore the end of the demo.
    private static func run(_ process: Process) throws {
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &usual)
        defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
        try process.run()
    }

    // MARK: Pushes

    private func take(_ event: BrowserEvent) async {
        switch event {
        case .subscribed(let json):
            do throws(PushError) {
                let subscription = try webpush.subscription(from: json)
                device.withLock { $0 = subscription.deviceID }
                Output.line("subscribed at \(subscription.origin)")
                await send()
            } catch {
                Output.complain("error: \(error.message)")
            }
        case .unsubscribed: Output.line("unsubscribed; the next push finds that out")
        case .shown(let notification): Output.line("on the screen: \(notification.title)")
        case .tapped(let notification): Output.line("tapped: \(notification.title)")
        case .closed(let notification): Output.line("closed: \(notification.title)")
        case .data: Output.line("a push without a notification arrived")
        case .failed(let reason): Output.complain("error: the page says: \(reason)")
        }
    }

    private func send() async {
        guard let device = device.withLock({ $0 }) else {
            return Output.complain("no browser is subscribed; press Subscribe on its page")
        }
        let number = count.withLock { count in
            count += 1
            return count
        }
        let message = Message(notification: Notification(title: "Push \(number)", body: "Order shipped"))
        do throws(PushError) {
            _ = try await client.send(message, to: .devices([device]))
            Output.line("push \(number): accepted")
        } catch {
            guard error.report?.invalidTargets.isEmpty ?? true else {
                self.device.withLock { $0 = nil }
                return Output.line("push \(number): the subscription is gone; remove it")
            }
            Output.complain("error: push \(number): \(error.message)")
        }
    }
}
