public import PushAdapter

/// Aliases and tags of devices. The vendor's host takes JSON. The sources are a web copy and public clients.
extension OPPO {
    /// `POST /device/set_alias` with `{"registration_id": "r", "alias": "a"}`. A device has one alias, and an alias one
    /// device: the newest one.
    public func setAlias(_ alias: Alias, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        if let refusal = refusal(.device(device)) ?? refusal(.alias(alias)) { throw refusal }
        return changing(
            .setAlias, ["registration_id": .string(device.rawValue), "alias": .string(alias.rawValue)],
            [.devices([device]), .aliases([alias])], about: .device(device))
    }

    /// `POST /device/delete_alias` with `{"alias": "a"}`. An alias that the vendor does not have (31) counts as deleted.
    public func deleteAlias(_ alias: Alias) throws(PushError) -> Exchange<Void> {
        if let refusal = refusal(.alias(alias)) { throw refusal }
        return changing(
            .deleteAlias, ["alias": .string(alias.rawValue)], [.aliases([alias])], about: .alias(alias))
    }

    /// `POST /device/subscribe_tags` or `/device/unsubscribe_tags` with `{"registration_id": "r", "tags": "vip"}`: one
    /// tag. A repeated change has no further effect.
    func change(_ operation: Feature, _ tags: Set<Tag>, of device: DeviceID) throws(PushError) -> Exchange<Void> {
        guard let tag = tags.first, tags.count == 1 else {
            throw PushError(.limitExceeded, "OPPO changes one tag in a request; give one tag", operation: operation)
        }
        if let refusal = refusal(.device(device)) { throw refusal }
        // No source says which of them stands between the tags of a list.
        guard !tag.rawValue.contains(where: { $0 == ";" || $0 == "," }) else {
            throw PushError(
                .invalidArgument, "the tag contains a comma or a semicolon, which may separate tags at OPPO",
                operation: operation)
        }
        return changing(
            operation, ["registration_id": .string(device.rawValue), "tags": .string(tag.rawValue)],
            [.devices([device]), .tags(tags)], about: .device(device))
    }

    private static func call(_ operation: Feature) -> PathSegment {
        switch operation {
        case .setAlias: "set_alias"
        case .addTags: "subscribe_tags"
        case .removeTags: "unsubscribe_tags"
        default: "delete_alias"
        }
    }

    private func changing(
        _ operation: Feature, _ fields: [String: JSONValue], _ inputs: [Input], about subject: Subject
    ) -> Exchange<Void> {
        let request = WireRequest(
            .post, .oppoDevices, path: ["device", Self.call(operation)],
            body: .json(JSONWriter.bytes(of: .object(fields))))
        return Exchange(operation, request, inputs: inputs, idempotency: .idempotent, subject: subject) {
            (response) throws(PushError) in
            _ = try OPPOReply.accepted(response, inPlace: Self.inPlace(operation))
        }
    }
}
