public import FoundationEssentials
import PushAdapter

/// Stores a backend's bindings, in its own database or in a store of this library.
///
/// A route and a target identify a binding. An installation has at most one binding at a route. Lists have at most
/// 1,000 items. Keep dates to the millisecond or better. `BindingStoreCheck` of the module PushStoreConformance checks
/// a store of your own.
public protocol BindingStore: Sendable {
    /// Returns the bindings of these users, in any order. A user without bindings adds nothing.
    func bindings(of users: [UserID]) async throws -> [Binding]
    /// Returns the bindings of these installations, in any order.
    func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding]
    /// Returns the bindings of these routes and targets, in any order.
    func bindings(at ways: [RoutedTarget.Way]) async throws -> [Binding]
    /// Stores a binding. It replaces the binding with its route and target, and its installation's other binding at
    /// that route. It also replaces its installation's bindings of other users, because the phone has changed hands. If
    /// the route, the target and the installation are the same, the old `acceptedAt` stays unless the new binding has
    /// one.
    func bind(_ binding: Binding) async throws
    /// Removes bindings and returns their number. Keeps each that was reported again after a moment: a target that
    /// registered again is alive, whatever the vendor said before. Does not count missing bindings, and counts repeated
    /// ones once.
    func retire(_ retirements: [Retirement]) async throws -> Int
    /// Records that their vendor accepted a message, for those bindings that have no `acceptedAt` yet.
    func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws
    /// Counts the installations with a binding at one of these routes or at both. A binding without an installation
    /// counts as an installation.
    func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage
}

/// The removal of a binding, unless the app reported it again.
public struct Retirement: Sendable, Hashable {
    /// The route and the target of the binding.
    public var way: RoutedTarget.Way
    /// The binding stays if it was reported after this moment.
    public var unlessBoundAfter: Date

    /// Removes the binding of this route and target unless it has a later date.
    public init(_ way: RoutedTarget.Way, unlessBoundAfter: Date) {
        self.way = way
        self.unlessBoundAfter = unlessBoundAfter
    }
}

/// The number of installations that each route can reach, which shows how far a migration can go.
public struct RouteCoverage: Sendable, Hashable {
    /// Installations that only the old route can reach.
    public var onlyFrom: Int
    /// Installations that both routes can reach.
    public var both: Int
    /// Installations that only the new route can reach.
    public var onlyTo: Int

    /// Creates the coverage from these numbers of installations.
    public init(onlyFrom: Int, both: Int, onlyTo: Int) {
        self.onlyFrom = onlyFrom
        self.both = both
        self.onlyTo = onlyTo
    }
}
