import FoundationEssentials
import PushAdapter
import PushDevice
import PushSimulation
import PushStyles
import Testing

/// Local notifications; the ids are those of `Tests/Contract/cases.json`.
@Suite("Local notifications")
struct LocalNotificationTests {
    private func add(_ identifier: String, _ trigger: JPushNotificationTrigger?, on stage: PhoneStage) async
        -> JPushNotificationResult?
    {
        await answer { tell in
            var request = JPushNotificationRequest()
            request.requestIdentifier = identifier
            request.content.title = "Title"
            request.content.subtitle = "Subtitle"
            request.content.body = "Text"
            request.content.badge = 1
            request.content.categoryIdentifier = "category"
            request.trigger = trigger
            request.completionHandler = { tell($0) }
            stage.service.addNotification(request)
        }
    }

    private func trigger(_ edit: (inout JPushNotificationTrigger) -> Void) -> JPushNotificationTrigger {
        var trigger = JPushNotificationTrigger()
        edit(&trigger)
        return trigger
    }

    private func find(_ names: [String]?, delivered: Bool, on stage: PhoneStage) async -> [JPushNotificationResult] {
        await answer { tell in
            var identifier = MTPushNotificationIdentifier()
            identifier.identifiers = names
            identifier.delivered = delivered
            identifier.findCompletionHandler = { tell($0) }
            stage.service.findNotification(identifier)
        }
    }

    /// A stage with two pending notifications and one on the screen.
    private func filled(systemVersion: Int = 17) async throws -> PhoneStage {
        let stage = try PhoneStage(systemVersion: systemVersion)
        let date = stage.clock.date.addingTimeInterval(60)
        let later = trigger { if systemVersion >= 10 { $0.timeInterval = 60 } else { $0.fireDate = date } }
        for name in ["a", "b", "c"] { _ = await add(name, later, on: stage) }
        stage.phone.fire("c")
        return stage
    }

    private func remove(_ names: [String]?, delivered: Bool, on stage: PhoneStage) {
        var identifier = JPushNotificationIdentifier()
        identifier.identifiers = names
        identifier.delivered = delivered
        stage.service.removeNotification(identifier)
    }

    @Test("a request is registered with all its parts, and a new one of its name takes its place")
    func adding() async throws {
        let stage = try PhoneStage()
        let first = await add("r", trigger { $0.timeInterval = 5 }, on: stage)
        let request = try #require(stage.phone.now.pending.first)
        #expect(first == .pending(request) && request.trigger == .timeInterval(.seconds(5), repeats: false))
        let content = request.content
        #expect([content.title, content.subtitle, content.body] == ["Title", "Subtitle", "Text"])
        #expect(content.badge == 1 && content.categoryIdentifier == "category")
        let weekday = DateComponents(hour: 8, weekday: 2)
        _ = await add("r", trigger { ($0.dateComponents, $0.repeat) = (weekday, true) }, on: stage)
        let triggers: [PhoneNotification.Trigger?] = [.calendar(weekday, repeats: true)]
        #expect(stage.phone.now.pending.map(\.trigger) == triggers)
    }

    @Test("each system has its conditions; others are refused and logged", arguments: [7, 9, 17])
    func conditions(systemVersion: Int) async throws {
        let stage = try PhoneStage(systemVersion: systemVersion)
        let date = stage.clock.date.addingTimeInterval(5)
        let region = PhoneRegion(latitude: 37.3354, longitude: -122.009201, radius: 2000)
        let interval = await add("interval", trigger { $0.timeInterval = 5 }, on: stage)
        let place = await add("place", trigger { $0.region = region }, on: stage)
        let moment = await add("moment", trigger { $0.fireDate = date }, on: stage)
        let both = await add("both", trigger { ($0.timeInterval, $0.fireDate) = (5, date) }, on: stage)
        #expect((interval != nil) == (systemVersion >= 10))
        #expect((place != nil) == (systemVersion >= 8))
        #expect((moment != nil) == (systemVersion < 10))
        let isLocal = if case .local = both { true } else { false }
        #expect(both?.identifier == "both" && isLocal == (systemVersion < 10))
        #expect(stage.phone.lines.count == (systemVersion == 7 ? 2 : 1))
    }

    @Test("a trigger that can never fire, and a request without a name, are refused and logged")
    func refusals() async throws {
        let stage = try PhoneStage()
        #expect(await add("r", trigger { ($0.timeInterval, $0.repeat) = (59, true) }, on: stage) == nil)
        #expect(await add("r", trigger { $0.timeInterval = .nan }, on: stage) == nil)
        #expect(await add("", nil, on: stage) == nil)
        #expect(stage.phone.lines.count == 3 && stage.phone.now.pending.isEmpty)
    }

    @Test("G-168, G-169: nil removes everything, a selection only what waits or only what is shown")
    func removing() async throws {
        let all = try await filled()
        all.service.removeNotification(nil)
        #expect(all.phone.now.pending.isEmpty && all.phone.now.delivered.isEmpty)
        let shown = try await filled()
        remove([], delivered: true, on: shown)
        #expect(shown.phone.now.pending.map(\.id) == ["a", "b"] && shown.phone.now.delivered.isEmpty)
        let waiting = try await filled()
        remove(nil, delivered: false, on: waiting)
        #expect(waiting.phone.now.pending.isEmpty && waiting.phone.now.delivered.map(\.id) == ["c"])
        let one = try await filled()
        remove(["b", "c"], delivered: false, on: one)
        #expect(one.phone.now.pending.map(\.id) == ["a"] && one.phone.now.delivered.map(\.id) == ["c"])
    }

    @Test("before iOS 10, a selection removes by name or by object, shown or not")
    func removingOld() async throws {
        let stage = try await filled(systemVersion: 9)
        remove(["b", "c"], delivered: true, on: stage)
        #expect(stage.phone.now.pending.map(\.id) == ["a"] && stage.phone.now.delivered.isEmpty)
        var identifier = JPushNotificationIdentifier()
        identifier.notificationObj = stage.phone.now.pending.first
        stage.service.removeNotification(identifier)
        #expect(stage.phone.now.pending.isEmpty)
    }

    @Test("G-170: what is found has the form of the system, and without a handler the call is refused")
    func finding() async throws {
        let stage = try await filled()
        let pending: [JPushNotificationResult] = stage.phone.now.pending.map { .pending($0) }
        let delivered: [JPushNotificationResult] = stage.phone.now.delivered.map { .delivered($0) }
        #expect(await find(nil, delivered: false, on: stage) == pending)
        #expect(await find([], delivered: true, on: stage) == delivered)
        #expect(await find(["b", "c"], delivered: false, on: stage).map(\.identifier) == ["b"])
        let old = try await filled(systemVersion: 9)
        let local: [JPushNotificationResult] = old.phone.now.pending.map { .local($0) }
        #expect(await find(nil, delivered: true, on: old) == local)
        stage.service.findNotification(JPushNotificationIdentifier())
        stage.service.findNotification(nil)
        #expect(stage.phone.lines.count == 2)
    }

    // MARK: The oldest calls

    @discardableResult
    private func set(
        _ key: String?, _ seconds: Double = 60, badge: Int = 1, sound: String? = nil, on stage: PhoneStage
    ) -> PhoneNotification.Request? {
        stage.service.setLocalNotification(
            stage.clock.date.addingTimeInterval(seconds), alertBody: "Text", badge: badge, alertAction: nil,
            identifierKey: key, userInfo: ["k": "v"], soundName: sound)
    }

    @Test("G-115: with a badge of -1, the icon is unchanged when the notification is shown", arguments: [-1, 7])
    func icon(badge: Int) throws {
        let stage = try PhoneStage()
        stage.phone.setIcon(4)
        let request = try #require(set("k", badge: badge, on: stage))
        stage.phone.fire(request.identifier)
        #expect(stage.phone.now.delivered.count == 1 && stage.phone.now.icon == (badge < 0 ? 4 : 7))
    }

    @Test("G-171: a date that is not later than now is refused, and so is none", arguments: [0.0, -60.0])
    func past(seconds: Double) throws {
        let stage = try PhoneStage()
        #expect(set("k", seconds, on: stage) == nil)
        #expect(
            stage.service.setLocalNotification(
                nil, alertBody: "Text", badge: 1, alertAction: nil, identifierKey: "k", userInfo: nil, soundName: nil)
                == nil)
        #expect(stage.phone.lines.count == 2 && stage.phone.now.pending.isEmpty)
    }

    @Test("G-172: 63 notifications can be registered, and no more")
    func limit() throws {
        let stage = try PhoneStage()
        for _ in 0..<63 { #expect(set("k", on: stage) != nil) }
        #expect(set("k", on: stage) == nil)
        #expect(stage.phone.now.pending.count == 63 && stage.phone.lines.count == 1)
        #expect(Set(stage.phone.now.pending.map(\.id)).count == 63)
    }

    @Test("G-174: notifications of a key are found and removed together; nil is refused and removes nothing")
    func keys() throws {
        let stage = try PhoneStage()
        let first = set("k", on: stage)
        set("k", sound: "bell", on: stage)
        set("other", on: stage)
        #expect(first?.content.sound == "default" && first?.content.userInfo["k"] == "v")
        #expect(stage.service.findLocalNotification(withIdentifier: "k").count == 2)
        #expect(stage.service.findLocalNotification(withIdentifier: "none").isEmpty)
        stage.service.delete(nil)
        stage.service.deleteLocalNotification(withIdentifierKey: nil)
        stage.service.deleteLocalNotification(withIdentifierKey: "none")
        #expect(stage.phone.now.pending.count == 3 && stage.phone.lines.count == 2)
        stage.service.delete(first)
        #expect(stage.service.findLocalNotification(withIdentifier: "k").count == 1)
        stage.service.deleteLocalNotification(withIdentifierKey: "k")
        #expect(stage.phone.now.pending.map(\.id) == ["other"])
        stage.service.clearAllLocalNotifications()
        #expect(stage.phone.now.pending.isEmpty)
    }

    @Test("G-175: every notification is shown in front, or only those of a key")
    func front() throws {
        let stage = try PhoneStage()
        for key in ["k", "other"] {
            let request = try #require(set(key, on: stage))
            let notification = PhoneNotification(request, date: stage.clock.date)
            stage.service.showLocalNotification(atFront: notification, identifierKey: nil)
            stage.service.showLocalNotification(atFront: notification, identifierKey: "k")
        }
        stage.service.showLocalNotification(atFront: nil, identifierKey: nil)
        #expect(stage.phone.now.alerts == ["k", "k", "other"])
    }

    @Test("since iOS 8, a region may take the place of the date", arguments: [7, 17])
    func region(systemVersion: Int) throws {
        let stage = try PhoneStage(systemVersion: systemVersion)
        let region = PhoneRegion(latitude: 0, longitude: 0, radius: 10)
        func set(_ date: Date?) -> PhoneNotification.Request? {
            stage.service.setLocalNotification(
                date, alertBody: "Text", badge: -1, alertAction: nil, identifierKey: nil, userInfo: nil, soundName: "",
                region: region, regionTriggersOnce: true, category: "c")
        }
        let request = set(nil)
        #expect((request != nil) == (systemVersion >= 8))
        if let request {
            #expect(request.trigger == .region(region, repeats: false) && request.content.categoryIdentifier == "c")
        }
        #expect(set(stage.clock.date.addingTimeInterval(60)) == nil)
    }
}
