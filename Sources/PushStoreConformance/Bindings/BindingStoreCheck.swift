import FoundationEssentials
import PushCore
public import PushRouter

/// A rule that every store of bindings must follow.
public typealias BindingStoreCheck = StoreCheck<any BindingStore>

extension BindingStoreCheck {
    /// Every check.
    public static var all: [BindingStoreCheck] { finding + replacing + accepting + retiring }

    // MARK: Fixtures

    static var start: Date { Date(timeIntervalSince1970: 1_790_000_000) }

    /// - Parameter age: how many seconds before the start the app reported it.
    static func binding(
        _ user: UserID, _ installation: InstallationID?, _ route: RouteName, _ device: String,
        platform: Platform? = nil, age: Double = 0
    ) -> Binding {
        Binding(
            user: user, installation: installation, route: route, target: .device(DeviceID(device)),
            platform: platform, boundAt: start.addingTimeInterval(-age))
    }

    /// The users have exactly these bindings, each once.
    static func expect(_ store: any BindingStore, _ expected: Set<Binding>, of users: [UserID]) async throws {
        try expect(try await store.bindings(of: users), expected)
    }

    /// The installations have exactly these bindings, each once.
    static func expect(
        _ store: any BindingStore, _ expected: Set<Binding>, at installations: [InstallationID]
    ) async throws {
        try expect(try await store.bindings(ofInstallations: installations), expected)
    }

    /// The store retires this many.
    static func expect(
        _ store: any BindingStore, _ count: Int, retiring dead: [Binding], unlessBoundAfter moment: Date
    ) async throws {
        let retired = try await store.retire(dead.map { Retirement($0.way, unlessBoundAfter: moment) })
        try expect(retired == count, "it retired \(retired) of \(count)")
    }

    /// These are exactly the bindings, each once.
    static func expect(_ found: [Binding], _ expected: Set<Binding>) throws {
        try expect(
            Set(found) == expected && found.count == expected.count,
            "it found \(found.map(\.whole)), and not \(expected.map(\.whole))")
    }
}

extension Binding {
    /// All fields. The bindings of the checks hold nothing secret.
    fileprivate var whole: String {
        let accepted = acceptedAt.map { ", accepted \($0.timeIntervalSince1970)" } ?? ""
        return "\(user.rawValue), \(installation?.rawValue ?? "-"), \(route.rawValue), \(target.text), "
            + "\(platform?.rawValue ?? "-"), bound \(boundAt.timeIntervalSince1970)\(accepted)"
    }
}
