public import PushAdapter

/// Reads of a session, with their types.
extension DeviceSession {
    /// The device's tags: ``SessionCall/getAllTags``. Under rules without that call, `queryTags` reads them page by
    /// page.
    public func tags() async throws(SessionFault) -> Set<Tag> {
        guard refusal(of: .getAllTags) != nil, refusal(of: .queryTags) == nil else {
            guard case .tags(let tags) = try await run(.getAllTags) else { return [] }
            return tags
        }
        let size = rules.largestPage ?? 100
        var tags: Set<Tag> = []
        var offset = 0
        while case .page(let page) = try await run(.queryTags(offset: offset, limit: size)), !page.tags.isEmpty {
            tags.formUnion(page.tags)
            offset += page.tags.count
            if offset >= page.total { break }
        }
        return tags
    }

    /// The device's alias, nil for none: ``SessionCall/getAlias``.
    public func alias() async throws(SessionFault) -> Alias? {
        if case .alias(let alias) = try await run(.getAlias) { alias } else { nil }
    }

    /// Whether the device has a tag: ``SessionCall/validTag(_:)``.
    public func hasTag(_ tag: Tag) async throws(SessionFault) -> Bool {
        if case .hasTag(let hasTag) = try await run(.validTag(tag.rawValue)) { hasTag } else { false }
    }
}
