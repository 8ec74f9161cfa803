import EngageLabConformance
import JPushConformance
import PushAdapter
import PushClient
import PushConformance
import PushSimulation
import TPNSConformance
import Testing

/// The display of a notification on a virtual device. A backend's tests look there.
@Suite("Inboxes of simulators")
struct InboxTests {
    private static let harnesses: [any ConformanceHarness] = [
        MemoryHarness(), JPushHarness(), EngageLabHarness(), TPNSHarness(platform: .ios),
        TPNSHarness(platform: .android),
    ]

    @Test(
        "a device shows texts, sound, category, thread and channel as far as the adapter writes them", arguments: 0..<5)
    func look(index: Int) async throws {
        let harness = Self.harnesses[index]
        let provider = try harness.makeProvider(at: InProcessTransport.origin)
        let platforms = provider.capabilities.platforms
        let devices = (1...2).map(harness.device)
        let simulator = harness.makeSimulator(devices: devices)
        // This test is not about time, and a sanitizer makes it slow.
        var configuration = ClientConfiguration()
        configuration.deadline = .seconds(600)
        configuration.attemptTimeout = .seconds(600)
        let transport = InProcessTransport(SimulatorHost(simulator))
        let client = PushClient(provider, transport: transport, configuration: configuration)
        let fields = provider.capabilities.fields
        func value(_ field: MessageField, _ text: String) -> String? { fields.contains(field) ? text : nil }
        let ios = IOSNotification(
            subtitle: value(.ios("subtitle"), "sub").map(Text.plain), sound: value(.ios("sound"), "bell"),
            category: value(.ios("category"), "CARE"),
            threadID: value(.ios("threadID"), "thread-1"))
        let android = AndroidNotification(
            channelID: value(.android("channelID"), "news"), category: value(.android("category"), "social"),
            sound: value(.android("sound"), "horn"))
        var message = Message(notification: Notification(title: "Shop", body: "Open"))
        if platforms?.contains(.ios) ?? true { message.notification?.ios = ios }
        if platforms?.contains(.android) ?? true { message.notification?.android = android }
        _ = try await client.send(message, to: .devices(devices.map { DeviceID($0.id) }))
        for device in devices {
            let shown = try #require(await simulator.snapshot(of: device.id)?.inbox.first)
            let isIOS = device.platform == .ios
            #expect(shown.alert == "Open" && shown.title == "Shop")
            #expect(shown.subtitle == (isIOS ? ios.subtitle?.plain : nil))
            #expect(shown.sound == (isIOS ? ios.sound : android.sound))
            #expect(shown.category == (isIOS ? ios.category : android.category))
            #expect(shown.thread == (isIOS ? ios.threadID : nil))
            #expect(shown.channel == (isIOS ? nil : android.channelID))
        }
        await client.shutdown()
    }
}
