public import PushAdapter

/// The vendors that together reach a population.
///
/// ```swift
/// let coverage = Coverage(of: population, by: profiles)
/// for choice in coverage.choices { print(choice.part.platform, choice.best?.vendor ?? "not reached") }
/// print(coverage.fewest)
/// ```
public struct Coverage: Sendable {
    /// The vendors to choose from for one part of the population.
    public struct Choice: Sendable {
        /// The part.
        public let part: Population.Part
        /// The vendors that reach it, best first; empty if none does.
        public let options: [Option]
        /// The vendor to take if the best one fails; nil if there is only one. Of those with the fewest unmet needs, the
        /// vendor that reaches the most parts, then one that is the best of another part.
        public let second: Option?

        /// The vendor that suits the part best; nil if none reaches it.
        public var best: Option? { options.first }
        /// Whether the part has a vendor for its devices only.
        public var hasOwnVendor: Bool { options.contains { $0.distance == .own } }

        /// The vendors that leave no more needs unmet than the best one.
        fileprivate var equals: [ProviderID] {
            options.filter { $0.unmetCount == best?.unmetCount && ($0.note == nil || best?.note != nil) }.map(\.vendor)
        }
    }

    /// One for each part, in the population's order.
    public let choices: [Choice]

    /// Finds which of these vendors reach which part of a population. Makes no request.
    public init(of population: Population, by vendors: [VendorProfile]) {
        let options = population.parts.map { Option.all(to: $0, among: vendors) }
        let reached = options.joined().reduce(into: [:]) { $0[$1.vendor, default: 0] += 1 }
        let taken = Set(options.compactMap(\.first?.vendor))
        choices = zip(population.parts, options).map { part, options in
            let rest = options.dropFirst().enumerated().map { index, option in
                let parts = reached[option.vendor, default: 0]
                let isNew = !taken.contains(option.vendor)
                return (option, [option.unmetCount, option.note == nil ? 0 : 1, -parts, isNew ? 1 : 0, index])
            }
            return Choice(part: part, options: options, second: rest.min { $0.1.lexicographicallyPrecedes($1.1) }?.0)
        }
    }

    /// The best vendor of each part.
    public var best: [ProviderID] {
        var vendors: [ProviderID] = []
        for vendor in choices.compactMap(\.best?.vendor) where !vendors.contains(vendor) { vendors.append(vendor) }
        return vendors
    }

    /// The fewest vendors that reach every part that is reached at all, and leave no more needs unmet than the best
    /// ones.
    public var fewest: [ProviderID] {
        let lists = choices.map(\.equals).filter { !$0.isEmpty }
        return (0...lists.count).lazy.compactMap { Self.choose(atMost: $0, of: lists, []) }.first ?? []
    }

    /// Adds vendors until there is one of each list; nil if there are more than the number.
    private static func choose(
        atMost number: Int, of lists: [[ProviderID]], _ chosen: [ProviderID]
    ) -> [ProviderID]? {
        guard let open = lists.first(where: { Set($0).isDisjoint(with: chosen) }) else { return chosen }
        guard chosen.count < number else { return nil }
        return open.lazy.compactMap { choose(atMost: number, of: lists, chosen + [$0]) }.first
    }
}

extension Coverage.Option {
    fileprivate var unmetCount: Int { candidate.assessment.unmetCount }
    fileprivate var note: String? { candidate.vendor.note }
}
