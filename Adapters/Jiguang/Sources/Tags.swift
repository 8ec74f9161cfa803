package import PushAdapter

extension Dialect {
    /// Reads the tags of the app.
    package func listTags(_ operation: Feature) -> Exchange<[Tag]> {
        struct Reply: Decodable {
            var tags: [Tag]
        }
        return call(operation, request(.get, "tags")) { (response) throws(PushError) in
            try response.json(Reply.self).tags
        }
    }

    /// Reads whether a device has a tag.
    package func testTag(_ tag: Tag, of device: DeviceID) -> Exchange<Bool> {
        struct Reply: Decodable {
            var result: Bool
        }
        let request = request(.get, "tags", [.value(tag.rawValue), "registration_ids", .value(device.rawValue)])
        return call(.testTag, request, of: device, checking: [.tags([tag])]) { (response) throws(PushError) in
            try response.json(Reply.self).result
        }
    }

    /// Adds a tag to some devices and removes it from others.
    package func updateTag(
        _ operation: Feature, _ tag: Tag, adding added: [DeviceID], removing removed: [DeviceID]
    ) -> Exchange<Void> {
        let lists = ["add": added, "remove": removed].filter { !$0.value.isEmpty }.mapValues { devices in
            JSONValue.array(devices.map { .string($0.rawValue) })
        }
        return call(
            operation,
            request(.post, "tags", [.value(tag.rawValue)], body: .json(["registration_ids": .object(lists)])),
            checking: [.tags([tag]), .devices(added + removed)], decode: done)
    }

    /// Removes an alias from every device, on some platforms or on all.
    package func deleteAlias(_ alias: Alias, on platforms: Set<Platform>?) throws(PushError) -> Exchange<Void> {
        let request = request(.delete, "aliases", [.value(alias.rawValue)], query: try platformQuery(platforms))
        return call(.deleteAlias, request, checking: [.aliases([alias])], decode: done)
    }

    /// Omits the key for all platforms, because the vendors refuse an empty value.
    package func platformQuery(_ platforms: Set<Platform>?) throws(PushError) -> [QueryItem] {
        guard let platforms else { return [] }
        guard !platforms.isEmpty else {
            throw PushError(.invalidArgument, "the list of platforms is empty; give nil to mean all")
        }
        return [QueryItem("platform", try platformNames(platforms).map(\.rawValue).joined(separator: ","))]
    }
}
