import PushAdapter
import Testing
import WebPushBrowser

/// The page of the Web Push demo in a real browser.
@Suite("The page of Web Push in a browser", .serialized, .timeLimit(.minutes(5)))
struct WebPushPageTests {
    /// Takes the place of the browser's own push service, which is on the internet.
    private static let service = """
        const subscription = {
          endpoint: "https://push.example/SECRET-ADDRESS",
          options: { applicationServerKey: new Uint8Array(65).fill(4).buffer },
          toJSON: () => ({ endpoint: subscription.endpoint, keys: { p256dh: "SECRET-KEY", auth: "SECRET-AUTH" } }),
          unsubscribe: async () => { current = null; return true; },
        };
        let current = null;
        PushManager.prototype.subscribe = async () => current = subscription;
        PushManager.prototype.getSubscription = async () => current;
        Notification.requestPermission = async () => "granted";
        """

    /// Opens the page in a window of a size. The browser is not subscribed.
    private func withPage(
        width: Int = 1280, height: Int = 900,
        _ body: @escaping @Sendable (BrowserPage, WebDriver) async throws -> Void
    ) async throws {
        try await BrowserPage.withServer(serverKey: "BAAA") { page in
            try await WebDriver.run { browser in
                try await browser.resize(width: width, height: height)
                try await browser.prepare(Self.service)
                try await browser.open(page.address)
                try await browser.wait(until: Self.state("off"))
                try await body(page, browser)
            }
        }
    }

    private static func state(_ name: String) -> String {
        "document.querySelector('#state').dataset.state === '\(name)'"
    }

    /// Tells the page what its service worker tells it.
    private func report(_ event: JSONValue, to browser: WebDriver) async throws {
        try await browser.run(
            "navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: arguments[0] }))", [event])
    }

    private func focus(_ browser: WebDriver) async throws -> JSONValue {
        try await browser.run("return document.activeElement.id")
    }

    @Test("the keyboard alone subscribes and unsubscribes, and keeps its place")
    func keyboard() async throws {
        try await withPage { page, browser in
            var events = page.events.makeAsyncIterator()
            try await browser.press(.tab)
            #expect(try await focus(browser) == "subscribe")
            let outline = try await browser.run("return getComputedStyle(document.activeElement).outlineStyle")
            #expect(outline == "solid")
            try await browser.press(.enter)
            try await browser.wait(until: Self.state("on"))
            try await browser.wait(until: "document.activeElement.id === 'unsubscribe'")
            guard case .subscribed = await events.next() else { throw WebDriver.Failure("it is not subscribed") }
            try await browser.press(.enter)
            try await browser.wait(until: Self.state("off"))
            try await browser.wait(until: "document.activeElement.id === 'subscribe'")
            #expect(await events.next() == .unsubscribed)
        }
    }

    @Test("the program gets the subscription; the page shows the origin of its address, and no secret")
    func secrets() async throws {
        try await withPage { page, browser in
            var events = page.events.makeAsyncIterator()
            try await browser.click("#subscribe")
            try await browser.wait(until: Self.state("on"))
            guard case .subscribed(let json) = await events.next() else {
                throw WebDriver.Failure("it is not subscribed")
            }
            for secret in ["SECRET-ADDRESS", "SECRET-KEY", "SECRET-AUTH"] { #expect(json.contains(secret)) }
            #expect(
                try await browser.run("return document.querySelector('#service').innerText") == "https://push.example")
            let traces = try await browser.run(
                """
                const storage = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
                return document.documentElement.outerHTML + location.href + document.cookie + storage;
                """)
            #expect(traces.stringValue?.contains("https://push.example") == true)
            #expect(traces.stringValue?.contains("SECRET") == false)
        }
    }

    @Test("if the browser allows no notifications, the page says so, and the user can ask again")
    func denied() async throws {
        try await withPage { page, browser in
            var events = page.events.makeAsyncIterator()
            try await browser.run("Notification.requestPermission = async () => 'denied'")
            try await browser.click("#subscribe")
            try await browser.wait(until: Self.state("failed"))
            guard case .failed(let reason) = await events.next() else { throw WebDriver.Failure("it did not fail") }
            #expect(reason.contains("does not allow notifications"))
            try await browser.run("Notification.requestPermission = async () => 'granted'")
            try await browser.click("#subscribe")
            try await browser.wait(until: Self.state("on"))
        }
    }

    @Test("pushes are listed as texts, the newest first and fifty of them, with the user's answer")
    func pushes() async throws {
        try await withPage { _, browser in
            let rows = "[...document.querySelectorAll('#pushes li')]"
            func titles() async throws -> JSONValue {
                try await browser.run("return \(rows).map((row) => row.querySelector('.title').innerText)")
            }
            try await report(["event": "data", "text": ""], to: browser)
            try await report(["event": "data", "text": "<b>ping</b>"], to: browser)
            let shop: JSONValue = ["title": "Shop", "body": "Order shipped"]
            try await report(["event": "shown", "notification": shop], to: browser)
            try await report(["event": "shown", "notification": ["body": "Gate 3"]], to: browser)
            let host = try await browser.run("return location.host")
            #expect(try await titles() == [host, "Shop", "<b>ping</b>", "A push without data"])
            try await report(["event": "tapped", "notification": shop], to: browser)
            #expect(try await browser.run("return \(rows)[1].querySelector('.chip').innerText") == "Tapped")
            #expect(try await browser.run("return document.querySelector('#none').checkVisibility()") == false)
            for number in 0..<60 { try await report(["event": "data", "text": .string("\(number)")], to: browser) }
            let count = try await titles().arrayValue?.count
            #expect(count == 50)
        }
    }

    @Test(
        "nothing is wider than the window, too weak to read or without a name, in both color schemes",
        arguments: [(1280, 900), (360, 800)])
    func looks(width: Int, height: Int) async throws {
        try await withPage(width: width, height: height) { _, browser in
            let ground = "return getComputedStyle(document.querySelector('#subscribe')).backgroundColor"
            let on = try await browser.run(ground)
            #expect(try await browser.run(PageScript.tooWide) == [])
            try await browser.click("#subscribe")
            try await browser.wait(until: Self.state("on"))
            // A button that does nothing does not look as if it did.
            #expect(try await browser.run(ground) != on)
            let word = JSONValue.string(String(repeating: "Abfahrtstafelaktualisierung", count: 5))
            try await report(["event": "data", "text": word], to: browser)
            try await report(["event": "shown", "notification": ["title": word, "body": word]], to: browser)
            try await report(
                ["event": "shown", "notification": ["title": "Shop", "body": "Order shipped"]], to: browser)
            try await browser.expectReadable(leastTexts: 16, screenshot: "webpush-\(width)")
        }
    }
}
