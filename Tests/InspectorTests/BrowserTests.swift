import Foundation
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

    /// Opens the page of a stage and waits until it is connected.
    private func withPage(
        devices: Int = 0, _ body: @escaping @Sendable (Stage, WebDriver) async throws -> Void
    ) async throws {
        try await Stage.run(devices: devices) { stage in
            try await WebDriver.run { browser in
                try await browser.open(stage.address)
                try await browser.wait(until: Self.isLive)
                try await browser.wait(until: "document.querySelector(\"\(Self.phone)\")")
                try await body(stage, browser)
            }
        }
    }

    /// Saves a screenshot to the artifacts folder, if one is set.
    private func keep(_ picture: Data, as name: String) throws {
        let wanted = ProcessInfo.processInfo.environment["PUSHBRIDGE_ARTIFACTS"]
        let folder =
            wanted.map { URL(filePath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(path: "pushbridge-artifacts")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(name).png")
        try picture.write(to: file)
        print("screenshot: \(file.path)")
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
            try await browser.wait(until: "document.querySelector('#requests-list').innerText.includes('/v3/push')")
            try keep(try await browser.screenshot(), as: "inspector")
            try await browser.click("#requests-list summary")
            try await browser.wait(
                until: "document.querySelector('#requests-list').innerText.includes('is on \(Stage.device)')")

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
        try await withPage(devices: 60) { stage, browser in
            try await browser.resize(width: 360, height: 800)
            await stage.knock()
            try await browser.wait(until: "document.querySelector('#requests-list li')")
            var grounds: Set<String> = []
            for scheme in ["light", "dark"] {
                try await browser.prefer(scheme)
                let isNarrow = "document.documentElement.scrollWidth <= window.innerWidth"
                #expect(try await browser.run("return \(isNarrow)") == true)
                let ground = try await browser.run("return getComputedStyle(document.body).backgroundColor")
                grounds.insert(ground.stringValue ?? "")
                try keep(try await browser.screenshot(), as: "inspector-360-\(scheme)")
            }
            #expect(grounds.count == 2)
            let rows = try await browser.run("return document.querySelectorAll('#devices-list li').length")
            #expect(rows == 50)
        }
    }

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
