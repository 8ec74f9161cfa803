import PushAdapter
import PushDevice
import PushSimulation
import PushStyles
import TestSupport
import Testing

@Suite("Statistics, log and settings")
struct StatisticsTests {
    @Test("a page counts from its start to its stop, and a stop without a start is logged")
    func pages() throws {
        let stage = try PhoneStage()
        stage.service.startLogPageView("one")
        stage.clock.advance(by: .milliseconds(2500))
        stage.service.startLogPageView("two")
        stage.clock.advance(by: .seconds(1))
        stage.service.stopLogPageView("one")
        stage.service.stopLogPageView("two")
        stage.service.beginLogPageView("three", duration: 10)
        let pages: [PhoneRecord] = [
            .page(name: "one", seconds: 3.5), .page(name: "two", seconds: 1), .page(name: "three", seconds: 10),
        ]
        #expect(stage.phone.now.records == pages)
        stage.service.stopLogPageView("one")
        stage.service.beginLogPageView("three", duration: -1)
        #expect(stage.phone.lines.count == 2 && stage.phone.now.records.count == 5)
    }

    @Test("a place is recorded as it is, like the guide's own 100 and 100; what is no number is refused and logged")
    func location() throws {
        let stage = try PhoneStage()
        stage.service.setLatitude(100, longitude: 100)
        stage.service.setLocation(DeviceLocation(latitude: 1.5, longitude: 2))
        let places: [PhoneRecord] = [
            .location(latitude: 100, longitude: 100), .location(latitude: 1.5, longitude: 2),
        ]
        #expect(stage.phone.now.records == places)
        stage.service.setLatitude(.nan, longitude: 0)
        stage.service.setLatitude(0, longitude: .infinity)
        stage.service.setLocation(nil)
        #expect(stage.phone.lines.count == 3 && stage.phone.now.records.count == 5)
    }

    @Test("in debug mode the log has the code of each call, and turned off only refusals")
    func log() async throws {
        let stage = try PhoneStage()
        func call() async -> Int {
            await answer { tell in stage.service.addTags(nil, completion: { code, _, _ in tell(code) }, seq: 1) }
        }
        #expect(await call() == 6001)
        #expect(stage.phone.lines.isEmpty)
        stage.service.setDebugMode()
        #expect(await call() == 6001)
        #expect(stage.phone.lines == ["addTags: 6001"])
        stage.service.setLogOFF()
        #expect(await call() == 6001)
        stage.service.setLocation(nil)
        #expect(stage.phone.lines.count == 2)
        stage.service.crashLogON()
        let settings: [PhoneRecord] = [.logLevel(.debug), .logLevel(.errors), .crashLog]
        let records = stage.phone.now.records
        #expect(settings.allSatisfy { records.contains($0) })
    }

    @Test("the encryption of the connection is set before the start")
    func encryption() async throws {
        let stage = try PhoneStage(.mtpush(SDKVersion(5, 2, 0)), isRegistered: false)
        stage.service.setTcpSSL(true)
        #expect(stage.phone.now.records == [.encryption(true)])
        try await stage.session.start()
        stage.service.setTcpSSL(false)
        #expect(stage.phone.lines.count == 1 && stage.phone.now.records.count == 2)
    }

    @Test(
        "G-153, G-239, M-03, M-68: the data center is named before the start, and by the extension in its own program")
    func siteName() async throws {
        let stage = try PhoneStage(.mtpush(SDKVersion(4, 3, 4)), isRegistered: false)
        stage.service.setSiteName("Frankfurt")
        let sdk = NotificationExtensionService(stage.service)
        sdk.setSiteName("Frankfurt")
        #expect(stage.phone.now.records == [.site("Frankfurt"), .site("Frankfurt")])
        try await stage.session.start()
        stage.service.setSiteName("Tokyo")
        #expect(stage.phone.lines.count == 1 && stage.phone.now.records.count == 3)
    }

    @Test("the open id is empty before the registration, then 40 digits that stay")
    func openUDID() async throws {
        let stage = try PhoneStage(.jpushLegacy, isRegistered: false)
        #expect(stage.service.openUDID().isEmpty)
        try await stage.session.start()
        let id = stage.service.openUDID()
        #expect(id.utf8.count == 40 && id.allSatisfy(\.isHexDigit))
        #expect(stage.service.openUDID() == id)
        let other = try PhoneStage(.jpushLegacy)
        #expect(other.service.openUDID() != id)
    }
}
