import FoundationEssentials
import PushAdapter
import PushRouter
import PushStoreConformance
import Testing

@Suite("The checks of a store of bindings")
struct BindingStoreTwins {
    @Test("a sound store passes", arguments: BindingStoreCheck.all)
    func sound(_ check: BindingStoreCheck) async throws { try await check.run(BrokenBindingStore(nil)) }

    @Test("each check finds a store that breaks its rule", arguments: BindingStoreCheck.all)
    func broken(_ check: BindingStoreCheck) async throws {
        let rule = try #require(BrokenBindingStore.Rule(rawValue: check.description), "no store breaks this rule")
        await #expect(throws: BindingStoreCheck.Failure.self) { try await check.run(BrokenBindingStore(rule)) }
    }
}

/// A store in memory that breaks one rule, or none.
actor BrokenBindingStore: BindingStore {
    /// The rule, named like the check that finds it.
    enum Rule: String {
        case fields = "bindings are found by user and by installation, with all their fields"
        case unknown = "unknown users and installations find nothing, nor does an empty list"
        case alone = "a binding without an installation stands alone, and only its user finds it"
        case kinds = "one text is a binding for each kind of target and for each route"
        case ways = "a route and a target find their binding and no other"
        case owner = "a binding replaces that of its route and target"
        case installation = "a binding replaces its installation's older one at that route"
        case again = "a binding that is reported again is there once, with its new date"
        case first = "the first acceptance is kept while the app reports the same binding"
        case inherited = "a new target of an installation has not been accepted"
        case coverage = "installations are counted by the routes that they have"
        case texts = "texts and dates come back as they were"
        case later = "bindings that were reported after the moment are not retired"
        case other = "a target that another user's app has reported since then stays"
        case missing = "missing bindings are not counted"
        case repeated = "a repeated binding is counted once"
        case revived = "a retired target can be bound again"
    }

    private let inner = MemoryBindingStore()
    private let rule: Rule?
    private var retired: Set<RoutedTarget.Way> = []

    init(_ rule: Rule?) { self.rule = rule }

    func bindings(of users: [UserID]) async -> [Binding] {
        let namesakes = rule == .unknown ? users.map { InstallationID($0.rawValue) } : []
        return await inner.bindings(of: users) + inner.bindings(ofInstallations: namesakes)
    }

    func bindings(ofInstallations installations: [InstallationID]) async -> [Binding] {
        await inner.bindings(ofInstallations: installations)
    }

    func bindings(at ways: [RoutedTarget.Way]) async -> [Binding] {
        guard rule == .ways else { return await inner.bindings(at: ways) }
        var found: [Binding] = []
        for way in ways { found += await inner.bindings(at: [way]) }
        return found
    }

    func bind(_ binding: Binding) async {
        var binding = binding
        let same = await inner.bindings(at: [binding.way]).first
        let older = await inner.bindings(ofInstallations: [binding.installation].compactMap { $0 })
            .first { $0.route == binding.route && $0.target != binding.target }
        switch rule {
        case .fields: binding.platform = nil
        case .alone: binding.installation = binding.installation ?? ""
        case .kinds: binding.target = .device(DeviceID(binding.target.text))
        case .owner: if let same, same.user != binding.user { return }
        case .installation: if older != nil { return }
        case .again: if same != nil { return }
        case .inherited: binding.acceptedAt = binding.acceptedAt ?? older?.acceptedAt
        case .texts:
            binding.boundAt = Date(timeIntervalSince1970: binding.boundAt.timeIntervalSince1970.rounded(.down))
        case .revived: if retired.contains(binding.way) { return }
        default: break
        }
        await inner.bind(binding)
    }

    func retire(_ retirements: [Retirement]) async -> Int {
        let isLate = rule == .later || rule == .other
        let count = await inner.retire(
            retirements.map { Retirement($0.way, unlessBoundAfter: isLate ? .distantFuture : $0.unlessBoundAfter) })
        retired.formUnion(retirements.map(\.way))
        return rule == .missing || rule == .repeated ? retirements.count : count
    }

    func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async {
        if rule != .first { await inner.noteAccepted(ways, at: date) }
    }

    func coverage(of from: RouteName, and to: RouteName) async -> RouteCoverage {
        await rule == .coverage ? inner.coverage(of: to, and: from) : inner.coverage(of: from, and: to)
    }
}
