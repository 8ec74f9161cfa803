import EngageLabConformance
import EngageLabSimulator
import PushBridge
import PushEngageLab
import PushSimulation

extension Vendor {
    static let engageLab = Vendor(
        type: EngageLab.self,
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
