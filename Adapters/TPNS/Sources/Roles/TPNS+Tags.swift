public import PushAdapter

extension TPNS {
    /// `POST /v3/device/tag`, operators 1 and 3.
    public func addTags(_ tags: Set<Tag>, to device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(.addTags, tags.count == 1 ? .addOne : .addMany, tags, device)
    }

    /// `POST /v3/device/tag`, operators 2 and 4.
    public func removeTags(_ tags: Set<Tag>, from device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(.removeTags, tags.count == 1 ? .removeOne : .removeMany, tags, device)
    }

    /// `POST /v3/device/tag`, operator 5. The vendor applies it some time after its response.
    public func clearTags(of device: DeviceID) throws(PushError) -> Exchange<Void> {
        try write(.clearTags, .clear, [], device)
    }

    /// `POST /v3/device/tag`, operator 6. The vendor applies it some time after its response.
    ///
    /// If every tag has a colon, the vendor replaces only the tags of the same categories (the texts before the colon).
    /// Such a set is refused with `unsupported`. For callers that accept `Feature.replaceTags`, the client
    /// clears and adds instead.
    public func replaceTags(with tags: Set<Tag>, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        // No page documents an empty replacement. Clearing has the same effect.
        guard !tags.isEmpty else { return try write(.replaceTags, .clear, [], device) }
        guard !tags.allSatisfy({ $0.rawValue.contains(":") }) else {
            throw PushError(
                .unsupported,
                "every tag has a colon, so TPNS would replace only tags of these categories; to clear and add, put "
                    + "\(Feature.replaceTags) into the accepted losses",
                operation: .replaceTags)
        }
        return try write(.replaceTags, .overwrite, tags, device)
    }

    private func write(
        _ operation: Feature, _ number: TagOperator, _ tags: Set<Tag>, _ device: DeviceID
    ) throws(PushError) -> Exchange<Void> {
        let body = try object { (json) throws(PushError) in
            json.field("operator_type", number.rawValue)
            if number != .clear { json.field("tag_list", tags.sorted()) }
            json.field("token_list", [device])
        }
        let inputs: [Input] =
            number == .clear ? [] : [.tags(tags), .count(tags.count, .tagsPerCall, "the tags of a call")]
        return call(operation, ["device", "tag"], body, of: device, checking: inputs, decode: WireResponse.expectDone)
    }
}

/// The operators of `/v3/device/tag`.
enum TagOperator: Int {
    case addOne = 1
    case removeOne = 2
    case addMany = 3
    case removeMany = 4
    case clear = 5
    case overwrite = 6
    case addToDevices = 7
    case removeFromDevices = 8
    case addPairs = 9
    case removePairs = 10
}

/// One tag of one device.
public struct TPNSTagPair: Sendable, Hashable {
    /// The tag.
    public var tag: Tag
    /// The device.
    public var device: DeviceID

    /// Creates a pair of a tag and a device.
    public init(_ tag: Tag, _ device: DeviceID) {
        self.tag = tag
        self.device = device
    }
}

extension TPNS {
    /// `POST /v3/device/tag`, operators 7 and 8: adds a tag to 1 to 500 devices or removes it from them. The vendor
    /// does not document whether one bad token makes it refuse the call or is ignored. It wants a second between such
    /// calls; the client waits.
    public func changeMembers(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        let number: TagOperator = change.feature == .addMembers ? .addToDevices : .removeFromDevices
        let body = try object { json in
            json.field("operator_type", number.rawValue)
            json.field("tag_list", [tag])
            json.field("token_list", change.devices)
        }
        return call(
            change.feature, ["device", "tag"], body, from: .tpnsTagBatch,
            checking: [
                .count(change.devices.count, .devicesPerTagCall, "the devices"), .devices(change.devices),
                .tags([tag]),
            ]
        ) { (response) throws(PushError) in
            try WireResponse.expectDone(response)
            return SendReceipt()
        }
    }

    /// `POST /v3/device/tag`, operator 9: adds its tag to each device. Takes 1 to 20 pairs, the stricter of the
    /// vendor's two limits.
    public func addTags(_ pairs: [TPNSTagPair]) throws(PushError) -> Exchange<Void> {
        try change(pairs, .addPairs, .tpnsAddTagPairs)
    }

    /// `POST /v3/device/tag`, operator 10: removes its tag from each device. Takes 1 to 20 pairs.
    public func removeTags(_ pairs: [TPNSTagPair]) throws(PushError) -> Exchange<Void> {
        try change(pairs, .removePairs, .tpnsRemoveTagPairs)
    }

    /// `POST /v3/device/tag/delete_all_device`: removes 1 to 100 tags from every device and from the app's list. The
    /// vendor applies it some time after its response.
    public func deleteTags(_ tags: Set<Tag>) throws(PushError) -> Exchange<Void> {
        let body = try object { json in json.field("tag_list", tags.sorted()) }
        return call(
            .tpnsDeleteTags, ["device", "tag", "delete_all_device"], body, from: .tpnsTagBatch,
            checking: [.count(tags.count, .tpnsTagsPerDeletion, "the tags to delete"), .tags(tags)],
            decode: WireResponse.expectDone)
    }

    private func change(
        _ pairs: [TPNSTagPair], _ number: TagOperator, _ operation: Feature
    ) throws(PushError) -> Exchange<Void> {
        let body = try object { (json) throws(PushError) in
            json.field("operator_type", number.rawValue)
            try json.field("tag_token_list") { (json) throws(PushError) in
                try json.array { (json) throws(PushError) in
                    for pair in pairs {
                        try json.object { json in
                            json.field("tag", pair.tag.rawValue)
                            json.field("token", pair.device.rawValue)
                        }
                    }
                }
            }
        }
        return call(
            operation, ["device", "tag"], body, from: .tpnsTagBatch,
            checking: [
                .count(pairs.count, .tpnsPairsPerCall, "the pairs of tag and device"),
                .devices(pairs.map(\.device)), .tags(Set(pairs.map(\.tag))),
            ], decode: WireResponse.expectDone)
    }
}
