import FoundationEssentials
import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import Testing

@Suite("What a phone shows")
struct NotificationTests {
    @Test("a pushed notification is on the lock screen, with its sound and the number on the icon")
    func lockScreen() async throws {
        let stage = try await Stage.pocket()
        _ = try await stage.send(
            .hello {
                $0.title = "News"
                $0.sound = "bell"
                $0.badge = .set(3)
            })
        let shown = try #require(stage.phone.center.first)
        #expect(shown.content.title == "News" && shown.content.body == "Hello" && shown.request.isPush)
        #expect(stage.phone.sounds == ["bell"] && stage.phone.icon == 3)
        #expect(shown.content.userInfo["aps"]?["alert"]?["title"] == "News")
    }

    @Test("a phone whose user forbids notifications shows nothing, and leaves the icon alone")
    func forbidden() async throws {
        let stage = try await Stage.pocket()
        await stage.phone.setPermission(false)
        _ = try await stage.send(.hello { $0.badge = .set(3) })
        #expect(stage.phone.center.isEmpty && stage.phone.icon == 0)
    }

    @Test("in the foreground an app decides what is shown; without its answer nothing is")
    func foreground() async throws {
        let stage = try await Stage.pocket()
        let app = DiaryApp(presenting: [.badge], isSilent: true)
        stage.phone.install(app)
        await stage.phone.openApp()
        _ = try await stage.send(.hello { $0.badge = .set(2) })
        #expect(app.lines == ["will present Hello"] && stage.phone.icon == 0)
        app.answerAll()
        #expect(stage.phone.icon == 2 && stage.phone.center.isEmpty && stage.phone.banners.isEmpty)
    }

    @Test("an Apple app without a delegate shows nothing in the foreground; an Android phone shows it")
    func withoutDelegate() async throws {
        for (platform, isShown) in [(Platform.ios, false), (.android, true)] {
            let stage = try await Stage.pocket(platform)
            await stage.phone.openApp()
            _ = try await stage.send(.hello())
            #expect(stage.phone.center.isEmpty == !isShown)
        }
    }

    @Test("a message with the same collapse id takes the place of the first; others are grouped by thread")
    func collapse() async throws {
        let stage = try await Stage.pocket()
        func message(_ id: String, _ text: String, collapse: String? = nil, thread: String? = nil) -> DeliveredMessage {
            var message = DeliveredMessage(messageID: id, alert: text)
            message.collapseID = collapse
            message.thread = thread
            return message
        }
        stage.phone.receive(message("1", "1:0", collapse: "score"))
        stage.phone.receive(message("2", "mail", thread: "mail"))
        stage.phone.receive(message("3", "1:1", collapse: "score"))
        stage.phone.receive(message("4", "mail too", thread: "mail"))
        #expect(stage.phone.center.map(\.content.body) == ["mail too", "1:1", "mail"])
        #expect(stage.phone.state.groups.map(\.thread) == ["mail", ""])
        #expect(stage.phone.state.groups.map(\.notifications.count) == [2, 1])
        stage.phone.withdraw("3")
        #expect(stage.phone.center.map(\.content.body) == ["mail too", "mail"])
    }

    @Test("the app's extension changes a notification once, within 30 seconds; then the original is shown")
    func serviceExtension() async throws {
        for answers in [true, false] {
            let stage = try await Stage.pocket()
            let app = DiaryApp(serviceExtension: MarkingExtension(answers: answers))
            stage.phone.install(app)
            _ = try await stage.send(.hello { $0.isMutable = true })
            if !answers {
                #expect(stage.phone.center.isEmpty)
                stage.clock.advance(by: .seconds(29))
                #expect(stage.phone.center.isEmpty)
                stage.clock.advance(by: .seconds(1))
            }
            #expect(stage.phone.center.map(\.content.title) == [answers ? "marked" : ""])
        }
    }

    @Test("a tap starts the app with the payload and then hands it the response; the address is opened")
    func tap() async throws {
        let stage = try await Stage.pocket()
        let app = DiaryApp()
        stage.phone.install(app)
        await stage.phone.killApp()
        var message = DeliveredMessage(messageID: "1", alert: "Hello")
        message.tap = .intentURI("shop://sale")
        stage.phone.receive(message)
        await stage.phone.tap("1")
        #expect(app.lines == ["launched by push", "opened Hello"])
        #expect(stage.phone.taps == [.intentURI("shop://sale")] && stage.phone.center.isEmpty)
        #expect(stage.phone.appState == .foreground)
        await stage.phone.tap("1")
        #expect(app.lines.count == 2)
    }

    @Test("an action may work in the background; the app hears of a removal only if the category asks")
    func actions() async throws {
        let stage = try await Stage.pocket()
        let app = DiaryApp()
        stage.phone.install(app)
        stage.phone.setCategories([
            NotificationCategory(
                identifier: "mail",
                actions: [
                    NotificationAction(identifier: "later", title: "Later"),
                    NotificationAction(identifier: "reply", title: "Reply", options: .foreground),
                ], options: .customDismissAction)
        ])
        for id in ["1", "2", "3", "4"] {
            var message = DeliveredMessage(messageID: id, alert: id)
            message.category = id == "4" ? nil : "mail"
            stage.phone.receive(message)
        }
        await stage.phone.tap("1", action: "later")
        #expect(stage.phone.appState == .background)
        await stage.phone.tap("2", action: "unknown")
        await stage.phone.tap("2", action: "reply", text: "Yes")
        #expect(stage.phone.appState == .foreground)
        await stage.phone.dismiss("3")
        await stage.phone.dismiss("4")
        #expect(app.lines == ["action later ", "action reply Yes", "dismissed 3"])
        #expect(stage.phone.center.isEmpty)
    }

    @Test("a sound or a number without a text is no notification in the center; the extension does not get it")
    func withoutText() async throws {
        let stage = try await Stage.pocket()
        let app = DiaryApp(serviceExtension: MarkingExtension())
        stage.phone.install(app)
        var message = DeliveredMessage(messageID: "1", badge: 5)
        message.sound = "bell"
        message.isMutable = true
        stage.phone.receive(message)
        #expect(stage.phone.sounds == ["bell"] && stage.phone.icon == 5 && stage.phone.center.isEmpty)
    }

    @Test("an app that a change wakes hears of its start first, also when it calls the phone from there")
    func order() async throws {
        let stage = try await Stage.pocket()
        let app = DiaryApp()
        stage.phone.install(app)
        await stage.phone.killApp()
        app.onLaunch { stage.phone.requestPermission() }
        stage.phone.receive(DeliveredMessage(messageID: "1", alert: "Hello"))
        await stage.phone.tap("1")
        #expect(app.lines == ["launched by push", "opened Hello", "permission true"])
    }

    @Test("an app that gets messages itself while it is open, as FCM's on Android, decides what to show")
    func openApp() async throws {
        let stage = try await Stage.pocket(.android)
        let app = DiaryApp()
        stage.phone.install(app)
        var message = DeliveredMessage(messageID: "1", alert: "Hello")
        message.goesToOpenApp = true
        stage.phone.receive(message)
        await stage.phone.openApp()
        message.messageID = "2"
        stage.phone.receive(message)
        #expect(app.lines == ["remote"] && stage.phone.center.map(\.id) == ["1"])
    }

    @Test("before iOS 10 the app gets the payload itself, and is asked nothing")
    func oldSystem() async throws {
        var settings = VirtualPhone.Settings()
        settings.systemVersion = 9
        let stage = try Stage(settings: settings)
        let app = DiaryApp()
        stage.phone.install(app)
        _ = try await stage.phone.register()
        stage.phone.receive(DeliveredMessage(messageID: "1", alert: "Hello"))
        await stage.phone.leaveApp()
        stage.phone.receive(DeliveredMessage(messageID: "2", alert: "Hello"))
        await stage.phone.tap("2")
        #expect(app.lines == ["launched by icon", "remote", "remote"])
    }

    @Test("the user is asked once; the app hears the answer each time it asks")
    func permission() async throws {
        var settings = VirtualPhone.Settings()
        settings.isNotificationAllowed = nil
        settings.allowsWhenAsked = false
        let phone = VirtualPhone(VirtualDevice("1", .ios), settings: settings)
        let app = DiaryApp()
        phone.install(app)
        phone.receive(DeliveredMessage(messageID: "1", alert: "Hello"))
        phone.requestPermission()
        phone.requestPermission()
        #expect(app.lines == ["permission false", "permission false"])
        #expect(phone.center.isEmpty && phone.isNotificationAllowed == false)
        await phone.setPermission(true)
        phone.receive(DeliveredMessage(messageID: "2", alert: "Hello"))
        #expect(phone.center.count == 1)
        await phone.openSettings(from: "2")
        await phone.openSettings()
        #expect(app.lines.suffix(2) == ["settings from 2", "settings from the system"])
    }
}
