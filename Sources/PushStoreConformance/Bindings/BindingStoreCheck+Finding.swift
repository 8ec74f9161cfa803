import FoundationEssentials
import PushCore
import PushRouter

extension BindingStoreCheck {
    /// Bindings that are found by user, by installation, or by route and target.
    static var finding: [BindingStoreCheck] {
        [
            BindingStoreCheck("bindings are found by user and by installation, with all their fields") { store in
                var first = binding("ann", "phone", "a", "device-1", platform: .ios, age: 60)
                first.target = .account(Account(name: "ann@example.com", type: 7))
                let second = binding("ann", "tablet", "b", "device-2", platform: "watch")
                let third = binding("bob", "desk", "a", "device-3")
                for binding in [first, second, third] { try await store.bind(binding) }
                try await expect(store, [first, second], of: ["ann"])
                try await expect(store, [first, second, third], of: ["bob", "ann"])
                try await expect(store, [first], at: ["phone"])
                try await expect(store, [second, third], at: ["desk", "tablet"])
            },
            BindingStoreCheck("unknown users and installations find nothing, nor does an empty list") { store in
                let binding = binding("ann", "phone", "a", "device-1")
                try await store.bind(binding)
                try await expect(store, [], of: ["nobody"])
                try await expect(store, [], at: ["nothing"])
                try await expect(store, [], of: [])
                try await expect(store, [], at: [])
                // A user's name is not an installation's name.
                try await expect(store, [], of: ["phone"])
                try await expect(store, [], at: ["ann"])
                try await expect(store, [binding], of: ["nobody", "ann"])
            },
            BindingStoreCheck("a binding without an installation stands alone, and only its user finds it") { store in
                let one = binding("ann", nil, "a", "device-1")
                let two = binding("ann", nil, "a", "device-2")
                try await store.bind(one)
                try await store.bind(two)
                try await expect(store, [one, two], of: ["ann"])
                try await expect(store, [], at: ["", "device-1"])
            },
            BindingStoreCheck("one text is a binding for each kind of target and for each route") { store in
                let device = binding("ann", nil, "a", "same")
                var (alias, account, elsewhere) = (device, device, device)
                alias.target = .alias("same")
                account.target = .account(Account(name: "same"))
                elsewhere.route = "b"
                for binding in [device, alias, account, elsewhere] { try await store.bind(binding) }
                try await expect(store, [device, alias, account, elsewhere], of: ["ann"])
            },
            BindingStoreCheck("a route and a target find their binding and no other") { store in
                let bindings = [
                    binding("ann", "phone", "a", "device-1"), binding("ann", "phone", "b", "device-1"),
                    binding("bob", nil, "a", "device-2"),
                ]
                for binding in bindings { try await store.bind(binding) }
                let strangers = [
                    RoutedTarget.Way(.device("device-2"), at: "b"), RoutedTarget.Way(.alias("device-1"), at: "a"),
                    RoutedTarget.Way(.account(Account(name: "device-1", type: 0)), at: "a"),
                ]
                let found = try await store.bindings(
                    at: strangers + [bindings[2].way, bindings[0].way, bindings[0].way])
                try expect(found, [bindings[0], bindings[2]])
                try expect(try await store.bindings(at: []).isEmpty, "an empty list finds nothing")
            },
        ]
    }
}
