import Configuration
import FoundationEssentials
import PushAdapter
import PushBridge
import PushEngageLab
import PushFCM
import PushHuawei
import PushJPush
import PushTPNS

/// A backend that can use any of five vendors with tags. One word in its settings chooses the vendor; no code here does.
enum Backend {
    /// The vendors that the settings may name; your own adapter is one more.
    static let vendors: [any ConfigurableProvider.Type] = [
        JPush.self, EngageLab.self, TPNS.self, FCM.self, Huawei.self,
    ]

    /// Tags a customer's phone, and notifies everyone with the tag that the shop is open.
    /// - Parameters:
    ///   - file: the settings.
    ///   - records: the customer's device id at each vendor. Ids belong to a vendor and do not move.
    static func announce(settings file: String, records: [ProviderID: DeviceID]) async throws -> SendReport {
        let place = ConfigReader(
            provider: InMemoryProvider(values: ["filePath": ConfigValue(.string(file), isSecret: false)]))
        let config = ConfigReader(providers: [
            EnvironmentVariablesProvider(), try await FileProvider<JSONSnapshot>(config: place),
        ])
        let client = try await PushClient.configured(from: config, providers: vendors)
        do {
            guard let phone = records[client.provider.id] else {
                throw PushError(.notRegistered, "the customer has no phone at \(client.provider.id) yet")
            }
            _ = try await client.updateTags(.add(["member"]), of: phone)
            if case .unsupported(let reason) = client.capabilities[.readTags] {
                print("  tags cannot be read here:", reason)
            } else {
                print("  the phone's tags:", try await client.readTags(of: phone).map(\.rawValue))
            }
            // A vendor may apply a write after it responds.
            try await Task.sleep(for: client.capabilities.writeDelay[.addTags] ?? .zero)
            let message = Message(notification: Notification(title: "Shop", body: "We are open"))
            let report = try await client.send(message, to: .tagged(anyOf: ["member"]))
            await client.shutdown()
            return report
        } catch {
            await client.shutdown()
            throw error
        }
    }
}
