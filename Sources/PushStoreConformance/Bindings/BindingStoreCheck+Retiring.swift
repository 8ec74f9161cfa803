import FoundationEssentials
import PushCore
import PushRouter

extension BindingStoreCheck {
    /// Bindings that are removed, and those that stay.
    static var retiring: [BindingStoreCheck] {
        [
            BindingStoreCheck("bindings that were reported after the moment are not retired") { store in
                let old = binding("ann", "phone", "a", "device-1", age: 60)
                let then = binding("ann", "tablet", "a", "device-2", age: 30)
                let new = binding("ann", "desk", "a", "device-3", age: 29)
                let spared = binding("ann", "phone", "b", "device-1", age: 60)
                for binding in [old, then, new, spared] { try await store.bind(binding) }
                let moment = start.addingTimeInterval(-30)
                try await expect(store, 2, retiring: [old, then, new], unlessBoundAfter: moment)
                try await expect(store, [new, spared], of: ["ann"])
                try await expect(store, [new, spared], at: ["phone", "tablet", "desk"])
                try await expect(store, 0, retiring: [old, then, new], unlessBoundAfter: moment)
            },
            BindingStoreCheck("a target that another user's app has reported since then stays") { store in
                let dead = binding("ann", "phone", "a", "device-1", age: 60)
                try await store.bind(dead)
                let again = binding("bob", "phone", "a", "device-1", age: 10)
                try await store.bind(again)
                let moment = start.addingTimeInterval(-30)
                try await expect(store, 0, retiring: [dead], unlessBoundAfter: moment)
                try await expect(store, [again], of: ["bob"])
            },
            BindingStoreCheck("missing bindings are not counted") { store in
                let known = binding("ann", "phone", "a", "device-1", age: 60)
                try await store.bind(known)
                let unknown = [
                    binding("ann", "phone", "b", "device-1", age: 60),
                    binding("ann", "phone", "a", "device-2", age: 60),
                ]
                try await expect(store, 0, retiring: unknown, unlessBoundAfter: start)
                try await expect(store, 0, retiring: [], unlessBoundAfter: start)
                try await expect(store, [known], of: ["ann"])
                try await expect(store, 1, retiring: unknown + [known], unlessBoundAfter: start)
                try await expect(store, [], of: ["ann"])
            },
            BindingStoreCheck("a repeated binding is counted once") { store in
                let binding = binding("ann", "phone", "a", "device-1", age: 60)
                try await store.bind(binding)
                try await expect(store, 1, retiring: [binding, binding], unlessBoundAfter: start)
            },
            BindingStoreCheck("a retired target can be bound again") { store in
                let old = binding("ann", nil, "a", "device-1", age: 60)
                try await store.bind(old)
                try await expect(store, 1, retiring: [old], unlessBoundAfter: start)
                let again = binding("ann", "phone", "a", "device-1")
                try await store.bind(again)
                try await expect(store, [again], of: ["ann"])
                try await expect(store, [again], at: ["phone"])
            },
        ]
    }
}
