import FoundationEssentials
import PushAdapter
import PushSimulation

/// Broadcasts to channels.
extension APNsSimulator {
    private static let broadcastType = "liveactivity"
    private static let broadcastEvents = ["update", "end"]

    func broadcast(
        _ request: SimulatedRequest, _ app: String, _ id: String, _ now: Date
    ) throws(Refusal) -> SimulatedResponse {
        guard let channelID = request.value(of: .channelID) else { throw .missingChannelID }
        try checkPushType(request.value(of: .pushType), is: Self.broadcastType)
        guard let expiration = request.value(of: .expiration).flatMap(Rules.count) else { throw .badExpiration }
        try checkPriority(of: request)
        let channel = try channel(channelID, of: app)
        // A channel that stores nothing takes only broadcasts with expiration 0.
        guard channel.policy > 0 || expiration == 0 else { throw .badExpiration }
        let payload = try Self.payload(request.body)
        guard let event = payload.aps?["event"]?.stringValue, Self.broadcastEvents.contains(event) else {
            throw .badRequestPayload
        }
        guard request.body.count <= Rules.broadcastBytes else { throw .payloadTooLarge }
        try countBroadcast(to: channelID, of: app, now)
        broadcastCount += 1
        let broadcast = Broadcast(id: id, number: newNumber(), payload: payload, change: payload.activity)
        if let end = Push.end(expiration, within: Rules.channelStorage, now) {
            apps[app]?.channels[channelID]?.newest = (broadcast, end)
        }
        for subscriber in channel.subscribers.keys where isOnline(subscriber.device) {
            deliver(broadcast, to: subscriber, of: channelID, app, now)
        }
        var response = SimulatedResponse(status: 200)
        if environment == .development, settings.identifiesBroadcasts { response.set(.uniqueID, Rules.newID()) }
        return response
    }

    // MARK: Checks

    /// Checks that the caller may manage the app's channels, and that the app has channels.
    func checkChannels(of app: String, _ request: SimulatedRequest, _ caller: Caller) throws(Refusal) {
        let topic = Topic(app)
        guard let state = apps[app], caller.owns(topic, of: state.teamID) else { throw .topicMismatch }
        guard caller.isBound(to: topic) else { throw .topicDisallowed }
        if let given = request.value(of: .requestID), !Rules.isUUID(given) { throw .badMessageID }
        guard state.hasBroadcasts else { throw .noBroadcasts(isDocumented: settings.namesDocumentedFeatureReason) }
    }

    /// Checks the push type of a broadcast or a channel.
    func checkPushType(_ given: String?, is expected: String) throws(Refusal) {
        guard let given else { throw .missingPushType }
        let isSame = settings.ignoresPushTypeCase ? given.lowercased() == expected.lowercased() : given == expected
        guard isSame else { throw .invalidPushType }
    }

    private func checkPriority(of request: SimulatedRequest) throws(Refusal) {
        guard let priority = request.value(of: .priority) else {
            if settings.needsBroadcastPriority { throw .badPriority }
            return
        }
        guard Rules.priorities.contains(priority) else { throw .badPriority }
    }

    /// Finds a channel by its id.
    func channel(_ id: String, of app: String) throws(Refusal) -> ChannelState {
        if let channel = apps[app]?.channels[id] { return channel }
        throw channelIDs.made(id, for: app) ? .unknownChannel : .badChannelID
    }

    /// The payload of a broadcast or a channel. It must be a JSON object.
    static func payload(_ body: [UInt8]) throws(Refusal) -> Payload {
        guard !body.isEmpty else { throw .payloadEmpty }
        let payload = Payload(body)
        guard payload.fields != nil else { throw .badRequestPayload }
        return payload
    }

    private func countBroadcast(to channel: String, of app: String, _ now: Date) throws(Refusal) {
        guard let limit = settings.broadcastsPerMinute else { return }
        guard apps[app]?.channels[channel]?.broadcasts.take(limit, now) ?? false else {
            throw .tooManyRequests
        }
    }

    // MARK: Delivery

    private func isOnline(_ device: String) -> Bool { table.devices[device]?.device.isOnline ?? false }

    /// Delivers a broadcast to the Live Activity of a device. The activity follows the channel until it ends.
    func deliver(
        _ broadcast: Broadcast, to subscriber: ChannelState.Subscriber, of channel: String, _ app: String, _ now: Date
    ) {
        guard let change = broadcast.change else { return }
        apps[app]?.channels[channel]?.subscribers[subscriber] = change.event == .end ? nil : broadcast.number
        let activity = DeviceState.Activity(app: app, id: subscriber.activity)
        let delivered = broadcast.payload.delivered(
            as: broadcast.id, for: .liveActivity, collapseID: nil, customKeys: settings.customKeys)
        guard var message = delivered, table.devices[subscriber.device]?.accepts(change, of: activity, now) ?? false
        else { return }
        message.activity = change.change(of: subscriber.activity)
        table.devices[subscriber.device]?.inbox.receive(message)
    }

    /// Makes a Live Activity follow a channel. It gets no earlier broadcasts. Does nothing if the channel is missing.
    func subscribe(_ device: String, to channel: String, of app: String, as activity: String) {
        guard table.devices[device] != nil else { return }
        let subscriber = ChannelState.Subscriber(device: device, activity: activity)
        apps[app]?.channels[channel]?.subscribers[subscriber] = newNumber()
    }
}
