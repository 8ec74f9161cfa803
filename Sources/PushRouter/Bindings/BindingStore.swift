public import FoundationEssentials
import PushAdapter

/// Where a backend keeps its bindings: its own database, or a store of this library.
///
/// A route and a target name one binding, and an installation has one binding at a route. Lists have at most 1,000 items.
public protocol BindingStore: Sendable {
    /// The bindings of these users, in any order; a user without any has none in the result.
    func bindings(of users: [UserID]) async throws -> [Binding]
    /// The bindings of these installations, in any order.
    func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding]
    /// Keeps a binding in place of the one with its route and target, of its installation's other one at that route, and of
    /// its installation's bindings of other users: the phone has changed hands.
    /// One with the same route, target and installation keeps its `acceptedAt`, if the new one has none.
    func bind(_ binding: Binding) async throws
    /// Removes bindings, each unless it was reported again after a moment, and returns how many. A target that registered
    /// again is alive, whatever the vendor said before. A binding that is gone, or is given twice, counts once or not at all.
    func retire(_ retirements: [Retirement]) async throws -> Int
    /// Notes for those bindings that have no `acceptedAt` yet that their vendor accepted a message.
    func noteAccepted(_ bindings: [Binding], at date: Date) async throws
    /// How many installations have a binding at one of these routes, or at both. A binding without an installation stands
    /// alone.
    func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage
}

/// A binding that goes, unless it was reported again.
public struct Retirement: Sendable, Hashable {
    /// What is removed: the binding with its route and target.
    public var binding: Binding
    /// A binding that was reported after this moment stays.
    public var unlessBoundAfter: Date

    /// A binding that goes unless the store has it with a later date.
    public init(_ binding: Binding, unlessBoundAfter: Date) {
        self.binding = binding
        self.unlessBoundAfter = unlessBoundAfter
    }
}

/// How far a migration can go: who has a binding where.
public struct RouteCoverage: Sendable, Hashable {
    /// Installations that the old route alone can reach.
    public var onlyFrom: Int
    /// Those that both can.
    public var both: Int
    /// Those that the new route alone can.
    public var onlyTo: Int

    /// These numbers of installations.
    public init(onlyFrom: Int, both: Int, onlyTo: Int) {
        self.onlyFrom = onlyFrom
        self.both = both
        self.onlyTo = onlyTo
    }
}
