import FoundationEssentials
import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import Testing

@Suite("Local notifications")
struct LocalTests {
    let clock = VirtualClock()
    let phone: VirtualPhone

    init() { phone = VirtualPhone(VirtualDevice("1", .ios), clock: clock) }

    private func add(_ id: String, _ trigger: PhoneNotification.Trigger?, badge: Int? = nil) throws {
        var content = PhoneNotification.Content()
        content.body = id
        content.badge = badge
        try phone.add(.init(identifier: id, content: content, trigger: trigger))
    }

    private var shown: [String] { phone.center.map(\.id) }

    @Test("a notification without a trigger is shown at once, one with a time after it, each once")
    func time() throws {
        try add("now", nil)
        try add("later", .timeInterval(.seconds(5), repeats: false))
        #expect(shown == ["now"] && phone.pendingNotifications.map(\.id) == ["later"])
        clock.advance(by: .seconds(5))
        #expect(shown == ["later", "now"] && phone.pendingNotifications.isEmpty)
    }

    @Test("a repeated time fires again and again, in place of its last notification")
    func repeated() throws {
        try add("hourly", .timeInterval(.seconds(3600), repeats: true))
        clock.advance(by: .seconds(3 * 3600))
        #expect(shown == ["hourly"] && phone.pendingNotifications.count == 1)
        #expect(phone.center.first?.date == clock.date)
    }

    @Test("a date fires when it comes, a weekday every week")
    func calendar() throws {
        try add("date", .date(clock.date.addingTimeInterval(60)))
        try add("monday", .calendar(DateComponents(hour: 8, weekday: 2), repeats: true))
        clock.advance(by: .seconds(7 * 86_400))
        #expect(Set(shown) == ["date", "monday"] && phone.pendingNotifications.map(\.id) == ["monday"])
        let first = try #require(phone.center.first { $0.id == "monday" }).date
        clock.advance(by: .seconds(7 * 86_400))
        #expect(phone.center.first { $0.id == "monday" }?.date == first.addingTimeInterval(7 * 86_400))
    }

    @Test("what is due is shown in the order of the moments, also after a long time")
    func order() throws {
        try add("minute", .timeInterval(.seconds(60), repeats: true))
        try add("first", .timeInterval(.seconds(90), repeats: false))
        try add("last", .timeInterval(.seconds(86_390), repeats: false))
        clock.advance(by: .seconds(86_400))
        #expect(shown == ["last", "first", "minute"].sorted { date(of: $0) > date(of: $1) })
        #expect(date(of: "minute") == clock.date && phone.pendingNotifications.map(\.id) == ["minute"])
    }

    private func date(of id: String) -> Date { phone.center.first { $0.id == id }?.date ?? .distantPast }

    @Test("date components count in their own time zone, or in the phone's")
    func timeZones() throws {
        var settings = VirtualPhone.Settings()
        settings.timeZone = try #require(TimeZone(secondsFromGMT: 8 * 3600))
        let phone = VirtualPhone(VirtualDevice("1", .ios), settings: settings, clock: clock)
        var content = PhoneNotification.Content()
        content.body = "8"
        try phone.add(
            .init(identifier: "own", content: content, trigger: .calendar(DateComponents(hour: 8), repeats: false)))
        try phone.add(
            .init(
                identifier: "gmt", content: content,
                trigger: .calendar(DateComponents(timeZone: .gmt, hour: 8), repeats: false)))
        clock.advance(by: .seconds(86_400))
        let hours = phone.center.map { Calendar.gmt.component(.hour, from: $0.date) }
        #expect(Set(zip(phone.center.map(\.id), hours).map { "\($0) \($1)" }) == ["own 0", "gmt 8"])
    }

    @Test("the region of the guides' sample, with a radius of 0, is its point alone")
    func sampleRegion() async throws {
        try add("test", .region(PhoneRegion(latitude: 0, longitude: 0, radius: 0), repeats: false))
        await phone.move(latitude: 0.001, longitude: 0)
        #expect(shown.isEmpty)
        await phone.move(latitude: 0, longitude: 0)
        #expect(shown == ["test"] && phone.pendingNotifications.isEmpty)
    }

    @Test("a region fires when the phone enters it")
    func region() async throws {
        let region = PhoneRegion(latitude: 37.3354, longitude: -122.009201, radius: 2000)
        try add("shop", .region(region, repeats: true))
        await phone.move(latitude: 37.3354, longitude: -122.05)
        #expect(shown.isEmpty)
        await phone.move(latitude: 37.34, longitude: -122.01)
        #expect(shown == ["shop"])
        phone.removeDelivered(nil)
        await phone.move(latitude: 37.341, longitude: -122.01)
        #expect(shown.isEmpty)
    }

    @Test(
        "a trigger that can never fire is refused",
        arguments: [
            PhoneNotification.Trigger.timeInterval(.zero, repeats: false), .timeInterval(.seconds(59), repeats: true),
            .date(.distantPast), .region(PhoneRegion(latitude: 0, longitude: 0, radius: -1), repeats: false),
            .calendar(DateComponents(month: 2, day: 31), repeats: false),
        ])
    func refused(trigger: PhoneNotification.Trigger) {
        #expect(throws: PushError.self) { try add("never", trigger) }
        #expect(phone.pendingNotifications.isEmpty)
    }

    @Test("G-168, G-169: the same identifier updates; removal by name, by kind, or of everything")
    func removal() throws {
        try add("a", .timeInterval(.seconds(5), repeats: false))
        try add("a", .timeInterval(.seconds(50), repeats: false))
        try add("b", .timeInterval(.seconds(60), repeats: false))
        try add("c", nil)
        clock.advance(by: .seconds(10))
        #expect(shown == ["c"] && phone.pendingNotifications.map(\.id) == ["a", "b"])
        phone.removePending(["a", "c"])
        phone.removeDelivered(["b"])
        #expect(shown == ["c"] && phone.pendingNotifications.map(\.id) == ["b"])
        phone.removePending(nil)
        phone.removeDelivered(nil)
        #expect(shown.isEmpty && phone.pendingNotifications.isEmpty)
    }

    @Test("G-115: a notification without a badge leaves the icon unchanged")
    func icon() async throws {
        try await phone.showIcon(.number(4))
        try add("plain", nil)
        #expect(phone.icon == 4)
        try add("seven", nil, badge: 7)
        #expect(phone.icon == 7)
    }
}

extension Calendar {
    fileprivate static var gmt: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}
