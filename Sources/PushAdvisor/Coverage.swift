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
        /// The way to take if the best one fails; nil if there is only one. Of equal ways, one through a vendor that
        /// reaches most of the other parts too.
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
        let ways = population.parts.map { ($0, Way.all(to: $0, among: vendors)) }
        let reached = ways.flatMap { $0.1.map(\.vendor) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        routes = ways.map { part, ways in
            let second = ways.dropFirst().enumerated().min { left, right in
                let ranks = [left, right].map { index, way in
                    [way.unmetCount, way.note == nil ? 0 : 1, -reached[way.vendor, default: 0], index]
                }
                return ranks[0].lexicographicallyPrecedes(ranks[1])
            }
            return Route(part: part, ways: ways, second: second?.element)
        }
    }

    /// The vendors of the best ways.
    public var best: [ProviderID] {
        routes.compactMap(\.best?.vendor).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
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
