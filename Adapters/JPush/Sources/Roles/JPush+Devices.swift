import JiguangDialect
public import PushAdapter

/// A device's tags, alias and phone number at JPush.
public struct JPushDevice: Sendable, Hashable {
    /// The device's tags: at most 1000, case-sensitive.
    public var tags: Set<Tag>
    /// The device's only alias; nil for none. Other devices may share it.
    public var alias: Alias?
    /// The phone number for SMS.
    public var mobile: PhoneNumber?

    /// A device with tags, and optionally an alias and a phone number.
    public init(tags: Set<Tag>, alias: Alias? = nil, mobile: PhoneNumber? = nil) {
        self.tags = tags
        self.alias = alias
        self.mobile = mobile
    }
}

extension JPush {
    /// `GET /v3/devices/{registration_id}`: reads tags, alias and phone number in one request.
    public func readDevice(_ device: DeviceID) -> Exchange<JPushDevice> { read(device, .jpushReadDevice) { $0 } }

    /// `POST /v3/devices/{registration_id}`: changes any of tags, alias and phone number in one request.
    ///
    /// Refuses an empty update, `.replace` of tags (JPush does not have it), and values over the limits. A request
    /// takes 100 tags. The vendor refuses an alias's eleventh device unless a contract allows more.
    public func updateDevice(_ update: DeviceUpdate, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .updateDevice, update)
    }

    private func read<Output>(
        _ device: DeviceID, _ operation: Feature, _ pick: @escaping @Sendable (JPushDevice) -> Output
    ) -> Exchange<Output> {
        api.readDevice(device, operation, DeviceKey.self) { reply in
            pick(JPushDevice(tags: reply.tags, alias: reply.alias, mobile: reply.phone))
        }
    }

    private enum DeviceKey: String, JiguangDialect.DeviceKey {
        case tags, alias, mobile
        static let phone: DeviceKey? = mobile
        static let mayAllBeMissing = false
    }

    private func write(
        _ device: DeviceID, _ operation: Feature, _ update: DeviceUpdate
    ) throws(PushError) -> Exchange<Void> {
        try update.check()
        let body = try JSONWriter.object { (json) throws(PushError) in
            try api.write(update, tagsTo: &json)
            if let alias = update.alias { json.field("alias", Self.text(alias)) }
            if let phone = update.phone { json.field("mobile", Self.text(phone)) }
        }
        var exchange = api.call(
            operation, WireRequest(.post, .jpushDevices, path: [.value(device.rawValue)], body: .json(body)),
            of: device, decode: api.done)
        exchange.inputs += update.inputs
        return exchange
    }

    /// The text for a change. An empty text clears the value.
    private static func text(_ change: DeviceUpdate.Change<some RawRepresentable<String>>) -> String {
        if case .set(let value) = change { value.rawValue } else { "" }
    }
}

extension DeviceUpdate {
    fileprivate var inputs: [Input] {
        var inputs: [Input] = []
        let named = tags == nil || tags == .clear ? [] : [tags?.elements ?? []]
        for tags in named + (removedTags.isEmpty ? [] : [removedTags]) {
            let bytes = tags.reduce(0) { $0 + $1.rawValue.utf8.count }
            inputs += [
                .tags(tags), .count(tags.count, .tagsPerCall, "the tags of a call"),
                .amount(bytes, .tagBytesPerCall, "the tags of a call"),
            ]
        }
        if case .set(let alias) = alias { inputs.append(.aliases([alias])) }
        if case .set(let phone) = phone { inputs.append(.phone(phone)) }
        return inputs
    }
}

extension JPush {
    /// `GET /v3/devices/{registration_id}`. One request.
    public func readTags(of device: DeviceID) -> Exchange<Set<Tag>> { read(device, .readTags) { $0.tags } }

    /// `POST /v3/devices/{registration_id}`. One request.
    public func addTags(_ tags: Set<Tag>, to device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .addTags, DeviceUpdate(tags: .add(tags)))
    }

    /// `POST /v3/devices/{registration_id}`. One request.
    public func removeTags(_ tags: Set<Tag>, from device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .removeTags, DeviceUpdate(tags: .remove(tags)))
    }

    /// `POST /v3/devices/{registration_id}`, with an empty text for the tags. One request.
    public func clearTags(of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .clearTags, DeviceUpdate(tags: .clear))
    }

    /// `GET /v3/tags/{tag}/registration_ids/{registration_id}`.
    public func testTag(_ tag: Tag, of device: DeviceID) throws(PushError) -> Exchange<Bool> {
        api.testTag(tag, of: device)
    }

    /// `GET /v3/devices/{registration_id}`. One request; nil if the device has no alias.
    public func readAlias(of device: DeviceID) -> Exchange<Alias?> { read(device, .readAlias) { $0.alias } }

    /// `POST /v3/devices/{registration_id}`. One request. Refuses an empty alias with `invalidArgument`.
    public func setAlias(_ alias: Alias, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .setAlias, DeviceUpdate(alias: .set(alias)))
    }

    /// `POST /v3/devices/{registration_id}`, with an empty text for the alias. One request.
    public func removeAlias(of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .removeAlias, DeviceUpdate(alias: .clear))
    }

    /// `GET /v3/devices/{registration_id}`. One request; nil if the device has no phone number.
    public func readPhone(of device: DeviceID) -> Exchange<PhoneNumber?> { read(device, .readPhone) { $0.mobile } }

    /// `POST /v3/devices/{registration_id}`. One request. Refuses an empty number with `invalidArgument`.
    public func setPhone(_ phone: PhoneNumber, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .setPhone, DeviceUpdate(phone: .set(phone)))
    }

    /// `POST /v3/devices/{registration_id}`, with an empty text for the number. One request.
    public func removePhone(of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(device, .removePhone, DeviceUpdate(phone: .clear))
    }
}
