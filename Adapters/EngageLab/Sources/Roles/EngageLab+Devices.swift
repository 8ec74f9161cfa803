import JiguangDialect
public import PushAdapter

/// A device's tags and alias at EngageLab.
public struct EngageLabDevice: Sendable, Hashable {
    /// The device's tags: at most 100, case-sensitive.
    public var tags: Set<Tag>
    /// The device's only alias; nil for none. No other device has it.
    public var alias: Alias?

    /// A device with tags, and optionally an alias.
    public init(tags: Set<Tag>, alias: Alias? = nil) {
        self.tags = tags
        self.alias = alias
    }
}

/// Whether a device is connected.
public struct EngageLabOnlineStatus: Sendable, Hashable {
    /// Whether the device is connected now.
    public let isOnline: Bool
    /// When the device was last connected: `yyyy-MM-dd HH:mm:ss`, in the vendor's form. Nil if it never was, or if that
    /// is unknown.
    public let lastOnline: String?
}

extension EngageLab {
    /// `GET /v4/devices/{registration_id}`: reads tags and alias in one request.
    public func readDevice(_ device: DeviceID) -> Exchange<EngageLabDevice> {
        read(device, .engageLabReadDevice) { $0 }
    }

    /// `POST /v4/devices/{registration_id}`: changes tags and alias in one request.
    ///
    /// Refuses an empty update, `.replace` of tags and phone numbers (EngageLab has neither), and values over the
    /// limits. It cannot clear an alias, because the vendor's libraries disagree about how; see
    /// `PushClient.removeAlias(of:)`. Another device with the new alias loses it (inferred, because an alias has one
    /// device).
    public func updateDevice(_ update: DeviceUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .updateDevice, update)
    }

    /// `DELETE /v4/devices/{registration_id}`: deletes a device with its tags, alias and all data about it.
    ///
    /// The deletion takes effect some time after the response and cannot be undone. The device gets messages again only
    /// after the app is opened or installed anew.
    public func deleteDevice(_ device: DeviceID) -> Exchange<Void> {
        api.call(
            .engageLabDeleteDevice, api.request(.delete, "devices", [.value(device.rawValue)]),
            checking: [.devices([device])],
            decode: api.done)
    }

    /// `POST /v4/devices/status`: reads which devices are online. The result omits devices that the vendor ignores. The
    /// maximum per request is not documented.
    public func readStatus(of devices: [DeviceID]) throws(PushError) -> Exchange<[DeviceID: EngageLabOnlineStatus]> {
        struct Row: Decodable {
            var regid: DeviceID
            var online: Bool
            var time: String?

            private enum CodingKeys: String, CodingKey {
                case regid, online
                case time = "last_online_time"
            }
        }
        guard !devices.isEmpty else { throw PushError(.invalidArgument, "the list of devices is empty") }
        let body: JSONValue = ["registration_ids": .array(devices.map { .string($0.rawValue) })]
        return api.call(
            .engageLabReadStatus, api.request(.post, "devices", ["status"], body: .json(body)),
            checking: [.devices(devices)]
        ) { (response) throws(PushError) in
            let rows = try response.json([Row].self)
            return Dictionary(
                rows.map { ($0.regid, EngageLabOnlineStatus(isOnline: $0.online, lastOnline: $0.time)) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    private func read<Output>(
        _ device: DeviceID, _ operation: Feature, _ pick: @escaping @Sendable (EngageLabDevice) -> Output
    ) -> Exchange<Output> {
        api.readDevice(device, operation, DeviceKey.self) { pick(EngageLabDevice(tags: $0.tags, alias: $0.alias)) }
    }

    private enum DeviceKey: String, JiguangDialect.DeviceKey {
        case tags, alias
        static let phone: DeviceKey? = nil
        static let mayAllBeMissing = true
    }

    private func write(
        _ device: DeviceID, _ operation: Feature, _ update: DeviceUpdate
    ) throws(PushError) -> Exchange<Void> {
        try update.check()
        guard update.phone == nil else {
            throw PushError(.unsupported, "the API of EngageLab has no phone numbers", operation: operation)
        }
        var alias: Alias?
        switch update.alias {
        case .set(let name): alias = name
        case .clear:
            throw PushError(
                .unsupported, "no page of EngageLab says how; use the client's removeAlias", operation: operation)
        case nil: break
        }
        if update.tags == .add([]) || update.tags == .remove([]) {
            throw PushError(.invalidArgument, "the list of tags is empty")
        }
        let name = alias
        let body = try JSONWriter.object { (json) throws(PushError) in
            if let name { json.field("alias", name.rawValue) }
            try api.write(update, tagsTo: &json)
        }
        var inputs: [Input] = [.tags((update.tags?.elements ?? []).union(update.removedTags))]
        if case .add(let tags) = update.tags {
            inputs.append(.amount(tags.count, .tagsPerDevice, "the tags of a device"))
        }
        if let name { inputs.append(.aliases([name])) }
        return api.call(
            operation, api.request(.post, "devices", [.value(device.rawValue)], body: .json(body)), of: device,
            checking: inputs,
            decode: api.done)
    }
}

extension EngageLab {
    /// `GET /v4/devices/{registration_id}`. One request.
    public func readTags(of device: DeviceID) -> Exchange<Set<Tag>> { read(device, .readTags) { $0.tags } }

    /// `POST /v4/devices/{registration_id}`. One request.
    public func addTags(_ tags: Set<Tag>, to device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .addTags, DeviceUpdate(tags: .add(tags)))
    }

    /// `POST /v4/devices/{registration_id}`. One request.
    public func removeTags(_ tags: Set<Tag>, from device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .removeTags, DeviceUpdate(tags: .remove(tags)))
    }

    /// `POST /v4/devices/{registration_id}`, with an empty text for the tags. One request.
    public func clearTags(of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .clearTags, DeviceUpdate(tags: .clear))
    }

    /// `GET /v4/tags/{tag}/registration_ids/{registration_id}`. One request.
    public func testTag(_ tag: Tag, of device: DeviceID) -> Exchange<Bool> { api.testTag(tag, of: device) }

    /// `GET /v4/devices/{registration_id}`. One request; nil if the device has no alias.
    public func readAlias(of device: DeviceID) -> Exchange<Alias?> { read(device, .readAlias) { $0.alias } }

    /// `POST /v4/devices/{registration_id}`. One request. No page says how to remove an alias from a device; the client
    /// deletes the alias by name.
    public func setAlias(_ alias: Alias, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .setAlias, DeviceUpdate(alias: .set(alias)))
    }
}
