/// The data centers of a vendor and its default.
public struct DataCenterCatalog: Sendable {
    /// Every data center, the standard one first.
    public let all: [DataCenter]
    /// The default, unless the caller chooses another.
    public let standard: DataCenter

    /// A catalog of the standard data center and the others, in this order.
    public init(_ standard: DataCenter, and others: [DataCenter] = []) {
        self.standard = standard
        all = [standard] + others
    }

    /// Whether a family speaks HTTP/2 only.
    package var needsHTTP2: Bool { all.contains { !$0.http2Services.isEmpty } }

    /// Only the centers in these regions; nil where there is none.
    private func only(in regions: Set<String>) -> DataCenterCatalog? {
        let allowed = all.filter { regions.contains($0.region ?? "") }
        return allowed.first.map { DataCenterCatalog($0, and: Array(allowed.dropFirst())) }
    }

    /// The same names at another origin; see ``DataCenter/moved(to:)``.
    public func moved(to origin: String) -> DataCenterCatalog {
        let moved = all.map { $0.moved(to: origin) }
        return DataCenterCatalog(moved[0], and: Array(moved.dropFirst()))
    }

    /// The data center with this name or alias, in any case. Refuses an unknown name and lists the known ones.
    public func named(_ name: String) throws(PushError) -> DataCenter {
        let wanted = name.lowercased()
        let found = all.first { center in ([center.name] + center.aliases).contains { $0.lowercased() == wanted } }
        guard let found else {
            throw PushError(
                .misconfigured,
                "unknown data center \(Redaction.quoted(name)); known data centers: "
                    + all.map(\.name).joined(separator: ", "))
        }
        return found
    }

    /// Selects the data center for a key.
    ///
    /// Costs no request, except for `.derived` with a resolver that sends requests. Refuses an unknown name, a key that
    /// the resolver does not know, and a center outside `allowedRegions`, with `misconfigured`.
    /// - Parameters:
    ///   - selection: how the center is chosen.
    ///   - key: the app key, which a resolver looks up.
    ///   - allowedRegions: ISO country codes; nil allows every region. A center without a stated region is refused
    ///     when this is given.
    public func select(
        _ selection: DataCenterSelection, forKey key: String, allowedRegions: Set<String>? = nil
    ) async throws(PushError) -> DataCenter {
        let center =
            switch selection {
            case .standard: standard
            case .named(let name): try named(name)
            case .custom(let center): center
            case .derived(let resolver): try await derive(resolver, key, allowedRegions)
            }
        if let allowedRegions, !allowedRegions.contains(center.region ?? "") {
            throw PushError(
                .misconfigured,
                "data center \(Redaction.quoted(center.name)) is in region \(center.region ?? "unknown"); allowed: "
                    + allowedRegions.sorted().joined(separator: ", "))
        }
        return center
    }

    /// A resolver that sends requests sees only the allowed centers, so no other center sees the key.
    private func derive(
        _ resolver: any DataCenterResolver, _ key: String, _ allowedRegions: Set<String>?
    ) async throws(PushError) -> DataCenter {
        guard let allowedRegions else { return try await resolver.resolve(key: key, in: self).dataCenter }
        guard let allowed = only(in: allowedRegions) else {
            throw PushError(
                .misconfigured,
                "no data center is in the allowed regions \(allowedRegions.sorted().joined(separator: ", "))")
        }
        do throws(PushError) {
            return try await resolver.resolve(key: key, in: allowed).dataCenter
        } catch {
            var error = error
            error.message += "; centers outside \(allowedRegions.sorted().joined(separator: ", ")) were left out"
            throw error
        }
    }
}
