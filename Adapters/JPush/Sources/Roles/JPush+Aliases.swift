import JiguangDialect
public import PushAdapter

/// A device that has an alias.
public struct JPushAliasDevice: Sendable, Hashable, Decodable {
    /// The device's registration id.
    public let device: DeviceID
    /// The vendor's word for the platform: `android`, `ios`, `hmos`, `quickapp`.
    public let platform: String?
    /// The day on which the device was last online, `yyyy-MM-dd`.
    public let lastOnline: String?

    private enum CodingKeys: String, CodingKey {
        case platform
        case device = "registration_id"
        case lastOnline = "last_online_date"
    }
}

extension JPush {
    /// `GET /v3/aliases/{alias}`. One request; at most ten devices.
    public func readDevices(of alias: Alias) throws(PushError) -> Exchange<Set<DeviceID>> {
        try readAliasDevices(of: alias).map { Set($0.map(\.device)) }
    }

    /// `DELETE /v3/aliases/{alias}`, on all platforms. One request.
    public func deleteAlias(_ alias: Alias) throws(PushError) -> Exchange<Void> { try deleteAlias(alias, on: nil) }
}

extension JPush {
    /// `GET /v3/aliases/{alias}`: the devices that have an alias, at most ten.
    /// - Parameters:
    ///   - alias: the alias.
    ///   - platforms: limits the list to these; nil means all.
    public func readAliasDevices(
        of alias: Alias, on platforms: Set<Platform>? = nil
    ) throws(PushError) -> Exchange<[JPushAliasDevice]> {
        struct Reply: Decodable {
            var data: [JPushAliasDevice]
        }
        let query = try api.platformQuery(platforms) + [QueryItem("new_format", "true")]
        return api.call(
            .readAliasDevices, WireRequest(.get, .jpushAliases, path: [.value(alias.rawValue)], query: query),
            checking: [.aliases([alias])]
        ) { (response) throws(PushError) in try response.json(Reply.self).data }
    }

    /// `DELETE /v3/aliases/{alias}`: removes an alias from every device, on some platforms or on all.
    public func deleteAlias(_ alias: Alias, on platforms: Set<Platform>?) throws(PushError) -> Exchange<Void> {
        try api.deleteAlias(alias, on: platforms)
    }

    /// `POST /v3/aliases/{alias}`: removes an alias from some devices, at most 1000.
    public func removeAlias(_ alias: Alias, from devices: [DeviceID]) throws(PushError) -> Exchange<Void> {
        let body: JSONValue = ["registration_ids": ["remove": .array(devices.map { .string($0.rawValue) })]]
        return api.call(
            .jpushRemoveAlias,
            WireRequest(.post, .jpushAliases, path: [.value(alias.rawValue)], body: .json(body)),
            checking: [
                .aliases([alias]), .count(devices.count, .jpushDevicesPerCall, "the devices"), .devices(devices),
            ], decode: api.done)
    }
}
