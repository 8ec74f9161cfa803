/// What a backend needs of a vendor, to be held against what vendors declare.
///
/// ```swift
/// let requirements = try Requirements(["alias", "tags-per-device=500", "live-activity"], region: "eu")
/// let assessment = requirements.assess(client.capabilities, in: EngageLab.dataCenters)
/// print(assessment.isMet, assessment.findings)
/// ```
public struct Requirements: Sendable, Hashable {
    /// One thing that a vendor has or has not.
    public enum Need: Sendable, Hashable {
        /// A feature of the model, or, in code, of one adapter.
        case feature(Feature)
        /// A limit that is at least so high.
        case limit(Limit, atLeast: Int)
        /// An alias that several devices have, or that one device has.
        case aliasSharing(Capabilities.AliasSharing)
        /// Pushes that can be repeated without reaching anybody twice.
        case idempotencyKeys
    }

    /// One thing that was asked for, which may take several of a vendor's.
    public struct Item: Sendable, Hashable {
        /// As it was asked for: `alias`, `tags-per-device=500`.
        public var name: String
        /// Everything that it takes.
        public var needs: [Need]

        /// A thing by its name and all that it takes.
        public init(_ name: String, _ needs: [Need]) {
            self.name = name
            self.needs = needs
        }
    }

    /// Everything that is asked for.
    public var items: [Item]
    /// Countries where the data may be, as ISO codes in capitals; nil for anywhere.
    public var regions: Set<String>?

    /// Things that are needed, and the countries where the data may be, as ISO codes; nil for anywhere.
    public init(_ items: [Item], regions: Set<String>? = nil) {
        self.items = items
        self.regions = regions.map { Set($0.map { $0.uppercased() }) }
    }

    /// Needs in words, and a region: an ISO country code, or a word of ``regionWords``.
    ///
    /// A need is a word of ``words``, the name of a feature of the model such as `tags.replace`, or a number behind a
    /// word of ``limitWords`` or the name of a limit: `tags-per-device=500`. Refuses any other with `invalidArgument`.
    public init(_ texts: [String], region: String? = nil) throws(PushError) {
        var items: [Item] = []
        for text in texts where !items.contains(where: { $0.name == text }) {
            items.append(Item(text, try Self.needs(text)))
        }
        self.init(items, regions: try region.map { (text) throws(PushError) in try Self.countries(text) })
    }

    /// Holds the needs against what a client can do and where its vendor keeps apps.
    /// - Parameters:
    ///   - capabilities: `client.capabilities`, which has the emulations.
    ///   - dataCenters: the vendor's; without them no region is assessed.
    public func assess(_ capabilities: Capabilities, in dataCenters: DataCenterCatalog? = nil) -> Assessment {
        let centres = dataCenters.flatMap { catalog in
            regions.map { regions in catalog.all.filter { regions.contains($0.region ?? "") } }
        }
        let findings = items.flatMap { item in
            item.needs.map { Assessment.Finding(item: item.name, need: $0, verdict: verdict($0, capabilities)) }
        }
        return Assessment(findings: findings, dataCenters: centres)
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
            // A limit of what the vendor has not is no promise.
            let subject = Limit.model.first { $0.limit == limit }?.feature ?? .send
            if case .unsupported(let reason) = capabilities[subject] { return .unmet(reason) }
            guard let bound = capabilities.limits[limit] else { return .unstated }
            guard number > bound.maximum else { return .met }
            guard bound.overflow != .split else {
                let requests = (number - 1) / max(1, bound.maximum) + 1
                return .emulated(
                    Recipe(
                        .faithful, isAtomic: false, requests: requests,
                        caveat: "\(bound.maximum) in a request; the client makes several"))
            }
            let unit = bound.unit == .count ? "" : " " + bound.unit.plural
            return .unmet("at most \(bound.maximum)\(unit) (\(bound.source))")
        case .aliasSharing(let wanted):
            if case .unsupported(let reason) = capabilities[.setAlias] { return .unmet(reason) }
            if capabilities.aliasSharing == .unstated { return .unstated }
            let has = capabilities.aliasSharing == .one ? "one device" : "several devices"
            return capabilities.aliasSharing == wanted ? .met : .unmet("an alias is for \(has)")
        case .idempotencyKeys:
            return capabilities.takesKeys(for: .push)
                ? .met : .unmet("pushes have no idempotency keys: one whose answer was lost is not repeated")
        }
    }
}

// MARK: Words

extension Requirements {
    /// What people call things, and the needs behind it.
    public static let words: [(word: String, needs: [Need])] = [
        ("tags", features(.addTags, .removeTags, .audienceTagsAnyOf)),
        ("read-tags", features(.readTags)),
        ("replace-tags", features(.replaceTags)),
        ("alias", features(.setAlias, .removeAlias, .audienceAliases)),
        ("shared-alias", [.aliasSharing(.several)]),
        ("own-alias", [.aliasSharing(.one)]),
        ("accounts", features(.addAccounts, .removeAccounts, .audienceAccounts)),
        ("attributes", features(.addAttributes, .removeAttributes)),
        ("phone", features(.setPhone, .removePhone)),
        ("custom-message", features(.contentCustom)),
        ("live-activity", features(.contentLiveActivity)),
        ("voip", features(.contentVoIP)),
        ("badge", features(.contentBadgeArithmetic)),
        ("segments", features(.audienceSegment)),
        ("validation", features(.validate)),
        ("schedules", features(.createSchedule, .removeSchedule, .scheduleOnce)),
        ("recurring-schedules", features(.createSchedule, .scheduleRecurring)),
        ("reports", features(.readDeliveries)),
        ("idempotency", [.idempotencyKeys]),
    ]

    /// What people call limits.
    public static let limitWords: [(word: String, limit: Limit)] = [
        ("tags-per-device", .tagsPerDevice), ("tag-length", .tagLength), ("alias-length", .aliasLength),
        ("devices-per-alias", .devicesPerAlias), ("devices-per-request", .devicesPerSend),
        ("aliases-per-request", .aliasesPerSend), ("tags-per-audience", .tagsPerSend),
        ("attributes-per-device", .attributesPerDevice), ("schedules", .schedules),
        ("seconds-to-live", .timeToLive), ("seconds-ahead", .scheduleHorizon),
    ]

    /// Regions of several countries, by ISO codes.
    public static let regionWords: [(word: String, countries: Set<String>)] = [
        (
            "eu",
            [
                "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT",
                "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
            ]
        )
    ]

    private static func features(_ features: Feature...) -> [Need] { features.map { .feature($0) } }

    private static func needs(_ text: String) throws(PushError) -> [Need] {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 {
            let limit =
                limitWords.first { $0.word == parts[0] }?.limit
                ?? Limit.model.first { $0.limit.rawValue == parts[0] }?.limit
            guard let limit else {
                throw unknown(text, "the limits \(limitWords.map(\.word).joined(separator: ", "))")
            }
            guard let number = Int(parts[1]), number > 0 else {
                throw PushError(
                    .invalidArgument, "the need \(Redaction.quoted(text)) has no number from 1 to \(Int.max)")
            }
            return [.limit(limit, atLeast: number)]
        }
        if let known = words.first(where: { $0.word == text }) { return known.needs }
        if limitWords.contains(where: { $0.word == text }) {
            throw PushError(.invalidArgument, "the need \(text) wants a number: \(text)=N")
        }
        guard Feature.model.contains(where: { $0.feature.rawValue == text }) else {
            throw unknown(text, words.map(\.word).joined(separator: ", ") + ", a feature such as tags.replace")
        }
        return [.feature(Feature(text))]
    }

    private static func unknown(_ text: String, _ known: String) -> PushError {
        PushError(.invalidArgument, "nobody knows the need \(Redaction.quoted(text)); known are \(known)")
    }

    /// The countries of a region, as ISO codes in capitals: those of a word of ``regionWords``, or the one of a code.
    ///
    /// Refuses with `invalidArgument` what is neither; whether there is such a country is not looked at.
    public static func countries(_ text: String) throws(PushError) -> Set<String> {
        if let known = regionWords.first(where: { $0.word == text.lowercased() }) { return known.countries }
        guard text.utf8.count == 2, text.utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }) else {
            throw PushError(
                .invalidArgument,
                "the region \(Redaction.quoted(text)) is no country code such as SG, nor "
                    + regionWords.map(\.word).joined(separator: ", "))
        }
        return [text.uppercased()]
    }
}

extension Requirements.Need: CustomStringConvertible {
    /// For people: "tags of a device: 500".
    public var description: String {
        switch self {
        case .feature(let feature): Feature.model.first { $0.feature == feature }?.label ?? feature.rawValue
        case .limit(let limit, let number):
            (Limit.model.first { $0.limit == limit }?.label ?? limit.rawValue) + ": \(number)"
        case .aliasSharing(.one): "an alias for one device"
        case .aliasSharing: "an alias for several devices"
        case .idempotencyKeys: "idempotency keys"
        }
    }
}

/// How a vendor meets requirements.
public struct Assessment: Sendable, Hashable {
    /// How one need is met.
    public enum Verdict: Sendable, Hashable {
        /// By the vendor itself.
        case met
        /// By the client, from other requests: at a cost, and perhaps a loss.
        case emulated(Recipe)
        /// The vendor does not say, so nothing is refused here.
        case unstated
        /// Not at all, and why.
        case unmet(String)
    }

    /// A need and how it is met.
    public struct Finding: Sendable, Hashable {
        /// The name of the item that the need is of.
        public var item: String
        /// What is needed.
        public var need: Requirements.Need
        /// How it is met.
        public var verdict: Verdict
    }

    /// In the order of the needs.
    public var findings: [Finding]
    /// The vendor's data centres in the region; nil when none was asked for.
    public var dataCenters: [DataCenter]?

    /// Things asked for that are not met, a region without a data centre among them.
    public var unmetCount: Int { cost[0] }
    /// Things asked for of which the vendor does not say enough, and that are not unmet.
    public var unstatedCount: Int {
        let unmet = items { if case .unmet = $0 { true } else { false } }
        return items { $0 == .unstated }.subtracting(unmet).count
    }
    /// Whether nothing is unmet and there is a data centre in the region.
    public var isMet: Bool { unmetCount == 0 }

    /// Whether this vendor suits better: fewer things unmet, then fewer with a loss, fewer that the vendor says nothing
    /// of, fewer that the client makes, and fewer requests.
    public func isBetter(than other: Assessment) -> Bool { cost.lexicographicallyPrecedes(other.cost) }

    /// Things unmet, lossy, unstated, emulated, and requests; less is better, and the first counts most. A thing that
    /// takes several needs counts once.
    private var cost: [Int] {
        var requests = 0
        for case .emulated(let recipe) in findings.map(\.verdict) {
            let (sum, isTooBig) = requests.addingReportingOverflow(recipe.requests)
            requests = isTooBig ? .max : sum
        }
        return [
            items { if case .unmet = $0 { true } else { false } }.count + (dataCenters?.isEmpty == true ? 1 : 0),
            items { if case .emulated(let recipe) = $0 { recipe.fidelity == .lossy } else { false } }.count,
            items { $0 == .unstated }.count,
            items { if case .emulated = $0 { true } else { false } }.count,
            requests,
        ]
    }

    /// The things of which a need has such a verdict.
    private func items(_ isWanted: (Verdict) -> Bool) -> Set<String> {
        Set(findings.filter { isWanted($0.verdict) }.map(\.item))
    }
}
