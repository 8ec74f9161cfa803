/// A place where a vendor keeps apps: a name, a region and one base address per family of the API.
public struct DataCenter: Sendable, Hashable {
    public var name: String
    /// Other names, for example the vendor's site name.
    public var aliases: [String]
    /// ISO country code of the place: `CN`, `SG`. Nil when the vendor does not say.
    public var region: String?
    /// Base addresses without a trailing slash. A family may differ in its path as well as in its host.
    public var services: [Service: String]

    public init(_ name: String, aliases: [String] = [], region: String? = nil, services: [Service: String]) {
        self.name = name
        self.aliases = aliases
        self.region = region
        self.services = services
    }

    /// The base address of a family. Refuses with `misconfigured` a family the data centre does not have.
    public func address(of service: Service) throws(PushError) -> String {
        guard let address = services[service] else {
            throw PushError(
                .misconfigured,
                "data centre \(Redaction.quoted(name)) has no address for \"\(service)\"; it has "
                    + services.keys.sorted().map(\.rawValue).joined(separator: ", "))
        }
        return address
    }
}

/// The data centres of a vendor and the one it uses unless told otherwise.
public struct DataCenterCatalog: Sendable {
    public let all: [DataCenter]
    public let standard: DataCenter

    public init(_ standard: DataCenter, and others: [DataCenter] = []) {
        self.standard = standard
        all = [standard] + others
    }

    /// The data centre with this name or alias, in any case. Refuses an unknown one and lists the known.
    public func named(_ name: String) throws(PushError) -> DataCenter {
        let wanted = name.lowercased()
        let found = all.first { centre in ([centre.name] + centre.aliases).contains { $0.lowercased() == wanted } }
        guard let found else {
            throw PushError(
                .misconfigured,
                "there is no data centre \(Redaction.quoted(name)); known are "
                    + all.map(\.name).joined(separator: ", "))
        }
        return found
    }

    /// The data centre that a selection means for a key.
    ///
    /// Costs no request, except for `.derived` with a resolver that asks. Refuses an unknown name, a key that the
    /// resolver does not know, and a centre outside `allowedRegions`, with `misconfigured`.
    /// - Parameter allowedRegions: ISO country codes; nil allows every region. A centre without a stated region is
    ///   refused when this is given.
    public func select(
        _ selection: DataCenterSelection, forKey key: String, allowedRegions: Set<String>? = nil
    ) async throws(PushError) -> DataCenter {
        let centre =
            switch selection {
            case .standard: standard
            case .named(let name): try named(name)
            case .custom(let centre): centre
            case .derived(let resolver): try await resolver.resolve(key: key, in: self).dataCenter
            }
        if let allowedRegions, !allowedRegions.contains(centre.region ?? "") {
            throw PushError(
                .misconfigured,
                "data centre \(Redaction.quoted(centre.name)) is in region \(centre.region ?? "unknown"), allowed are "
                    + allowedRegions.sorted().joined(separator: ", "))
        }
        return centre
    }
}

/// How to choose a data centre.
public enum DataCenterSelection: Sendable {
    /// The vendor's own default.
    case standard
    /// By name or alias: the `siteName` of device SDKs.
    case named(String)
    /// Addresses of the caller's own, for example a simulator's.
    case custom(DataCenter)
    /// From the app key.
    case derived(any DataCenterResolver)
}

/// Finds the data centre of an app key, before a provider exists.
public protocol DataCenterResolver: Sendable {
    /// Throws `misconfigured` when the key is known nowhere.
    func resolve(key: String, in catalog: DataCenterCatalog) async throws(PushError) -> DataCenterResolution
}

/// An answer of a resolver, and how sure it is.
public struct DataCenterResolution: Sendable {
    public enum Grade: String, Sendable, Hashable {
        /// The vendor documents it, or the operator of the table vouches for it.
        case stated
        /// A data centre accepted the key.
        case confirmed
        /// It fits what was seen, and may be wrong.
        case guessed
    }

    public var dataCenter: DataCenter
    public var grade: Grade

    public init(dataCenter: DataCenter, grade: Grade) {
        self.dataCenter = dataCenter
        self.grade = grade
    }
}

/// A resolver that reads a table of keys and prefixes of keys.
public struct DataCenterTable: DataCenterResolver {
    public struct Row: Sendable {
        public enum Match: Sendable, Hashable {
            case key(String)
            case prefix(String)
        }

        public var match: Match
        /// A name or alias of the catalog.
        public var dataCenter: String
        public var grade: DataCenterResolution.Grade

        public init(_ match: Match, _ dataCenter: String, _ grade: DataCenterResolution.Grade = .stated) {
            self.match = match
            self.dataCenter = dataCenter
            self.grade = grade
        }
    }

    private let rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    /// A whole key wins over a prefix, a longer prefix over a shorter one.
    public func resolve(
        key: String, in catalog: DataCenterCatalog
    ) async throws(PushError) -> DataCenterResolution {
        func strength(_ row: Row) -> Int? {
            switch row.match {
            case .key(let text): text == key ? Int.max : nil
            case .prefix(let text): key.hasPrefix(text) ? text.utf8.count : nil
            }
        }
        var best: (row: Row, strength: Int)?
        for row in rows {
            if let strength = strength(row), strength > best?.strength ?? -1 { best = (row, strength) }
        }
        guard let best else {
            throw PushError(
                .misconfigured,
                "the data-centre table has no row for this app key; add one or name the data centre")
        }
        return DataCenterResolution(dataCenter: try catalog.named(best.row.dataCenter), grade: best.row.grade)
    }
}
