import JiguangDialect
public import PushAdapter

/// An app's quota of tags and aliases, and its use.
public struct EngageLabTagQuota: Sendable, Hashable, Decodable {
    /// The number of devices that may have one tag, and the number that have it.
    public struct Row: Sendable, Hashable, Decodable {
        /// The tag.
        public let tag: Tag
        /// Devices that may have the tag.
        public let total: Int
        /// Devices that have the tag.
        public let used: Int

        private enum CodingKeys: String, CodingKey {
            case tag = "tagName"
            case total = "totalUidQuota"
            case used = "useUidQuota"
        }
    }

    /// Tags that the app may have.
    public let totalTags: Int
    /// Tags that the app has.
    public let usedTags: Int
    /// Aliases that the app may have.
    public let totalAliases: Int
    /// Aliases that the app has.
    public let usedAliases: Int
    /// The requested tags.
    public let tags: [Row]?

    private enum CodingKeys: String, CodingKey {
        case totalTags = "totalTagQuota"
        case usedTags = "useTagQuota"
        case totalAliases = "totalAliasQuota"
        case usedAliases = "useAliasQuota"
        case tags = "tagUidQuotaDetail"
    }
}

/// Whether an app has a paid plan.
public struct EngageLabPaidStatus: Sendable, Hashable, Decodable {
    /// The vendor's number. The meaning of 1, an active plan, is inferred.
    public let status: Int
    /// When the plan ends, in seconds since 1970; nil if the vendor omits it.
    public let endTime: Int?

    private enum CodingKeys: String, CodingKey {
        case status = "vip_status"
        case endTime = "vip_end_time"
    }
}

extension EngageLab {
    /// `GET /v4/tags`: lists the tags of the app.
    public func listTags() -> Exchange<[Tag]> { api.listTags(.engageLabListTags) }

    /// `POST /v4/tags/{tag}`: adds a tag to some devices and removes it from others. The maximum is not documented.
    public func updateTag(
        _ tag: Tag, adding added: [DeviceID] = [], removing removed: [DeviceID] = []
    ) throws(PushError) -> Exchange<Void> {
        guard !(added.isEmpty && removed.isEmpty), Set(added).isDisjoint(with: removed) else {
            throw PushError(.invalidArgument, "give devices to add or to remove, and list none in both")
        }
        return api.updateTag(.engageLabUpdateTag, tag, adding: added, removing: removed)
    }

    /// `POST /v4/tags/{tag}`: adds a tag to some devices or removes it from them. The vendor does not document the
    /// result for the other devices if the app lacks one of them.
    public func changeMembers(of tag: Tag, _ change: MemberUpdate) throws(PushError) -> Exchange<SendReceipt> {
        var exchange =
            switch change {
            case .add(let devices): try updateTag(tag, adding: devices)
            case .remove(let devices): try updateTag(tag, removing: devices)
            }
        exchange.operation = change.feature
        return exchange.map { (_) throws(PushError) in SendReceipt() }
    }

    /// `DELETE /v4/tags/{tag}`: removes a tag from every device, on some platforms; nil means all.
    public func deleteTag(_ tag: Tag, on platforms: Set<Platform>? = nil) throws(PushError) -> Exchange<Void> {
        api.call(
            .engageLabDeleteTag,
            WireRequest(
                .delete, .engageLab, path: ["tags", .value(tag.rawValue)], query: try api.platformQuery(platforms)),
            checking: Self.inputs(madeByClient: [tag]), decode: api.done)
    }

    /// `GET /v4/tags_count`: counts the devices of a platform that have each of at most 1000 tags.
    public func countDevices(of tags: [Tag], on platform: Platform) throws(PushError) -> Exchange<[Tag: Int]> {
        struct Reply: Decodable {
            var tagsCount: [String: Int]
        }
        let query = Self.tagQuery(tags) + (try api.platformQuery([platform]))
        return api.call(
            .engageLabCountTags, WireRequest(.get, .engageLab, path: ["tags_count"], query: query),
            checking: [.count(tags.count, .engageLabTagsPerCount, "the tags")] + Self.inputs(madeByClient: tags)
        ) { (response) throws(PushError) in
            let counts = try response.json(Reply.self).tagsCount
            return Dictionary(counts.map { (Tag($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// `GET /v4/tags/quota-info`: reads the app's quotas of tags and aliases, and of devices for some tags.
    public func readTagQuota(
        of tags: [Tag] = [], on platform: Platform? = nil
    ) throws(PushError) -> Exchange<EngageLabTagQuota> {
        struct Reply: Decodable {
            var data: EngageLabTagQuota
        }
        let query = Self.tagQuery(tags) + (try api.platformQuery(platform.map { [$0] }))
        return api.call(
            .engageLabReadTagQuota, WireRequest(.get, .engageLab, path: ["tags", "quota-info"], query: query),
            checking: [.amount(tags.count, .engageLabTagsPerCount, "the tags")] + Self.inputs(madeByClient: tags)
        ) { (response) throws(PushError) in try response.json(Reply.self).data }
    }

    /// `GET /v4/app/vip/status`: reads whether the app has a paid plan.
    public func readPaidStatus() -> Exchange<EngageLabPaidStatus> {
        api.call(.engageLabReadPaidStatus, Self.paidStatus) { (response) throws(PushError) in
            try response.json(EngageLabPaidStatus.self)
        }
    }

    private static let paidStatus = WireRequest(.get, .engageLab, path: ["app", "vip", "status"])

    /// A device may give itself tags that the server would refuse. You can still count and delete them.
    private static func inputs(madeByClient tags: [Tag]) -> [Input] {
        tags.map { .text($0.rawValue, .engageLabClientTag, "a tag") }
    }

    /// Repeats the key for each tag. Older libraries of the vendor joined tags with commas and got wrong results.
    private static func tagQuery(_ tags: [Tag]) -> [QueryItem] {
        tags.map { QueryItem("tags", $0.rawValue) }
    }
}

extension EngageLab {
    /// `GET /v4/app/vip/status`: only reads. It should succeed exactly if the key belongs to this data center. It sends
    /// the app key and the master secret to whoever serves that address.
    public func probe() -> Exchange<Void> {
        api.call(.probeCredentials, Self.paidStatus) { (response) throws(PushError) in
            _ = try response.json(EngageLabPaidStatus.self)
        }
    }
}
