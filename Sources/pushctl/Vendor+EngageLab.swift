import Configuration
import EngageLabConformance
import EngageLabSimulator
import PushBridge
import PushEngageLab
import PushSimulation

extension Vendor {
    static let engageLab = Vendor(
        id: EngageLab.id,
        makeProvider: { (config) async throws(PushError) in
            guard let key = config.string(forKey: "appKey"),
                let secret = config.string(forKey: "masterSecret", isSecret: true)
            else {
                throw PushError(
                    .misconfigured,
                    "EngageLab needs an app key and a master secret: set PUSHBRIDGE_ENGAGELAB_APP_KEY and "
                        + "PUSHBRIDGE_ENGAGELAB_MASTER_SECRET, or engagelab.appKey and engagelab.masterSecret in a "
                        + "--config file")
            }
            let name = config.string(forKey: "dataCenter")
            let selection: DataCenterSelection
            if let origin = config.string(forKey: "origin") {
                selection = .custom(EngageLab.dataCenter(at: origin, named: name ?? "custom"))
            } else {
                selection = name.map { .named($0) } ?? .standard
            }
            var engageLab = try EngageLab(
                appKey: key, masterSecret: Secret(secret),
                dataCenter: try await EngageLab.dataCenters.select(selection, forKey: key))
            engageLab.clockOffset = config.double(forKey: "clockOffsetHours").map { .seconds($0 * 3600) }
            return engageLab
        },
        codes: EngageLabErrors.rows.map { row in
            Code(
                surface: "rest", code: row.code, kind: row.kind, mayRetry: row.retry.isAdvised, effect: row.effect,
                advice: row.advice, source: row.source)
        },
        makeSimulators: { (app) throws(PushError) in
            let home =
                try app.dataCenter.map { (name) throws(PushError) in try EngageLab.dataCenters.named(name) }
                ?? EngageLab.dataCenters.standard
            let simulated = EngageLabSimulator.App(key: app.key, masterSecret: app.secret, devices: app.devices)
            let others = EngageLab.dataCenters.all.filter { $0.name != home.name }
            return ([home] + others).map { centre in
                (centre.name, EngageLabSimulator(centre.name == home.name ? simulated : nil))
            }
        },
        harness: EngageLabHarness())
}
