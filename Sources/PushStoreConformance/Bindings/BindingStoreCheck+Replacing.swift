import FoundationEssentials
import PushCore
import PushRouter

extension BindingStoreCheck {
    /// Which older bindings a new one replaces.
    static var replacing: [BindingStoreCheck] {
        [
            BindingStoreCheck("a binding replaces that of its route and target") { store in
                try await store.bind(binding("ann", "phone", "a", "device-1", platform: .ios, age: 60))
                let sold = binding("bob", "resold", "a", "device-1", platform: .android)
                try await store.bind(sold)
                try await expect(store, [], of: ["ann"])
                try await expect(store, [], at: ["phone"])
                try await expect(store, [sold], of: ["bob"])
                try await expect(store, [sold], at: ["resold"])
                // A binding without an installation replaces it and has none.
                let alone = binding("bob", nil, "a", "device-1")
                try await store.bind(alone)
                try await expect(store, [], at: ["resold"])
                try await expect(store, [alone], of: ["bob"])
            },
            BindingStoreCheck("a binding replaces its installation's older one at that route") { store in
                try await store.bind(binding("ann", "phone", "a", "device-1", age: 60))
                let elsewhere = binding("ann", "phone", "b", "device-1", age: 60)
                let other = binding("ann", "tablet", "a", "device-2", age: 60)
                try await store.bind(elsewhere)
                try await store.bind(other)
                let new = binding("ann", "phone", "a", "device-9")
                try await store.bind(new)
                try await expect(store, [new, elsewhere, other], of: ["ann"])
                try await expect(store, [new, elsewhere], at: ["phone"])
                // Another user logs in, and the app reports its new token.
                let next = binding("bob", "phone", "a", "device-10")
                try await store.bind(next)
                try await expect(store, [other], of: ["ann"])
                try await expect(store, [next], at: ["phone"])
            },
            BindingStoreCheck("a binding that is reported again is there once, with its new date") { store in
                try await store.bind(binding("ann", "phone", "a", "device-1", age: 60))
                let again = binding("ann", "phone", "a", "device-1")
                try await store.bind(again)
                try await expect(store, [again], of: ["ann"])
                try await expect(store, [again], at: ["phone"])
            },
        ]
    }

    /// First acceptances, counts of installations, and values that come back unchanged.
    static var accepting: [BindingStoreCheck] {
        [
            BindingStoreCheck("the first acceptance is kept while the app reports the same binding") { store in
                let phone = binding("ann", "phone", "a", "device-1", age: 60)
                let other = binding("ann", "phone", "b", "device-1", age: 60)
                for binding in [phone, other] { try await store.bind(binding) }
                let first = start.addingTimeInterval(0.25)
                try await store.noteAccepted([phone.way, binding("ann", "phone", "a", "unknown").way], at: first)
                try await store.noteAccepted([phone.way], at: start.addingTimeInterval(9))
                var accepted = phone
                accepted.acceptedAt = first
                try await expect(store, [accepted, other], of: ["ann"])
                var again = binding("bob", "phone", "a", "device-1")
                try await store.bind(again)
                again.acceptedAt = first
                try await expect(store, [again], of: ["bob"])
                // The same token in another installation is untested there.
                let moved = binding("bob", "new phone", "a", "device-1")
                try await store.bind(moved)
                try await expect(store, [moved], of: ["bob"])
            },
            BindingStoreCheck("a new target of an installation has not been accepted") { store in
                var old = binding("ann", "phone", "a", "device-1", age: 60)
                old.acceptedAt = start
                try await store.bind(old)
                try await expect(store, [old], of: ["ann"])
                let new = binding("ann", "phone", "a", "device-2")
                try await store.bind(new)
                try await expect(store, [new], of: ["ann"])
            },
            BindingStoreCheck("installations are counted by the routes that they have") { store in
                func covers(_ from: RouteName, _ to: RouteName, _ counts: [Int]) async throws {
                    let found = try await store.coverage(of: from, and: to)
                    try expect([found.onlyFrom, found.both, found.onlyTo] == counts, "it counts \(found)")
                }
                try await covers("a", "b", [0, 0, 0])
                for (number, routes) in ["a", "ab", "b", "abc", "c", "ac"].enumerated() {
                    let phone = InstallationID("\(number)")
                    for route in routes {
                        try await store.bind(binding("ann", phone, RouteName("\(route)"), "device-\(number)"))
                    }
                }
                for (number, route) in ["a", "b", "b"].enumerated() {
                    try await store.bind(binding("bob", nil, RouteName(route), "alone-\(number)"))
                }
                try await covers("a", "b", [3, 2, 3])
                try await covers("c", "d", [3, 0, 0])
            },
            BindingStoreCheck("texts and dates come back as they were") { store in
                let texts = ["", "é", "e\u{301}", "鍵'\"%", String(repeating: "x", count: 5_000)]
                var all: Set<Binding> = []
                for (number, text) in texts.enumerated() {
                    var binding = binding(UserID(text), InstallationID(text), "a", text, age: 0.25 * Double(number))
                    binding.platform = Platform(text)
                    all.insert(binding)
                    try await store.bind(binding)
                }
                try await expect(store, all, of: texts.map { UserID($0) })
                try await expect(store, all, at: texts.map { InstallationID($0) })
                try await expect(store, texts.count, retiring: Array(all), unlessBoundAfter: start)
            },
        ]
    }
}
