import FoundationEssentials
import Glibc
import PushAdapter
import PushClient
import PushCurl
import PushRouter
import PushSimulation
import PushWebPush
import TestSupport
import Testing
import WebPushBrowser
import WebPushSimulator

/// The whole way: client, adapter, sockets, the simulated push service, and a Firefox that decrypts.
@Suite(
    "Web Push and a real Firefox over loopback",
    .enabled(
        if: FirefoxProfile.program != nil, "Firefox is not installed; run scripts/setup.sh firefox-esr"),
    .serialized, .timeLimit(.minutes(5)))
struct FirefoxTests {
    private static let text = Notification(title: "Ferry at 16:10", body: "Gate 3, not 4: Abfahrt für Käpt’n 🚢")

    /// Runs Firefox on the page. It is subscribed with the adapter's key.
    private func withFirefox(
        _ body: @escaping @Sendable (BrowserStage, PushRouter, Events, inout Marionette) async throws -> Void
    ) async throws {
        var webpush = try WebPush(try WebPushKey.generate(), subject: "mailto:push@pushbridge.dev")
        webpush.services = [.init("simulator", hosts: [BrowserStage.serviceHost], as: .mozilla, isPrivate: true)]
        let provider = webpush
        try await BrowserStage.run(serverKey: provider.primaryKey.publicKey) { stage in
            let program = try Program(
                try #require(FirefoxProfile.program), stage.profile.arguments(Marionette.arguments),
                environment: ["HOME": stage.profile.folder, "MOZ_CRASHREPORTER_DISABLE": "1"])
            let result: Result<Void, any Error>
            do {
                let events = Events(stage.page.events)
                let router = try await router(to: provider, from: events, page: stage.page.address)
                do {
                    try await Marionette.run(profile: stage.profile.folder) { browser in
                        try await body(stage, router, events, &browser)
                    }
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await router.shutdownClients()
            } catch {
                result = .failure(error)
            }
            program.send(signal: SIGKILL)
            _ = await program.result()
            try result.get()
        }
    }

    /// A router that knows the browser as Ann's.
    private func router(to webpush: WebPush, from events: Events, page: String) async throws -> PushRouter {
        guard case .subscribed(let json) = try await events.next() else { throw Events.Unexpected() }
        var webpush = webpush
        // A tap comes back to the page.
        webpush.defaultNavigate = page + "/"
        let device = try webpush.subscription(from: json).deviceID
        let binding = Binding(
            user: "ann", installation: "ann's Firefox", route: "webpush", target: .device(device),
            boundAt: Date(timeIntervalSinceNow: -86_400))
        return try PushRouter(
            routes: ["webpush": PushClient(webpush, transport: try CurlTransport())],
            bindings: MemoryBindingStore([binding]))
    }

    private func send(_ notification: Notification, over router: PushRouter) async throws -> RouterReport {
        try await router.send(router.plan(Message(notification: notification), to: .users(["ann"])))
    }

    @Test("a push is decrypted and shown, taps and closes are told apart, and an ended subscription is pruned")
    func wholeWay() async throws {
        try await withFirefox { stage, router, events, browser in
            let first = try await send(Self.text, over: router)
            #expect(first.outcomes.map(\.status) == [.accepted])
            guard case .shown(let shown) = try await events.next() else { throw Events.Unexpected() }
            #expect(shown.title == "Ferry at 16:10" && shown.body == "Gate 3, not 4: Abfahrt für Käpt’n 🚢")
            #expect(shown.navigate == stage.page.address + "/")
            await until { await stage.simulator.reports.map(\.code) == [BrowserReport.Code.delivered] }
            try await browser.tapNotification()
            #expect(try await events.next() == .tapped(shown))

            _ = try await send(Notification(title: "Ferry at 17:10", body: "Gate 3"), over: router)
            guard case .shown(let second) = try await events.next() else { throw Events.Unexpected() }
            #expect(second.title == "Ferry at 17:10")
            try await browser.closeNotification()
            #expect(try await events.next() == .closed(second))

            try await browser.click("#unsubscribe")
            #expect(try await events.next() == .unsubscribed)
            // The page and the browser tell the end over different connections.
            var last = first
            try await until {
                last = try await send(Self.text, over: router)
                return last.outcomes.map(\.status) != [.accepted]
            }
            #expect(last.outcomes.map(\.status.isInvalid) == [true])
            #expect(stage.host.journal.entries.last?.status == 410)
            #expect(try await router.prune(last).retired == 1)
            #expect(try await router.bindings.bindings(of: ["ann"]).isEmpty)
        }
    }
}

/// The events of a page, one after the other.
private actor Events {
    struct Unexpected: Error {}

    private let events: AsyncStream<BrowserEvent>

    init(_ events: AsyncStream<BrowserEvent>) { self.events = events }

    /// The next event. Throws if there is none any more.
    func next() async throws -> BrowserEvent {
        for await event in events { return event }
        throw Unexpected()
    }
}
