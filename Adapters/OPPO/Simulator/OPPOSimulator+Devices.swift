import PushAdapter
import PushSimulation

/// The alias and the tags of a device. These calls have JSON bodies, and a host of their own.
extension OPPOSimulator {
    private static let aliasLength = 64

    /// Gives an alias to a device. It is taken from the one that had it.
    func setAlias(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = Fields(json: call.request)
        let app = try app(call, fields)
        let alias = try alias(fields)
        let device = try ownDevice(fields, app)
        take(alias, from: app)
        devices[device]?.alias = alias
        return .accepted()
    }

    func deleteAlias(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = Fields(json: call.request)
        let app = try app(call, fields)
        take(try alias(fields), from: app)
        return .accepted()
    }

    func changeTags(_ call: SimulatedCall, isAdding: Bool) throws(Refusal) -> SimulatedResponse {
        let fields = Fields(json: call.request)
        let app = try app(call, fields)
        let tags = try fields.list("tags", separatedBy: settings.tagSeparator)
        let device = try ownDevice(fields, app)
        if isAdding { devices[device]?.tags.formUnion(tags) } else { devices[device]?.tags.subtract(tags) }
        return .accepted()
    }

    private func take(_ alias: String, from app: OPPOApp) {
        if let owner = device(.alias(alias), of: app) { devices[owner]?.alias = nil }
    }

    private func alias(_ fields: Fields) throws(Refusal) -> String {
        let alias = try fields.need("alias")
        guard alias.unicodeScalars.count <= Self.aliasLength, !alias.contains(";") else { throw .illegal("alias") }
        return alias
    }

    private func ownDevice(_ fields: Fields, _ app: OPPOApp) throws(Refusal) -> String {
        guard let device = device(.id(try fields.need("registration_id")), of: app) else { throw .target }
        return device
    }
}
