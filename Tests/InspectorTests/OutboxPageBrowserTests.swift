import PushAdapter
import PushOutbox
import PushSimulation
import Testing

/// The outbox's page in a real browser.
@Suite("The outbox's page in a browser", .serialized, .timeLimit(.minutes(5)))
struct OutboxPageBrowserTests {
    private static let isLive = "document.querySelector('#connection').dataset.state === 'live'"
    private static let names = "[...document.querySelectorAll('[data-campaign]')].map((row) => row.dataset.campaign)"

    private static func row(_ name: String) -> String { "[data-campaign='\(name)']" }

    /// Opens the page in a window of a size, signed out.
    private func withPage(
        campaigns: Int = 0, allowsChanges: Bool = false, key: String = "right", width: Int = 1280, height: Int = 900,
        _ body: @escaping @Sendable (OutboxStage, WebDriver) async throws -> Void
    ) async throws {
        try await OutboxStage.run(campaigns: campaigns, allowsChanges: allowsChanges, key: key) { stage in
            try await WebDriver.run { browser in
                try await browser.resize(width: width, height: height)
                try await browser.open(stage.address)
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                try await body(stage, browser)
            }
        }
    }

    private func signIn(_ browser: WebDriver, _ token: String = OutboxStage.token) async throws {
        try await browser.type(token, into: "#token")
        try await browser.press(.enter)
    }

    private func signInAndWait(_ browser: WebDriver) async throws {
        try await signIn(browser)
        try await browser.wait(until: Self.isLive)
    }

    @Test("the page asks for the token, keeps it for its tab, and forgets it; no address has it")
    func token() async throws {
        try await withPage(campaigns: 1) { _, browser in
            #expect(try await browser.run("return document.querySelector('#desk').checkVisibility()") == false)
            try await signIn(browser, "wrong-wrong-wrong-wrong")
            try await browser.wait(
                until: "document.querySelector('#sign-in-result.failed')?.innerText.includes('wrong')")
            try await browser.run("document.querySelector('#token').value = ''")
            try await signInAndWait(browser)
            try await browser.wait(until: "document.querySelector(\"\(Self.row("campaign-100"))\")")
            try await browser.run("window.isOld = true; location.reload()")
            try await browser.wait(
                until: "!window.isOld && \(Self.isLive) && document.querySelector('#desk').checkVisibility()")
            let traces = try await browser.run("return location.href + document.cookie + JSON.stringify(localStorage)")
            #expect(traces.stringValue?.contains(OutboxStage.token) == false)
            try await browser.click("#sign-out")
            try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
            #expect(try await browser.run("return sessionStorage.length") == 0)
            #expect(try await browser.run("return document.body.textContent.includes('campaign-100')") == false)
            #expect(try await browser.run("return document.activeElement.id") == "token")
        }
    }

    @Test("a campaign opens by the keyboard alone, and says why its targets wait")
    func keyboard() async throws {
        try await withPage { stage, browser in
            try await stage.enqueue("sale <b>")
            stage.host.faults.add(.serverError(status: 503), times: 20)
            try await stage.outbox.runUntilIdle()
            try await signInAndWait(browser)
            try await browser.wait(until: "document.querySelector('[data-campaign]')")
            var isThere = false
            for _ in 0..<30 where !isThere {
                try await browser.press(.tab)
                isThere =
                    try await browser.run("return document.activeElement.matches('[data-campaign] summary')") == true
            }
            #expect(isThere)
            #expect(try await browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid")
            try await browser.press(.enter)
            try await browser.wait(
                until: "document.querySelector('.inside ul')?.innerText.includes('3 targets waiting')")
            let text = try await browser.run("return document.querySelector('#campaigns').innerText").stringValue ?? ""
            #expect(text.contains("sale <b>") && text.contains("not tried before") && !text.contains("SECRET"))
            // Reading again leaves the focus and the opened row where they are.
            try await stage.enqueue("later")
            try await browser.run("document.querySelector('#again').dispatchEvent(new Event('click'))")
            try await browser.wait(until: "document.querySelector(\"\(Self.row("later"))\")")
            #expect(try await browser.run("return document.activeElement.closest('details').open") == true)
        }
    }

    @Test("older campaigns are a page away, and one is found by its name")
    func pages() async throws {
        try await withPage(campaigns: 60) { _, browser in
            try await signInAndWait(browser)
            try await browser.wait(until: "\(Self.names).length === 25 && \(Self.names)[0] === 'campaign-159'")
            try await browser.click("#older")
            try await browser.wait(until: "\(Self.names)[0] === 'campaign-134'")
            try await browser.click("#older")
            try await browser.wait(until: "\(Self.names).length === 10 && document.querySelector('#older').disabled")
            try await browser.click("#newer")
            try await browser.wait(until: "\(Self.names)[0] === 'campaign-134'")
            try await browser.type("campaign-101", into: "#find")
            try await browser.press(.enter)
            try await browser.wait(until: "\(Self.names).join() === 'campaign-101'")
            #expect(try await browser.run("return document.querySelector('[data-campaign]').open") == true)
            try await browser.run(
                """
                const state = document.querySelector("#state");
                state.value = "paused";
                state.dispatchEvent(new Event("change"));
                """)
            try await browser.wait(until: "document.querySelector('#campaigns-empty').checkVisibility()")
        }
    }

    @Test("a page that may change something pauses and resumes, and asks before it cancels")
    func changes() async throws {
        try await withPage(campaigns: 1, allowsChanges: true) { stage, browser in
            try await signInAndWait(browser)
            let row = Self.row("campaign-100")
            try await browser.wait(until: "document.querySelector(\"\(row)\")")
            try await browser.click("\(row) summary")
            for (action, state) in [("pause", Campaign.State.paused), ("resume", .active)] {
                try await browser.wait(until: "document.querySelector(\"\(row) [data-action='\(action)']\")")
                try await browser.click("\(row) [data-action='\(action)']")
                try await browser.wait(until: "document.querySelector(\"\(row) .head\").innerText.includes('\(state)')")
                #expect(try await stage.state(of: "campaign-100") == state)
            }
            try await browser.click("\(row) [data-action='cancel']")
            #expect(try await stage.state(of: "campaign-100") == .active)
            try await browser.agree()
            try await browser.wait(until: "document.querySelector(\"\(row) .head\").innerText.includes('cancelled')")
            #expect(try await stage.state(of: "campaign-100") == .cancelled)
            try await browser.wait(until: "!document.querySelector(\"\(row) [data-action]\")")
        }
    }

    @Test("a page that only reads has no button for a change")
    func readOnly() async throws {
        try await withPage(campaigns: 1) { _, browser in
            try await signInAndWait(browser)
            try await browser.wait(until: "document.querySelector('[data-campaign]')")
            try await browser.click("[data-campaign] summary")
            try await browser.wait(until: "document.querySelector('.inside h3')")
            #expect(try await browser.run("return document.querySelectorAll('[data-action]').length") == 0)
            let text = try await browser.run("return document.querySelector('#store').innerText").stringValue
            #expect(text?.contains("This page only reads") == true)
        }
    }

    @Test(
        "nothing is wider than the window, too weak to read or without a name, in both color schemes",
        arguments: [(1280, 900), (360, 800)])
    func looks(width: Int, height: Int) async throws {
        try await withPage(campaigns: 4, allowsChanges: true, key: "wrong", width: width, height: height) {
            stage, browser in
            #expect(try await browser.run(PageScript.tooWide) == [])
            #expect(try await browser.run(PageScript.nameless) == [])
            try await stage.outbox.cancel("campaign-101")
            try await stage.outbox.runUntilIdle()
            try await stage.enqueue("autumn-sale-for-everyone-who-bought-something-in-the-summer-2026", priority: .bulk)
            try await stage.leaseOne()
            try await signInAndWait(browser)
            try await browser.wait(until: "document.querySelectorAll('[data-campaign]').length === 5")
            try await browser.click("\(Self.row("campaign-102")) summary")
            try await browser.wait(until: "document.querySelector('.inside .acts')")
            try await browser.wait(until: "document.querySelector('#slices-list li')")
            try await browser.expectReadable(leastTexts: 41, screenshot: "outbox-\(width)")
        }
    }

    @Test("the page says when its server or its store is gone")
    func gone() async throws {
        try await WebDriver.run { browser in
            try await OutboxStage.run(campaigns: 1) { stage in
                try await browser.open(stage.address)
                try await signInAndWait(browser)
                stage.store.isBroken.withLock { $0 = true }
                try await browser.click("#again")
                try await browser.wait(until: "document.querySelector('#store').innerText.includes('does not answer')")
                try await browser.wait(until: "document.querySelector('#connection').dataset.state === 'gone'")
                stage.store.isBroken.withLock { $0 = false }
                try await browser.click("#again")
                try await browser.wait(until: Self.isLive)
            }
            try await browser.click("#again")
            try await browser.wait(
                until: "document.querySelector('#sign-in-result').innerText.includes('The server is gone')")
            #expect(try await browser.run("return sessionStorage.length") == 0)
        }
    }
}
