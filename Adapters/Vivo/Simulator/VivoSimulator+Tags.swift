import PushAdapter
import PushSimulation

/// Tags: they exist first, then devices join.
extension VivoSimulator {
    func addTag(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (app, fields) = try open(call)
        tags[app.appID, default: []].insert(try fields.needText("name"))
        return .accepted()
    }

    /// Adds devices to a tag, or removes them. A name without a device is ignored.
    func changeMembers(_ call: SimulatedCall, isJoining: Bool) throws(Refusal) -> SimulatedResponse {
        let (app, fields) = try open(call)
        let name = try fields.needText("name")
        guard let type = try fields.number("type"), (1...2).contains(type) else { throw .code("type") }
        let ids = try fields.needTexts("ids")
        guard ids.count <= 1000 else { throw .code("ids") }
        guard exist([name], app) else { throw .tag }
        let members = ids.map { Target(name: $0, isAlias: type != settings.regIDType) }
        for device in members.compactMap({ device($0, app.appID) }) {
            if isJoining { devices[device]?.tags.insert(name) } else { devices[device]?.tags.remove(name) }
        }
        return .accepted()
    }

    /// Whether an app has these tags.
    func exist(_ names: [String], _ app: VivoApp) -> Bool {
        !settings.demandsTags || tags[app.appID, default: []].isSuperset(of: names)
    }
}
