public import PushAdapter

/// A backend's needs, to compare with the capabilities of vendors.
///
/// ```swift
/// let requirements = try Requirements(["alias", "tags-per-device=500", "live-activity"], region: "eu")
/// let assessment = requirements.assess(client.capabilities, in: EngageLab.dataCenters)
/// print(assessment.isMet, assessment.findings)
/// ```
public struct Requirements: Sendable, Hashable {
    /// One thing that a vendor has or lacks.
    public enum Need: Sendable, Hashable {
        /// A feature of the model, or, in code, of one adapter.
        case feature(Feature)
        /// A limit of at least this number.
        case limit(LimitKey, atLeast: Int)
        /// An alias that several devices have, or that one device has.
        case aliasSharing(Capabilities.AliasSharing)
        /// Pushes that can be retried without reaching anyone twice.
        case idempotencyKeys
        /// A field of messages that the vendor has a use for.
        case field(MessageField)
    }

    /// One requested thing, which may take several needs.
    public struct Item: Sendable, Hashable {
        /// As requested: `alias`, `tags-per-device=500`.
        public var name: String
        /// Everything that it takes.
        public var needs: [Need]

        /// A thing by its name and all that it takes.
        public init(_ name: String, _ needs: [Need]) {
            self.name = name
            self.needs = needs
        }
    }

    /// Everything that is requested.
    public var items: [Item]
    /// Countries where the data may be, as ISO codes in capitals; nil for anywhere.
    public var regions: Set<String>?

    /// Things that are needed, and the countries where the data may be, as ISO codes; nil for anywhere.
    public init(_ items: [Item], regions: Set<String>? = nil) {
        self.items = items
        self.regions = regions.map { Set($0.map { $0.uppercased() }) }
    }

    /// Needs in words, and a region: an ISO country code, or a word of `Region.words`.
    ///
    /// A need is a word of ``words``, or the name of a feature of the model such as `tags.replace`. A need with a
    /// number is a word of ``limitWords`` or the name of a limit: `tags-per-device=500`. Refuses anything else with
    /// `invalidArgument`.
    public init(_ texts: [String], region: String? = nil) throws(PushError) {
        var items: [Item] = []
        for text in texts where !items.contains(where: { $0.name == text }) {
            items.append(Item(text, try Self.needs(text)))
        }
        self.init(items, regions: try region.map { (text) throws(PushError) in try Region.countries(of: text) })
    }

    /// Checks the needs against a client's capabilities and its vendor's data centers.
    /// - Parameters:
    ///   - capabilities: `client.capabilities`, which has the emulations.
    ///   - dataCenters: the vendor's; without them, the region is not assessed.
    public func assess(_ capabilities: Capabilities, in dataCenters: DataCenterCatalog? = nil) -> Assessment {
        let centers = dataCenters.flatMap { catalog in
            regions.map { regions in catalog.all.filter { regions.contains($0.region ?? "") } }
        }
        let findings = items.flatMap { item in
            item.needs.map { Assessment.Finding(item: item.name, need: $0, verdict: verdict($0, capabilities)) }
        }
        return Assessment(findings: findings, dataCenters: centers)
    }

    private func verdict(_ need: Need, _ capabilities: Capabilities) -> Assessment.Verdict {
        switch need {
        case .feature(let feature):
            switch capabilities[feature] {
            case .native: return .met
            case .emulated(let recipe): return .emulated(recipe)
            case .unsupported(let reason): return .unmet(reason)
            }
        case .limit(let limit, let number):
            // Limits of unsupported features do not count.
            let subject = LimitKey.model.first { $0.limit == limit }?.feature ?? .send
            if case .unsupported(let reason) = capabilities[subject] { return .unmet(reason) }
            guard let bound = capabilities.limits[limit] else { return .unstated }
            guard number > bound.maximum else { return .met }
            guard bound.overflow != .split else {
                let requests = (number - 1) / max(1, bound.maximum) + 1
                return .emulated(
                    Recipe(
                        .faithful, isAtomic: false, requests: requests,
                        caveat: "\(bound.maximum) per request; the client makes several"))
            }
            return .unmet("at most \(bound.summary) (\(bound.source))")
        case .aliasSharing(let wanted):
            if case .unsupported(let reason) = capabilities[.setAlias] { return .unmet(reason) }
            if capabilities.aliasSharing == .unstated { return .unstated }
            return capabilities.aliasSharing == wanted
                ? .met : .unmet("an alias is for \(capabilities.aliasSharing.summary)")
        case .idempotencyKeys:
            return Self.verdict(on: capabilities.keyGrade(for: .push))
        case .field(let field):
            let summary = capabilities.summary(of: field)
            return summary == "yes" ? .met : .unmet(summary)
        }
    }
}

extension Requirements {
    /// Whether a push may be repeated after a lost response.
    fileprivate static func verdict(on grade: KeyMemory.Grade?) -> Assessment.Verdict {
        guard let grade else { return .unmet("pushes have no idempotency keys: no retry after a lost response") }
        return switch grade {
        case .vendor: .met
        case .target, .device:
            .emulated(
                Recipe(
                    .lossy, isAtomic: true, requests: 1,
                    caveat: "\(grade.summary); the client repeats only if your retry policy accepts the grade"))
        case .unproven: .unstated
        }
    }
}

extension Requirements.Need: CustomStringConvertible {
    /// For people: "tags of a device: 500".
    public var description: String {
        switch self {
        case .feature(let feature): Feature.model.first { $0.feature == feature }?.label ?? feature.rawValue
        case .limit(let limit, let number):
            (LimitKey.model.first { $0.limit == limit }?.label ?? limit.rawValue) + ": \(number)"
        case .aliasSharing(.one): "an alias for one device"
        case .aliasSharing: "an alias for several devices"
        case .idempotencyKeys: "idempotency keys"
        case .field(let field): "the message field \(field)"
        }
    }
}
