public import PushAdapter

/// The vendors that together reach a population.
///
/// ```swift
/// let coverage = Coverage(of: population, by: profiles)
/// for route in coverage.routes { print(route.part.platform, route.best?.vendor ?? "not reached") }
/// print(coverage.fewest)
/// ```
public struct Coverage: Sendable {
    /// The ways to one part of the population.
    public struct Route: Sendable {
        /// The part.
        public let part: Population.Part
        /// The vendors that reach it, best first; empty if none does.
        public let ways: [Way]
        /// The way to take if the best one fails; nil if there is only one. Of those with the fewest unmet needs, the vendor
        /// that reaches the most parts, then one that is the best way of another part.
        public let second: Way?

        /// The way that suits the part best; nil if no vendor reaches it.
        public var best: Way? { ways.first }
        /// Whether the part has a vendor for its devices only.
        public var hasOwnVendor: Bool { ways.contains { $0.distance == .own } }

        /// The vendors that leave no more needs unmet than the best way.
        fileprivate var equals: [ProviderID] {
            ways.filter { $0.unmetCount == best?.unmetCount && ($0.note == nil || best?.note != nil) }.map(\.vendor)
        }
    }

    /// One for each part, in the population's order.
    public let routes: [Route]

    /// Finds the ways to a population through these vendors. Makes no request.
    public init(of population: Population, by vendors: [VendorProfile]) {
        let ways = population.parts.map { Way.all(to: $0, among: vendors) }
        let reached = ways.joined().reduce(into: [:]) { $0[$1.vendor, default: 0] += 1 }
        let taken = Set(ways.compactMap(\.first?.vendor))
        routes = zip(population.parts, ways).map { part, ways in
            let rest = ways.dropFirst().enumerated().map { index, way in
                let parts = reached[way.vendor, default: 0]
                let isNew = !taken.contains(way.vendor)
                return (way, [way.unmetCount, way.note == nil ? 0 : 1, -parts, isNew ? 1 : 0, index])
            }
            return Route(part: part, ways: ways, second: rest.min { $0.1.lexicographicallyPrecedes($1.1) }?.0)
        }
    }

    /// The vendors of the best ways.
    public var best: [ProviderID] {
        var vendors: [ProviderID] = []
        for route in routes {
            if let vendor = route.best?.vendor, !vendors.contains(vendor) { vendors.append(vendor) }
        }
        return vendors
    }

    /// The fewest vendors that reach every part that is reached at all, and leave no more needs unmet than the best ways.
    public var fewest: [ProviderID] {
        let choices = routes.map(\.equals).filter { !$0.isEmpty }
        let sizes = 0...choices.count
        return sizes.lazy.compactMap { Self.choose($0, of: choices, []) }.first ?? []
    }

    /// At most so many vendors, at least one of each list; nil if more are needed.
    private static func choose(_ size: Int, of choices: [[ProviderID]], _ chosen: [ProviderID]) -> [ProviderID]? {
        guard let open = choices.first(where: { Set($0).isDisjoint(with: chosen) }) else { return chosen }
        guard chosen.count < size else { return nil }
        return open.lazy.compactMap { choose(size, of: choices, chosen + [$0]) }.first
    }
}

extension Way {
    fileprivate var unmetCount: Int { candidate.assessment.unmetCount }
    fileprivate var note: String? { candidate.vendor.note }
}
