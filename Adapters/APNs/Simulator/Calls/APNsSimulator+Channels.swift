import PushAdapter
import PushSimulation

/// Channel management.
extension APNsSimulator {
    private static let policyKey = "message-storage-policy"
    private static let typeKey = "push-type"
    private static let channelType = "LiveActivity"

    func createChannel(_ body: [UInt8], _ app: String) throws(Refusal) -> SimulatedResponse {
        let payload = try Self.payload(body)
        guard body.count <= Rules.broadcastBytes else { throw .payloadTooLarge }
        try checkPushType(payload.fields?[Self.typeKey]?.stringValue, is: Self.channelType)
        guard let policy = payload.fields?[Self.policyKey]?.intValue else { throw .badRequestPayload }
        guard Rules.storagePolicies.contains(policy) else {
            throw settings.namesBadPolicyParams ? .badRequestParams : .badRequestPayload
        }
        guard let state = apps[app], state.channels.count < settings.channelLimit else { throw .cannotCreate }
        let id = channelIDs.next(for: app)
        apps[app]?.channels[id] = ChannelState(number: newNumber(), policy: policy)
        var response = SimulatedResponse(status: settings.createStatus)
        response.set(.channelID, id)
        return response
    }

    func readChannel(_ request: SimulatedRequest, _ app: String) throws(Refusal) -> SimulatedResponse {
        guard let id = request.value(of: .channelID) else { throw .missingChannelID }
        let channel = try channel(id, of: app)
        return Self.response([
            Self.policyKey: JSONValue(channel.policy), Self.typeKey: .string(Self.channelType),
        ])
    }

    func deleteChannel(_ request: SimulatedRequest, _ app: String) throws(Refusal) -> SimulatedResponse {
        guard let id = request.value(of: .channelID) else { throw .missingChannelID }
        guard apps[app]?.channels.removeValue(forKey: id) != nil else {
            if settings.answersUnknownDeleteWithPath { throw .badPath }
            throw channelIDs.made(id, for: app) ? .unknownChannel : .badChannelID
        }
        return SimulatedResponse(status: 204)
    }

    func listChannels(_ app: String) -> SimulatedResponse {
        Self.response(["channels": .array((apps[app]?.channelIDs ?? []).map(JSONValue.string))])
    }

    private static func response(_ fields: [String: JSONValue]) -> SimulatedResponse {
        SimulatedResponse(
            status: 200, headers: [.contentType: "application/json"], body: JSONWriter.bytes(of: .object(fields)))
    }
}
