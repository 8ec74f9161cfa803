public import FoundationEssentials
import PushAdapter

/// Stores bindings in memory, for tests and small programs.
public actor MemoryBindingStore: BindingStore {
    private var kept = Kept()

    /// Creates a store with these bindings. As with `bind`, later ones replace earlier ones.
    public init(_ bindings: [Binding] = []) {
        for binding in bindings { kept.add(binding) }
    }

    public func bindings(of users: [UserID]) -> [Binding] { users.flatMap { kept.list(kept.byUser[$0]) } }

    public func bindings(ofInstallations installations: [InstallationID]) -> [Binding] {
        installations.flatMap { kept.list(kept.byInstallation[$0]) }
    }

    public func bindings(at ways: [RoutedTarget.Way]) -> [Binding] { kept.list(Set(ways)) }

    public func bind(_ binding: Binding) { kept.add(binding) }

    public func retire(_ retirements: [Retirement]) -> Int {
        retirements.count { retirement in
            guard let kept = kept[retirement.way], kept.boundAt <= retirement.unlessBoundAfter else { return false }
            self.kept.remove(kept)
            return true
        }
    }

    public func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) {
        for way in ways { kept.noteAccepted(way, at: date) }
    }

    public func coverage(of from: RouteName, and to: RouteName) -> RouteCoverage { kept.coverage(from, to) }
}

/// All bindings, and an index by user and by installation.
private struct Kept {
    typealias Key = RoutedTarget.Way

    private var all: [Key: Binding] = [:]
    private(set) var byUser: [UserID: Set<Key>] = [:]
    private(set) var byInstallation: [InstallationID: Set<Key>] = [:]

    func list(_ keys: Set<Key>?) -> [Binding] { (keys ?? []).compactMap { all[$0] } }

    /// The stored binding with this route and target.
    subscript(way: Key) -> Binding? { all[way] }

    mutating func add(_ binding: Binding) {
        var binding = binding
        if let same = self[binding.way], same.installation == binding.installation {
            binding.acceptedAt = binding.acceptedAt ?? same.acceptedAt
        }
        remove(binding)
        if let installation = binding.installation {
            for other in list(byInstallation[installation])
            where other.route == binding.route || other.user != binding.user { remove(other) }
            byInstallation[installation, default: []].insert(binding.way)
        }
        all[binding.way] = binding
        byUser[binding.user, default: []].insert(binding.way)
    }

    mutating func remove(_ binding: Binding) {
        let key = binding.way
        guard let old = all.removeValue(forKey: key) else { return }
        byUser[old.user] = byUser[old.user]?.without(key)
        guard let installation = old.installation else { return }
        byInstallation[installation] = byInstallation[installation]?.without(key)
    }

    mutating func noteAccepted(_ key: Key, at date: Date) {
        if all[key]?.acceptedAt == nil { all[key]?.acceptedAt = date }
    }

    func coverage(_ from: RouteName, _ to: RouteName) -> RouteCoverage {
        var coverage = RouteCoverage(onlyFrom: 0, both: 0, onlyTo: 0)
        func count(_ routes: Set<RouteName>) {
            switch (routes.contains(from), routes.contains(to)) {
            case (true, true): coverage.both += 1
            case (true, false): coverage.onlyFrom += 1
            case (false, true): coverage.onlyTo += 1
            case (false, false): break
            }
        }
        for keys in byInstallation.values { count(Set(keys.map(\.route))) }
        for binding in all.values where binding.installation == nil { count([binding.route]) }
        return coverage
    }
}

extension Set {
    /// The set without an element; nil if it would be empty.
    fileprivate func without(_ element: Element) -> Set? {
        let rest = subtracting([element])
        return rest.isEmpty ? nil : rest
    }
}
