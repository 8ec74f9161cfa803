import APNsSimulator
import HarmonySimulator
import JPushSimulator
import PushAPNs
import PushAdapter
import PushHarmony
import PushJPush
import PushSimulation

/// iPhones, HarmonyOS, and JPush as the second way. No app was removed there, so nothing reads receipts.
extension Vendor {
    static func apple() throws -> Vendor {
        let (signer, pem) = try APNsSigner.generate(keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")
        let app = APNsApp(bundleID: package, teamID: "T3AMEXAMP1", devices: Phone.Kind.apple.phones.map(\.atMaker))
        let adapter = try APNs(
            APNsKey(pem: pem, keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1"), topic: package,
            dataCenter: APNs.dataCenters.standard.moved(to: home))
        return Vendor(simulator: APNsSimulator(apps: [app], signers: [signer]), adapter: adapter)
    }

    static func harmony() throws -> Vendor {
        let (project, keyFile) = try HarmonyProject.generate(
            id: "388421841221882778", clientID: "1000000042", devices: Phone.Kind.harmony.phones.map(\.atMaker))
        let adapter = try Harmony(
            HuaweiServiceAccount(json: Secret(JSONWriter.bytes(of: .object(keyFile)))),
            dataCenter: Harmony.dataCenters.standard.moved(to: home))
        return Vendor(simulator: HarmonySimulator([project]), adapter: adapter)
    }

    static func jpush() throws -> Vendor {
        let key = "0123456789abcdef01234567"
        let simulator = JPushSimulator(
            appKey: key, masterSecret: "simulator0simulator0only", devices: Phone.all.compactMap(\.atJPush))
        let adapter = try JPush(appKey: key, masterSecret: secret, dataCenter: JPush.dataCenter(at: home))
        return Vendor(simulator: simulator, adapter: adapter)
    }
}
