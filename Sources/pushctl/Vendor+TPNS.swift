import Configuration
import PushBridge
import PushSimulation
import PushTPNS
import TPNSConformance
import TPNSSimulator

extension Vendor {
    static let tpns = Vendor(
        id: TPNS.id,
        makeProvider: { (config) async throws(PushError) in
            // A file may have it as a number.
            let written = config.string(forKey: "accessId") ?? config.int(forKey: "accessId").map(String.init)
            guard let text = written, let accessID = UInt32(text),
                let secret = config.string(forKey: "secretKey", isSecret: true),
                let platform = config.string(forKey: "platform")
            else {
                throw PushError(
                    .misconfigured,
                    "TPNS needs the AccessId of an app, its secret key and its platform, ios or android: set "
                        + "PUSHBRIDGE_TPNS_ACCESS_ID, PUSHBRIDGE_TPNS_SECRET_KEY and PUSHBRIDGE_TPNS_PLATFORM, or tpns.accessId, "
                        + "tpns.secretKey and tpns.platform in a --config file")
            }
            let name = config.string(forKey: "dataCenter")
            let selection: DataCenterSelection
            if let origin = config.string(forKey: "origin") {
                selection = .custom(TPNS.dataCenter(at: origin, named: name ?? "custom"))
            } else {
                selection = name.map { .named($0) } ?? .standard
            }
            let authentication = config.string(forKey: "authentication") ?? "signature"
            guard ["signature", "basic"].contains(authentication) else {
                throw PushError(
                    .misconfigured,
                    "tpns.authentication is \(Redaction.quoted(authentication)); give signature or basic")
            }
            return try TPNS(
                accessID: accessID, secretKey: Secret(secret), platform: Platform(platform),
                dataCenter: try await TPNS.dataCenters.select(selection, forKey: text),
                authentication: authentication == "basic" ? .basic : .signature,
                appName: config.string(forKey: "appName"), aliasAccountType: config.int(forKey: "aliasAccountType"))
        },
        codes: TPNSErrors.rows.map { row in
            Code(
                surface: "rest", code: row.code, kind: row.kind, mayRetry: row.retry.isAdvised, effect: row.effect,
                advice: row.advice, source: row.source)
        },
        makeSimulators: { (app) throws(PushError) in
            guard let accessID = UInt32(app.key) else {
                throw PushError(.invalidArgument, "--app-key is the AccessId of TPNS, a number")
            }
            let platforms = Set(app.devices.map(\.platform))
            guard platforms.count <= 1 else {
                throw PushError(
                    .invalidArgument,
                    "one AccessId of TPNS is one platform: give devices of one, and run another for the other")
            }
            let home =
                try app.dataCenter.map { (name) throws(PushError) in try TPNS.dataCenters.named(name) }
                ?? TPNS.dataCenters.standard
            let simulated = TPNSApp(
                accessID: accessID, secretKey: app.secret, platform: platforms.first ?? .ios, devices: app.devices,
                attributeNames: ["nickname", "tier", "city"])
            let others = TPNS.dataCenters.all.filter { $0.name != home.name }
            return ([home] + others).map { point in
                let isHome = point.name == home.name
                return (point.name, TPNSSimulator(apps: isHome ? [simulated] : [], accessPoint: point.name))
            }
        },
        harness: TPNSHarness())
}
