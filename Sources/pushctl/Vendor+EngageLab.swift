import EngageLabConformance
import EngageLabSimulator
import PushBridge
import PushEngageLab
import PushSimulation

extension Vendor {
    static let engageLab = Vendor(
        type: EngageLab.self,
        makeSimulators: { (app) throws(PushError) in
            let home =
                try app.dataCenter.map { (name) throws(PushError) in try EngageLab.dataCenters.named(name) }
                ?? EngageLab.dataCenters.standard
            try app.refuse([("--broadcasts-per-day", app.broadcastsPerDay != nil)], of: EngageLab.id)
            let simulated = EngageLabSimulator.App(
                key: app.key, masterSecret: app.secret, group: app.group, devices: app.devices)
            var settings = EngageLabSimulatorSettings()
            settings.segments = app.segments
            settings.liveActivities = app.liveActivities
            let fixed = settings
            let others = EngageLab.dataCenters.all.filter { $0.name != home.name }
            return ([home] + others).map { centre in
                (centre.name, EngageLabSimulator(centre.name == home.name ? simulated : nil, settings: fixed))
            }
        },
        harness: EngageLabHarness(),
        readDevice: { (client, id) throws(PushError) in
            guard let engageLab = client.provider as? EngageLab else { return [] }
            let device = try await client.run(engageLab.readDevice(id))
            return [DeviceCommand.tags(device.tags), DeviceCommand.alias(device.alias)]
        })
}
