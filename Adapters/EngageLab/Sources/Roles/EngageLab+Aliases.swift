import JiguangDialect
public import PushAdapter

extension EngageLab {
    /// `GET /v4/aliases/{alias}`. One request. Returns one device or none.
    public func readDevices(of alias: Alias) throws(PushError) -> Exchange<Set<DeviceID>> {
        try readDevices(of: alias, on: nil)
    }

    /// `DELETE /v4/aliases/{alias}`, on all platforms. One request.
    public func deleteAlias(_ alias: Alias) throws(PushError) -> Exchange<Void> { try deleteAlias(alias, on: nil) }
}

extension EngageLab {
    /// `GET /v4/aliases/{alias}`: reads the device of an alias, on some platforms; nil means all.
    public func readDevices(
        of alias: Alias, on platforms: Set<Platform>?
    ) throws(PushError) -> Exchange<Set<DeviceID>> {
        struct Reply: Decodable {
            var ids: [DeviceID]
            private enum CodingKeys: String, CodingKey { case ids = "registration_ids" }
        }
        let request = api.request(.get, "aliases", [.value(alias.rawValue)], query: try api.platformQuery(platforms))
        return api.call(.readAliasDevices, request, checking: [.aliases([alias])]) { (response) throws(PushError) in
            Set(try response.json(Reply.self).ids)
        }
    }

    /// `DELETE /v4/aliases/{alias}`: removes an alias from its device, on some platforms; nil means all.
    public func deleteAlias(_ alias: Alias, on platforms: Set<Platform>?) throws(PushError) -> Exchange<Void> {
        try api.deleteAlias(alias, on: platforms)
    }
}
