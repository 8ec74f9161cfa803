import PushBridge
import PushSimulation
import PushTPNS
import TPNSConformance
import TPNSSimulator

extension Vendor {
    static let tpns = Vendor(
        type: TPNS.self,
        makeSimulators: { (app) throws(PushError) in
            guard let accessID = UInt32(app.key) else {
                throw PushError(.invalidArgument, "--app-key is the AccessId of TPNS, a number")
            }
            try app.refuse(
                [
                    ("--group", app.group != nil), ("--segment", !app.segments.isEmpty),
                    ("--live-activity", !app.liveActivities.isEmpty),
                    ("--broadcasts-per-day", app.broadcastsPerDay != nil),
                ], of: TPNS.id)
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
        harness: TPNSHarness(),
        note: "closed to new sales since 2024; it serves its customers as of March 2026, and no end was found",
        makeVariants: { () throws(PushError) in
            let provider = try TPNS(
                accessID: 1, secretKey: Secret("never sent"), platform: .ios, aliasAccountType: 0)
            return [("aliasAccountType", provider)]
        })
}
