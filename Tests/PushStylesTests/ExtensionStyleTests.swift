import PushAdapter
import PushDevice
import PushStyles
import Testing

/// The app's extension; the ids are those of `Tests/Contract/cases.json`.
@Suite("Calls of the extension")
struct ExtensionStyleTests {
    private let start = DeviceStart(appKey: Secret("right"))

    private func receive(_ sdk: NotificationExtensionService, _ identifier: String) async {
        let request = PhoneNotification.sample(identifier).request
        #expect(await answer { tell in sdk.jpushReceive(request) { tell(true) } })
        #expect(await answer { tell in sdk.mtpushReceive(request) { tell(true) } })
    }

    private func voice(_ sdk: NotificationExtensionService) async -> String? {
        await answer { tell in sdk.handleVoice(PhoneNotification.sample("p").request) { tell($0) } }
    }

    @Test("with the app's key, arrivals are reported, and the log can be turned down")
    func receipts() async throws {
        let stage = try PhoneStage()
        let sdk = NotificationExtensionService(stage.service, start: start)
        sdk.jpushSetAppkey("right")
        await receive(sdk, "p")
        #expect(stage.phone.now.receipts == ["p", "p"] && stage.phone.lines.count == 2)
        sdk.setLogOff()
        sdk.mtpushSetAppkey("right")
        await receive(sdk, "q")
        #expect(stage.phone.now.receipts == ["p", "p", "q", "q"] && stage.phone.lines.count == 2)
    }

    @Test("G-176: without an app key, nothing is reported and the completion is called")
    func noKey() async throws {
        let stage = try PhoneStage()
        let sdk = NotificationExtensionService(stage.service, start: start)
        await receive(sdk, "p")
        sdk.jpushSetAppkey(nil)
        await receive(sdk, "p")
        sdk.jpushReceive(PhoneNotification.sample("p").request, with: nil)
        #expect(stage.phone.now.receipts.isEmpty && stage.phone.lines.count == 6)
    }

    @Test("G-177: an app key that is not the app's is refused")
    func wrongKey() async throws {
        let stage = try PhoneStage()
        let sdk = NotificationExtensionService(stage.service, start: start)
        sdk.jpushSetAppkey("wrong")
        #expect(stage.phone.lines.count == 1)
        await receive(sdk, "p")
        #expect(stage.phone.now.receipts.isEmpty)
        // If the app has no key, every key is accepted.
        let keyless = NotificationExtensionService(stage.service)
        keyless.jpushSetAppkey("wrong")
        await receive(keyless, "p")
        #expect(stage.phone.now.receipts.count == 2)
    }

    @Test("G-178: a spoken notification needs the same storage on both sides")
    func voices() async throws {
        let stage = try PhoneStage(.mtpush(SDKVersion(4, 3, 4)))
        let sdk = NotificationExtensionService(stage.service)
        #expect(await voice(sdk) == "bell")
        stage.service.setAppGroupId("group")
        #expect(await voice(sdk) == "bell")
        sdk.mtpushSetAppGroupId("another")
        #expect(await voice(sdk) == "bell")
        #expect(stage.phone.lines.count == 3)
        sdk.mtpushSetAppGroupId("group")
        #expect(await voice(sdk) == "voice-p")
        #expect(stage.phone.now.records.contains(.appGroup("group")))
    }

    @Test("without a phone, completions are called with the original")
    func noPhone() async throws {
        let stage = try PhoneStage(hasPhone: false)
        let sdk = NotificationExtensionService(stage.service)
        sdk.jpushSetAppkey("key")
        await receive(sdk, "p")
        #expect(await voice(sdk) == "bell")
        #expect(stage.phone.now.receipts.isEmpty)
    }
}
