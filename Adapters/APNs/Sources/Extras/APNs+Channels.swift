public import FoundationEssentials
public import PushAdapter

extension Feature {
    static let apnsCreateChannel: Feature = "apns.channels.create"
    static let apnsReadChannel: Feature = "apns.channels.read"
    static let apnsListChannels: Feature = "apns.channels.list"
    static let apnsDeleteChannel: Feature = "apns.channels.delete"
    static let apnsBroadcast: Feature = "apns.broadcast"
}

/// The broadcasts that a channel keeps for offline devices. They cannot change after the channel is created.
public enum APNsChannelStorage: Int, Sendable, Hashable {
    /// Keeps nothing, which allows more broadcasts.
    case nothing = 0
    /// Keeps the newest broadcast, for at most eight hours.
    case newest = 1
}

/// Channels for Live Activities and broadcasts to them, for `client.run(_:)`. Each call costs one request, in the
/// adapter's ``environment``. iOS 18.
///
/// Source: Sending channel management requests to APNs, 2026; Sending broadcast push notification requests to APNs, 2026.
extension APNs {
    /// `POST /1/apps/{bundle id}/channels`: creates a channel and returns its id. An app can have 10,000 per
    /// environment.
    ///
    /// A repeated call creates another channel, so the client does not retry after a lost response.
    public func createChannel(storing storage: APNsChannelStorage) -> Exchange<String> {
        let body = JSONWriter.bytes(of: [
            "message-storage-policy": JSONValue(integerLiteral: storage.rawValue), "push-type": "LiveActivity",
        ])
        let request = WireRequest(.post, channels, path: path("channels"), body: .json(body))
        return Exchange(.apnsCreateChannel, request, idempotency: .unkeyed) { (response) throws(PushError) in
            guard let id = response.headers[.apnsChannelID], !id.isEmpty else {
                throw PushError(unreadable: "the response names no channel")
            }
            return id
        }
    }

    /// `GET /1/apps/{bundle id}/channels`: reads the storage of a channel. Refuses an empty id with `invalidArgument`.
    public func readChannel(_ channel: String) -> Exchange<APNsChannelStorage> {
        let request = WireRequest(.get, channels, path: path("channels"), headers: [.apnsChannelID: channel])
        return Exchange(
            .apnsReadChannel, request, inputs: [.text(channel, .apnsChannelID, "the id of the channel")],
            idempotency: .idempotent
        ) { (response) throws(PushError) in
            guard let storage = try response.json()["message-storage-policy"]?.intValue.flatMap(APNsChannelStorage.init)
            else { throw PushError(unreadable: "the response has no storage policy") }
            return storage
        }
    }

    /// `GET /1/apps/{bundle id}/all-channels`: lists the ids of all channels of the app. The vendor documents no
    /// paging.
    public func listChannels() -> Exchange<[String]> {
        Exchange(.apnsListChannels, WireRequest(.get, channels, path: path("all-channels")), idempotency: .idempotent) {
            (response) throws(PushError) in
            guard let list = try response.json()["channels"]?.arrayValue, case let ids = list.compactMap(\.stringValue),
                ids.count == list.count
            else { throw PushError(unreadable: "the response has no list of channels") }
            return ids
        }
    }

    /// `DELETE /1/apps/{bundle id}/channels`: deletes a channel. Waiting broadcasts may still arrive. If the channel
    /// does not exist, the vendor answers BadPath. Refuses an empty id with `invalidArgument`.
    public func deleteChannel(_ channel: String) -> Exchange<Void> {
        let request = WireRequest(.delete, channels, path: path("channels"), headers: [.apnsChannelID: channel])
        return Exchange(
            .apnsDeleteChannel, request, inputs: [.text(channel, .apnsChannelID, "the id of the channel")],
            idempotency: .idempotent
        ) { (response) throws(PushError) in
            guard response.status == 204 else { throw PushError(unreadable: "the response is not that of a deletion") }
        }
    }

    /// `POST /4/broadcasts/apps/{bundle id}`: changes or ends the Live Activities that follow a channel.
    ///
    /// Refuses a start, a change without the fields that the vendor requires, and a payload over 5,120 bytes. The
    /// vendor refuses a nonzero life on a channel that stores nothing.
    /// - Parameters:
    ///   - update: the change.
    ///   - channel: the id of the channel.
    ///   - now: the time of the call. The broadcast's times count from it.
    ///   - life: how long the channel keeps the broadcast for offline devices, in whole seconds; zero to not keep it.
    ///   - priority: 10, 5 or 1.
    public func broadcast(
        _ update: LiveActivityUpdate, to channel: String, at now: Date, life: Duration = .zero, priority: Int = 10
    ) throws(PushError) -> Exchange<Void> {
        guard update.event != .start else {
            throw PushError(.invalidArgument, "a broadcast cannot start a Live Activity; send that to its token")
        }
        guard APNsPushType.allPriorities.contains(priority) else {
            throw PushError(.invalidArgument, "the priority is \(priority); give 1, 5 or 10")
        }
        guard life >= .zero, life <= .seconds(8 * 3600), life == .seconds(life.components.seconds) else {
            throw PushError(.invalidArgument, "the life is \(life); give whole seconds, from 0 to eight hours")
        }
        try update.check(at: now)
        let body = JSONWriter.bytes(of: ["aps": .object(update.fields(at: now))])
        let end = life == .zero ? 0 : Int(max(1, now.timeIntervalSince1970 + life.seconds))
        let headers: HTTPFields = [
            .apnsChannelID: channel, .apnsPushType: APNsPushType.liveActivity.rawValue, .apnsExpiration: String(end),
            .apnsPriority: String(priority),
        ]
        let service: ServiceName =
            broadcastHost == .ordinary
            ? environment.service(.apns, .apnsSandbox) : environment.service(.apnsBroadcast, .apnsBroadcastSandbox)
        let request = WireRequest(
            .post, service, path: ["4", "broadcasts", "apps", .value(topic)], headers: headers, body: .json(body))
        return Exchange(
            .apnsBroadcast, request,
            inputs: [
                .message(Message(liveActivity: update.json)), .text(channel, .apnsChannelID, "the id of the channel"),
                .amount(body.count, .apnsBroadcastBytes, "the payload"),
            ], idempotency: acceptsDuplicates ? .idempotent : .unkeyed
        ) { (response) throws(PushError) in
            guard response.status == 200, response.body.isEmpty, response.headers[.apnsRequestID] != nil else {
                throw PushError(unreadable: "the response is not that of a broadcast")
            }
        }
    }

    private var channels: ServiceName { environment.service(.apnsChannels, .apnsChannelsSandbox) }

    private func path(_ last: String) -> [PathSegment] { ["1", "apps", .value(topic), .literal(last)] }
}

extension LimitKey {
    /// The id of a channel.
    static let apnsChannelID: LimitKey = "apns.channel.id"
}
