import APNsSimulator
import EngageLabSimulator
import FCMSimulator
import JPushSimulator
import PushAPNs
package import PushAdapter
import PushBridge
import PushEngageLab
import PushFCM
import PushJPush
package import PushSimulation
import PushTPNS
import TPNSSimulator

/// A vendor to run the story on: its simulator, its adapter and its device ids. The story itself knows none of them.
package struct StoryStage: Sendable {
    package let vendor: String
    /// Three people's devices and 2,300 others.
    let devices: [DeviceID]
    package let simulator: any ObservableSimulator
    /// Nil at a vendor whose receipts, if any, do not say that an app is gone.
    var receipts: StoryReceipts?
    package let makeProvider: @Sendable (_ origin: String) throws(PushError) -> any PushProvider

    var alice: DeviceID { devices[0] }
    var bob: DeviceID { devices[1] }
    var carol: DeviceID { devices[2] }
    var crowd: [DeviceID] { Array(devices.dropFirst(3)) }

    /// The devices of Alice, Bob and Carol.
    package var people: [VirtualDevice] {
        let only: Platform? =
            switch vendor {
            case "tpns", "apns": .ios
            case "harmony": .harmony
            case "huawei", "xiaomi", "vivo", "oppo", "honor": .android
            case "webpush": "web"
            default: nil
            }
        let platforms = only.map { [$0, $0, $0] } ?? [.android, .ios, .android]
        return zip([alice, bob, carol], platforms).map { VirtualDevice($0.rawValue, $1) }
    }

    package static let all: [@Sendable () throws -> StoryStage] = [
        jpush, engageLab, tpns, fcm, apns, harmony, huawei, webPush, xiaomi, vivo, oppo, honor,
    ]

    @Sendable private static func jpush() -> StoryStage {
        let (key, secret) = ("0123456789abcdef01234567", "simulator0simulator0only")
        let crowd = (0..<2300).map { DeviceID("100\(String(0x1_0000_0000_0000 + $0, radix: 16))abc") }
        let people: [DeviceID] = ["190e35f7e0a1b2c3d4e", "191e35f7e0a1b2c3d4f", "1a0e35f7e0a1b2c3d50"]
        let devices =
            zip(people, [Platform.android, .ios, .android]).map { VirtualDevice($0.rawValue, $1) }
            + crowd.map { VirtualDevice($0.rawValue, .android) }
        return StoryStage(
            vendor: "jpush", devices: people + crowd,
            simulator: JPushSimulator(appKey: key, masterSecret: secret, devices: devices)
        ) { (origin) throws(PushError) in
            try JPush(appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: origin))
        }
    }

    @Sendable private static func engageLab() -> StoryStage {
        let (key, secret) = ("0123456789abcdef01234567", "simulator0simulator0only")
        let crowd = (0..<2300).map { DeviceID("170\(String(0x1_0000_0000_0000 + $0, radix: 16))abc") }
        let people: [DeviceID] = ["170976fa8a00000a001", "171976fa8a00000a002", "170976fa8a00000a003"]
        let devices =
            zip(people, [Platform.android, .ios, .android]).map { VirtualDevice($0.rawValue, $1) }
            + crowd.map { VirtualDevice($0.rawValue, .android) }
        return StoryStage(
            vendor: "engagelab", devices: people + crowd,
            simulator: EngageLabSimulator(EngageLabSimulator.App(key: key, masterSecret: secret, devices: devices))
        ) { (origin) throws(PushError) in
            try EngageLab(appKey: key, masterSecret: Secret(secret), dataCenter: EngageLab.dataCenter(at: origin))
        }
    }

    @Sendable private static func tpns() -> StoryStage {
        let (id, secret): (UInt32, String) = (1_600_999_001, "simulator0simulator0only")
        let tokens = (0..<2303).map { DeviceID("0\(String(0x1_0000_0000_0000 + $0, radix: 16))0123456789abcdef012345") }
        // One AccessId has one platform.
        let app = TPNSApp(
            accessID: id, secretKey: secret, platform: .ios, devices: tokens.map { VirtualDevice($0.rawValue, .ios) },
            attributeNames: ["nickname"])
        return StoryStage(
            vendor: "tpns", devices: tokens,
            simulator: TPNSSimulator(apps: [app])
        ) { (origin) throws(PushError) in
            try TPNS(
                accessID: id, secretKey: Secret(secret), platform: .ios, dataCenter: TPNS.dataCenter(at: origin))
        }
    }

    @Sendable private static func fcm() throws(PushError) -> StoryStage {
        let (account, keyFile) = try FCMServiceAccount.generate(in: "simulated-shop")
        let tokens = (0..<2303).map { DeviceID("dEvIcE\(10_000 + $0):APA91b\(String(repeating: "x", count: 134))") }
        let devices = tokens.enumerated().map { VirtualDevice($1.rawValue, $0 == 1 ? .ios : .android) }
        let project = FCMProject(id: "simulated-shop", number: "100000000001", devices: devices)
        return StoryStage(
            vendor: "fcm", devices: tokens,
            simulator: FCMSimulator(projects: [project], accounts: [account])
        ) { (origin) throws(PushError) in
            try FCM(
                ServiceAccount(json: Secret(JSONWriter.bytes(of: .object(keyFile)))),
                dataCenter: FCM.dataCenters.standard.moved(to: origin))
        }
    }

    @Sendable private static func apns() throws(PushError) -> StoryStage {
        let (key, team, bundle) = ("K7EXAMPLE9", "T3AMEXAMP1", "com.example.shop")
        let (signer, pem) = try APNsSigner.generate(keyID: key, teamID: team)
        let tokens = (0..<2303).map { DeviceID("7c1e\(String(repeating: "0", count: 55))\(10_000 + $0)") }
        let app = APNsApp(bundleID: bundle, teamID: team, devices: tokens.map { VirtualDevice($0.rawValue, .ios) })
        return StoryStage(
            vendor: "apns", devices: tokens,
            simulator: APNsSimulator(apps: [app], signers: [signer])
        ) { (origin) throws(PushError) in
            try APNs(
                APNsKey(pem: pem, keyID: key, teamID: team), topic: bundle,
                dataCenter: APNs.dataCenters.standard.moved(to: origin))
        }
    }
}
