import PushAdapter
import PushClient
import PushDevice
import PushJPush
import PushPhone
import PushSimulation
import Testing

/// The page in a real browser.
@Suite("Inspector in a browser", .serialized, .timeLimit(.minutes(5)))
struct BrowserTests {
    private static let phone = "[data-phone='\(Stage.device)']"
    private static let isLive = "document.querySelector('#connection').dataset.state === 'live'"

    /// Opens the page of a stage in a window of a size and waits until it is connected.
    private func withPage(
        devices: Int = 0, platforms: [Platform] = [.android], width: Int = 1280, height: Int = 900,
        _ body: @escaping @Sendable (Stage, WebDriver) async throws -> Void
    ) async throws {
        try await Stage.run(devices: devices, platforms: platforms) { stage in
            try await WebDriver.run { browser in
                try await browser.resize(width: width, height: height)
                try await browser.open(stage.address)
                try await browser.wait(until: Self.isLive)
                try await browser.wait(until: "document.querySelector(\"\(Self.phone)\")")
                try await body(stage, browser)
            }
        }
    }

    @Test("a push appears on the phone, and the user's tap in the vendor's report")
    func pushAndTap() async throws {
        try await withPage { stage, browser in
            let report = try await stage.client.send(
                Message(notification: Notification(title: "Shop <b>", body: "Order shipped")),
                to: .devices([DeviceID(Stage.device)]))
            let notification = "\(Self.phone) .notification"
            try await browser.wait(until: "document.querySelector(\"\(notification)\")")
            let text = try await browser.run("return document.querySelector(\"\(notification)\").innerText").stringValue
            #expect(text?.contains("Shop <b>") == true && text?.contains("Order shipped") == true)
            // The first request is the one for identifiers of pushes.
            let push = "[data-request='2']"
            try await browser.wait(until: "document.querySelector(\"\(push)\")?.innerText.includes('POST /v3/push')")
            try await browser.click("\(push) summary")
            try await browser.wait(
                until: "document.querySelector(\"\(push)\").innerText.includes('is on \(Stage.device)')")

            try await browser.click("\(notification) [data-action='tap']")
            try await browser.wait(until: "!document.querySelector(\"\(notification)\")")
            await stage.phone.reported()
            let counts = try await stage.client.run(stage.jpush.readStatistics(of: report.messageIDs))
            #expect(counts.first?.totals["notification"]?.click == 1)
            #expect(stage.phone.appState == .foreground)
        }
    }

    @Test("a message that is typed into the page arrives")
    func send() async throws {
        try await withPage { stage, browser in
            try await browser.type("Sale today", into: "#send-body")
            try await browser.click("#send-form button[type='submit']")
            try await browser.wait(until: "document.querySelector('#send-result').innerText.startsWith('Sent as')")
            #expect(stage.phone.center.map(\.content.body) == ["Sale today"])
        }
    }

    @Test("a fault of the page hits the next request, which the page shows with the fault")
    func fault() async throws {
        try await withPage { stage, browser in
            try await browser.click("[data-fault='error']")
            try await browser.wait(until: "document.querySelectorAll('#faults-waiting li').length === 1")
            #expect(await stage.knock() == 500)
            #expect(await stage.knock() == 401)
            try await browser.wait(until: "document.querySelectorAll('#requests-list .refused').length === 2")
            try await browser.wait(until: "document.querySelectorAll('#faults-waiting li').length === 0")
            let rows = try await browser.run("return document.querySelector('#requests-list').innerText")
            #expect(rows.stringValue?.contains("fault error=500") == true)
            try await browser.click("[data-request='1'] summary")
            let request = "document.querySelector('[data-request=\"1\"]')"
            try await browser.wait(until: "\(request).innerText.includes('Response')")
        }
    }

    @Test("the keyboard alone reaches a button, shows where it is, and presses it")
    func keyboard() async throws {
        try await withPage { stage, browser in
            var isThere = false
            for _ in 0..<100 where !isThere {
                try await browser.press(.tab)
                isThere = try await browser.run("return document.activeElement.dataset.fault === 'lost'") == true
            }
            #expect(isThere)
            let outline = try await browser.run("return getComputedStyle(document.activeElement).outlineStyle")
            #expect(outline == "solid")
            try await browser.press(.enter)
            try await browser.wait(until: "document.querySelectorAll('#faults-waiting li').length === 1")
            #expect(stage.host.faults.remaining.map(\.fault) == [.actedThenLost])
            #expect(try await browser.run("return document.activeElement.dataset.fault") == "lost")
        }
    }

    @Test("nothing is wider than a narrow screen, in both color schemes")
    func narrow() async throws {
        try await withPage(devices: 60, width: 360, height: 800) { stage, browser in
            _ = try await stage.client.send(
                Message(notification: Notification(title: "Shop", body: "Order shipped")), to: stage.everyone)
            await stage.knock()
            try await browser.wait(until: "document.querySelectorAll('#requests-list > li').length >= 2")
            try await browser.wait(until: "document.querySelector('.notification')")
            var grounds: Set<String> = []
            for scheme in ["light", "dark"] {
                try await browser.prefer(scheme)
                for view in ["requests", "phones"] {
                    try await browser.click("#\(view)-tab")
                    #expect(try await browser.run(PageScript.tooWide) == [])
                    try await browser.keepScreenshot(as: "inspector-360-\(scheme)-\(view)")
                }
                let ground = try await browser.run("return getComputedStyle(document.body).backgroundColor")
                grounds.insert(ground.stringValue ?? "")
            }
            #expect(grounds.count == 2)
            let rows = try await browser.run("return document.querySelectorAll('#devices-list li').length")
            #expect(rows == 50)
        }
    }

    // MARK: Looks

    @Test("requests stand beside phones, in sight at once", arguments: [1, 2])
    func layout(count: Int) async throws {
        try await withPage(platforms: Array([Platform.ios, .android].prefix(count))) { stage, browser in
            for text in ["Your order is on its way", "Everything must go: 30 % off until Sunday"] {
                _ = try await stage.client.send(
                    Message(notification: Notification(title: "Shop", body: text)), to: stage.everyone)
            }
            for _ in 0..<4 { await stage.knock() }
            try await browser.wait(until: "document.querySelectorAll('#requests-list > li').length >= 6")
            try await browser.wait(until: "document.querySelectorAll('.notification').length === \(2 * count)")
            let tops = try await browser.run(
                """
                const places = ["#requests", "#phones .body", "#send"].map((name) => document.querySelector(name));
                return places.map((place) => Math.round(place.getBoundingClientRect().top));
                """)
            let found = tops.arrayValue?.compactMap(\.intValue) ?? []
            #expect(found.count == 3 && found.allSatisfy { $0 > 0 && $0 < 300 }, "\(tops)")
            let seen = try await browser.run(
                """
                const rows = [...document.querySelectorAll("#requests-list > li")];
                return rows.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length;
                """)
            #expect((seen.intValue ?? 0) >= 6, "\(seen)")
            let left = try await browser.run(
                """
                const [requests, phones] = ["#requests", "#phones"].map((name) => document.querySelector(name));
                return requests.getBoundingClientRect().right <= phones.getBoundingClientRect().left;
                """)
            #expect(left == true)
            #expect(try await browser.run("return document.querySelector('#tabs').checkVisibility()") == false)
            #expect(try await browser.run(PageScript.tooWide) == [])
            if count == 2 { try await browser.keepScreenshot(as: "inspector") }
        }
    }

    @Test("an opened request shows all of itself: only the page scrolls")
    func opened() async throws {
        try await withPage { stage, browser in
            let fields = (0..<80).map { ("key \($0)", JSONValue.string("value")) }
            let body = JSONValue.object(Dictionary(fields) { first, _ in first })
            _ = await stage.host.handle(
                SimulatedRequest(
                    method: .post, path: "/v3/push", query: "", headers: [.contentType: "application/json"],
                    body: JSONWriter.bytes(of: body)))
            try await browser.wait(until: "document.querySelector('[data-request=\"1\"]')")
            try await browser.click("[data-request='1'] summary")
            try await browser.wait(until: "document.querySelector('[data-request=\"1\"] pre')")
            let height = "document.querySelector('[data-request=\"1\"] pre').clientHeight"
            #expect((try await browser.run("return \(height)").intValue ?? 0) > 1000)
            // Both heights are rounded.
            let scrolling = try await browser.run(
                """
                const parts = [...document.querySelectorAll("#requests, #requests-list, #requests-list *")];
                const isCut = (part) => part.scrollHeight > part.clientHeight + 1 && part.clientHeight > 0;
                const scrolls = (part) => ["auto", "scroll"].includes(getComputedStyle(part).overflowY);
                return parts.filter((part) => isCut(part) || scrolls(part)).map((part) => part.outerHTML.slice(0, 80));
                """)
            #expect(scrolling == [])
        }
    }

    @Test("the page has the newest requests first, and a button for the older ones")
    func older() async throws {
        try await withPage { stage, browser in
            for _ in 0..<30 { await stage.knock() }
            let rows = "[...document.querySelectorAll('#requests-list > li')]"
            let shown = "\(rows).filter((row) => row.checkVisibility()).length"
            try await browser.wait(until: "\(rows).length === 30 && \(shown) === 25")
            #expect(try await browser.run("return \(rows)[0].firstElementChild.dataset.request") == "30")
            try await browser.click("#requests-older")
            try await browser.wait(until: "\(shown) === 30")
            try await browser.click("#requests-older")
            try await browser.wait(until: "\(shown) === 25")
            // An open one stays.
            try await browser.click("[data-request='6'] summary")
            try await browser.wait(until: "document.querySelector('[data-request=\"6\"]').open")
            await stage.knock()
            try await browser.wait(until: "\(rows).length === 31 && \(shown) === 26")
        }
    }

    /// Whether one tab is selected and only its panel shows.
    private static let isChosen = """
        const [name] = arguments;
        const tabs = [...document.querySelectorAll("#tabs [role='tab']")];
        return tabs.length === 2 && tabs.every((tab) => {
          const isIt = tab.id === `${name}-tab`;
          const panel = document.getElementById(tab.getAttribute("aria-controls"));
          return tab.getAttribute("aria-selected") === String(isIt) && tab.tabIndex === (isIt ? 0 : -1)
            && panel.getAttribute("role") === "tabpanel" && panel.getAttribute("aria-labelledby") === tab.id
            && panel.checkVisibility() === isIt;
        });
        """

    @Test("on a narrow screen, requests and phones are tabs for clicks and keys; a wide one has none")
    func tabs() async throws {
        try await withPage(width: 360, height: 800) { stage, browser in
            await stage.knock()
            try await browser.wait(until: "document.querySelector('#requests-list li')")
            #expect(try await browser.run(Self.isChosen, ["requests"]) == true)
            try await browser.click("#phones-tab")
            #expect(try await browser.run(Self.isChosen, ["phones"]) == true)
            let keys: [(key: WebDriver.Key, tab: String)] = [
                (.left, "requests"), (.left, "phones"), (.right, "requests"), (.end, "phones"), (.home, "requests"),
            ]
            for (key, tab) in keys {
                try await browser.press(key)
                #expect(try await browser.run(Self.isChosen, [.string(tab)]) == true, "\(key)")
                #expect(try await browser.run("return document.activeElement.id") == .string("\(tab)-tab"), "\(key)")
            }
            // The next stop is in the panel, not the other tab.
            try await browser.press(.tab)
            #expect(try await browser.run("return document.activeElement.id") == "only-refusals")
            try await browser.click(".top a[href='#phones']")
            #expect(try await browser.run(Self.isChosen, ["phones"]) == true)
            let others = "['#send', '#faults', '#quotas', '#devices']"
            let areThere = "\(others).every((name) => document.querySelector(name).checkVisibility())"
            #expect(try await browser.run("return \(areThere)") == true)

            try await browser.resize(width: 1280, height: 900)
            try await browser.wait(until: "!document.querySelector('#tabs').checkVisibility()")
            try await browser.wait(until: "document.querySelector('#requests').checkVisibility()")
            #expect(try await browser.run("return document.querySelectorAll('[role=tabpanel]').length") == 0)
        }
    }

    @Test("without scripts, nothing of the page is hidden but the tabs")
    func noScripts() async throws {
        try await Stage.run { stage in
            try await WebDriver.run { browser in
                try await browser.resize(width: 360, height: 800)
                try await browser.forbidScripts()
                try await browser.open(stage.address)
                let hidden = try await browser.run(
                    """
                    const parts = [...document.querySelectorAll("section, h2, #tabs")];
                    return parts.filter((part) => !part.checkVisibility()).map((part) => part.id);
                    """)
                #expect(hidden == ["tabs"])
                #expect(try await browser.run(PageScript.tooWide) == [])
            }
        }
    }

    @Test("a phone looks like one of its platform, in both color schemes")
    func platforms() async throws {
        try await withPage(platforms: [.ios, .android, .harmony]) { stage, browser in
            _ = try await stage.client.send(
                Message(notification: Notification(title: "Shop", body: "Hello")), to: stage.everyone)
            try await browser.wait(until: "document.querySelectorAll('.notification').length === 3")
            for scheme in ["light", "dark"] {
                try await browser.prefer(scheme)
                let looks = try await browser.run(
                    """
                    return [...document.querySelectorAll(".phone")].map((phone) => {
                      const style = (name) => getComputedStyle(phone.querySelector(name));
                      return {
                        platform: phone.dataset.platform, frame: style(".body").borderRadius,
                        camera: style(".camera").width, wallpaper: style(".screen").backgroundImage,
                        font: style(".screen").fontFamily, clock: style(".clock").fontWeight,
                        card: style(".notification").borderTopLeftRadius,
                      };
                    });
                    """
                ).arrayValue
                #expect(looks?.map { $0["platform"] } == ["ios", "android", "harmony"])
                for part in ["frame", "camera", "wallpaper", "font", "clock", "card"] {
                    let different = Set(looks?.compactMap { $0[part]?.stringValue } ?? [])
                    #expect(different.count == 3, "\(scheme) \(part): \(different)")
                }
            }
        }
    }

    @Test("everything fits, has a name and a contrast of at least 4.5:1, in both color schemes")
    func contrast() async throws {
        try await withPage(devices: 3, platforms: [.ios, .android, .harmony]) { stage, browser in
            _ = try await stage.client.send(
                Message(notification: Notification(title: "Shop", body: "Hello")), to: stage.everyone)
            stage.host.faults.add(.silence)
            for _ in 0..<2 { await stage.knock() }
            try await browser.wait(until: "document.querySelectorAll('.notification').length === 3")
            try await browser.wait(until: "document.querySelectorAll('#requests-list .refused').length === 2")
            await stage.phones[0].openApp()
            try await browser.wait(until: "document.querySelector('.app').checkVisibility()")
            try await browser.expectReadable(leastTexts: 81)
        }
    }

    // MARK: The end

    @Test("the page says when the server is gone")
    func gone() async throws {
        try await WebDriver.run { browser in
            try await Stage.run { stage in
                try await browser.open(stage.address)
                try await browser.wait(until: Self.isLive)
            }
            try await browser.wait(until: "document.querySelector('#connection').dataset.state === 'gone'")
        }
    }
}
