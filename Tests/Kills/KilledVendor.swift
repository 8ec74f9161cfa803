import ArgumentParser
import EngageLabSimulator
import FCMSimulator
import Foundation
import JPushSimulator
import PushAdapter
import PushClient
import PushCurl
import PushEngageLab
import PushFCM
import PushJPush
import PushSimulation
import PushTPNS
import TPNSSimulator

/// A vendor whose worker is killed. In order: it mints keys; it takes keys from the caller; it has no keys; it has no
/// keys and takes one target per request.
enum KilledVendor: String, ExpressibleByArgument, CaseIterable, Sendable {
    case jpush, engagelab, tpns, fcm

    private static let appKey = "0123456789abcdef01234567"
    private static let secret = "aaaabbbbccccddddeeeeffff"
    private static let tpnsID: UInt32 = 1_500_999_001
    private static let tpnsSecret = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

    /// Whether the vendor has idempotency keys.
    var hasKeys: Bool { self == .jpush || self == .engagelab }

    /// The most targets that one killed worker can leave unknown: those of sixteen requests. With one target per
    /// request: the 64 requests in flight, and a hundred targets that are noted ahead of them.
    var mostUnknown: Int { self == .fcm ? 64 + 100 : 16 * Campaigns.perRequest }

    func device(_ number: Int) -> DeviceID {
        func digits(_ length: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: length - text.count) + text
        }
        return switch self {
        case .jpush: DeviceID("190e35f7e0a1b2" + digits(5))
        case .engagelab: DeviceID("170976fa8a000" + digits(6))
        case .tpns: DeviceID("01ab23cd45ef" + digits(24))
        case .fcm: DeviceID("kItDeViCe00:APA91b" + String(repeating: "x", count: 124) + digits(10))
        }
    }

    /// The vendor, and the contents of the key file that its clients need.
    func simulator() throws -> (simulator: any ObservableSimulator, keyFile: [UInt8]) {
        let devices = (0..<Campaigns.devices).map { VirtualDevice(device($0).rawValue, .android) }
        switch self {
        case .jpush:
            var settings = JPushSimulatorSettings()
            settings.pushQuota = 1_000_000
            return (
                JPushSimulator(appKey: Self.appKey, masterSecret: Self.secret, devices: devices, settings: settings), []
            )
        case .engagelab:
            return (
                EngageLabSimulator(
                    EngageLabSimulator.App(key: Self.appKey, masterSecret: Self.secret, devices: devices)), []
            )
        case .tpns:
            let app = TPNSApp(
                accessID: Self.tpnsID, secretKey: Self.tpnsSecret, platform: .android, devices: devices)
            return (TPNSSimulator(apps: [app]), [])
        case .fcm:
            let account = try FCMServiceAccount.generate(in: "kills")
            let project = FCMProject(id: "kills", number: "42", devices: devices)
            return (
                FCMSimulator(projects: [project], accounts: [account.account]),
                JSONWriter.bytes(of: .object(account.keyFile))
            )
        }
    }

    /// A client of the vendor at this origin, with small requests and without quotas.
    func client(origin: String, caFile: String, keyFile: String) throws -> PushClient {
        let provider: any PushProvider =
            switch self {
            case .jpush:
                try JPush(
                    appKey: Self.appKey, masterSecret: Secret(Self.secret), dataCenter: JPush.dataCenter(at: origin))
            case .engagelab:
                try EngageLab(
                    appKey: Self.appKey, masterSecret: Secret(Self.secret),
                    dataCenter: EngageLab.dataCenter(at: origin))
            case .tpns:
                try TPNS(
                    accessID: Self.tpnsID, secretKey: Secret(Self.tpnsSecret), platform: .android,
                    dataCenter: TPNS.dataCenter(at: origin), appName: "Kills")
            case .fcm:
                try FCM(
                    ServiceAccount(json: Secret(Array(try Data(contentsOf: URL(filePath: keyFile))))),
                    dataCenter: FCM.dataCenters.standard.moved(to: origin))
            }
        var transport = CurlConfiguration()
        transport.caFile = caFile
        return PushClient(Small(base: provider), transport: try CurlTransport(transport))
    }
}

/// An adapter with smaller requests than the vendor allows, and without the vendor's quotas.
private struct Small: PushProvider {
    let base: any PushProvider

    var id: ProviderID { base.id }
    var dataCenter: DataCenter { base.dataCenter }
    var roles: Roles { base.roles }
    var authorizer: any Authorizer { base.authorizer }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
        let most = min(Campaigns.perRequest, capabilities.limits[.devicesPerSend]?.maximum ?? .max)
        capabilities.limits[.devicesPerSend] = Limit(most, .count, .split, source: "small requests")
        capabilities.quotas = [:]
        return capabilities
    }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        base.diagnose(response, to: call)
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}
