import JiguangDialect
public import PushAdapter

/// Whether a device is online.
public struct JPushOnlineStatus: Sendable, Hashable {
    /// Whether the device was seen within ten minutes.
    public let isOnline: Bool
    /// When the device was last online: `yyyy-MM-dd HH:mm:ss` in the vendor's time. Nil if it is online now, or was
    /// last seen more than two days ago.
    public let lastOnline: String?
}

extension JPush {
    /// `GET /v3/tags/`: lists the tags of the app, at most a hundred per platform.
    public func listTags() -> Exchange<[Tag]> { api.listTags(.jpushListTags) }

    /// `POST /v3/tags/{tag}`: adds a tag to some devices and removes it from others, at most 1000 each.
    public func updateTag(
        _ tag: Tag, addTo added: [DeviceID] = [], removeFrom removed: [DeviceID] = []
    ) throws(PushError) -> Exchange<Void> {
        guard !added.isEmpty || !removed.isEmpty else {
            throw PushError(.invalidArgument, "the tag change lists no device to add or remove")
        }
        guard Set(added).isDisjoint(with: removed) else {
            throw PushError(.invalidArgument, "a device is both added and removed; the vendor documents no order")
        }
        var exchange = api.updateTag(.jpushUpdateTag, tag, adding: added, removing: removed)
        exchange.inputs += [
            .amount(added.count, .jpushDevicesPerCall, "the devices to add"),
            .amount(removed.count, .jpushDevicesPerCall, "the devices to remove"),
        ]
        return exchange
    }

    /// `POST /v3/tags/{tag}`: adds a tag to some devices or removes it from them. The vendor does not document the
    /// result for the other devices if the app lacks one of them.
    public func changeMembers(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        var exchange =
            switch change {
            case .add(let devices): try updateTag(tag, addTo: devices)
            case .remove(let devices): try updateTag(tag, removeFrom: devices)
            }
        exchange.operation = change.feature
        return exchange.map { (_) throws(PushError) in SendReceipt() }
    }

    /// `DELETE /v3/tags/{tag}`: removes a tag from every device, on some platforms or on all.
    public func deleteTag(_ tag: Tag, on platforms: Set<Platform>? = nil) throws(PushError) -> Exchange<Void> {
        api.call(
            .jpushDeleteTag,
            WireRequest(.delete, .jpushTags, path: [.value(tag.rawValue)], query: try api.platformQuery(platforms)),
            checking: [.tags([tag])], decode: api.done)
    }

    /// `POST /v3/devices/status/`: reads which of at most 1000 devices are online. The result omits devices that the
    /// app does not have. Needs a contract.
    public func readStatus(of devices: [DeviceID]) -> Exchange<[DeviceID: JPushOnlineStatus]> {
        struct Status: Decodable {
            var online: Bool
            var lastOnline: String?

            enum CodingKeys: String, CodingKey {
                case online
                case lastOnline = "last_online_time"
            }
        }
        let body: JSONValue = ["registration_ids": .array(devices.map { .string($0.rawValue) })]
        return api.call(
            .jpushReadStatus, WireRequest(.post, .jpushDevices, path: ["status"], body: .json(body)),
            checking: [.count(devices.count, .jpushDevicesPerCall, "the devices"), .devices(devices)]
        ) { (response) throws(PushError) in
            // The vendor writes null, an empty text or an empty object for a device that the app does not have.
            let rows = try response.json([String: Lenient<Status>].self)
            return rows.reduce(into: [:]) { statuses, row in
                guard let status = row.value.value else { return }
                statuses[DeviceID(row.key)] = JPushOnlineStatus(
                    isOnline: status.online, lastOnline: status.lastOnline)
            }
        }
    }
}
