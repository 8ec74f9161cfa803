#if SQLite
    import Foundation
    import PushAdapter
    import PushRouter
    import PushRouterSQLite
    import Testing

    /// A store in a new folder. The folder is removed with it.
    final class TemporaryStore: BindingStore {
        let folder: TemporaryFolder
        let store: SQLiteBindingStore

        init() throws {
            folder = try TemporaryFolder()
            store = try SQLiteBindingStore(path: folder.file)
        }

        func bindings(of users: [UserID]) async throws -> [Binding] { try await store.bindings(of: users) }
        func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] {
            try await store.bindings(ofInstallations: installations)
        }
        func bindings(at ways: [RoutedTarget.Way]) async throws -> [Binding] { try await store.bindings(at: ways) }
        func bind(_ binding: Binding) async throws { try await store.bind(binding) }
        func retire(_ retirements: [Retirement]) async throws -> Int { try await store.retire(retirements) }
        func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws {
            try await store.noteAccepted(ways, at: date)
        }
        func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage {
            try await store.coverage(of: from, and: to)
        }
    }

    /// A folder that is removed together with its value.
    final class TemporaryFolder: Sendable {
        let path: String
        var file: String { path + "/bindings.db" }

        init() throws {
            path = FileManager.default.temporaryDirectory.path + "/bindings-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Suite("A store of bindings in a file")
    struct SQLiteStoreTests {
        private let binding = Plans.binding("ann", "phone", "a", "device-1", platform: .ios)

        private func refusal(of path: String) -> PushError? {
            do throws(PushError) {
                _ = try SQLiteBindingStore(path: path)
                return nil
            } catch { return error }
        }

        @Test("every user with a binding comes once, also if one's bindings are on two pages")
        func users() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteBindingStore(path: folder.file)
            #expect(try await read(store.users).isEmpty)
            var bindings: [Binding] = []
            for number in 0..<2_700 {
                let (user, installation) = (UserID("user-\(number)"), InstallationID("i-\(number)"))
                for route: RouteName in ["a", "b", "c"] {
                    bindings.append(Plans.binding(user, installation, route, "\(route)-\(number)"))
                }
            }
            bindings.append(Plans.binding("alone", nil, "a", "device"))
            try await store.bind(bindings)
            let users = try await read(store.users)
            #expect(users.count == 2_701 && Set(users) == Set(bindings.map(\.user)))
            // A cancelled task fails to read a page, and the next call reads that page again. Only one task at a time
            // uses these.
            nonisolated(unsafe) var iterator = store.users.makeAsyncIterator()
            nonisolated(unsafe) var all = [try #require(try await iterator.next())]
            for isCancelled in [true, false] {
                await Task {
                    if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                    while let user = try? await iterator.next() { all.append(user) }
                }.value
            }
            #expect(all == users)
        }

        private func read(_ users: BoundUsers) async throws -> [UserID] {
            var found: [UserID] = []
            for try await user in users { found.append(user) }
            return found
        }

        @Test("what was bound is there after the file was closed and opened, and only its owner can read it")
        func reopened() async throws {
            let folder = try TemporaryFolder()
            let first = try SQLiteBindingStore(path: folder.file)
            try await first.bind(binding)
            try first.close()
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? NSNumber
            #expect(mode == 0o600)
            let second = try SQLiteBindingStore(path: folder.file)
            let found = try await second.bindings(of: ["ann"])
            #expect(found == [binding])
            await #expect(throws: (any Error).self) { try await first.bindings(of: ["ann"]) }
        }

        @Test("two stores on one file see each other's changes, also when they write at once")
        func shared() async throws {
            let folder = try TemporaryFolder()
            let stores = [try SQLiteBindingStore(path: folder.file), try SQLiteBindingStore(path: folder.file)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await stores[number % 2].bind(
                            Plans.binding("ann", InstallationID("i\(number)"), "a", "device-\(number)"))
                        _ = try await stores[(number + 1) % 2].bindings(of: ["ann"])
                    }
                }
                try await group.waitForAll()
            }
            for store in stores {
                let found = try await store.bindings(of: ["ann"])
                #expect(found.count == 100)
            }
        }

        @Test("a list is bound as a whole, and a later binding replaces an earlier one")
        func list() async throws {
            let store = try TemporaryStore()
            var again = binding
            again.boundAt = Plans.start.addingTimeInterval(1)
            let other = Plans.binding("ann", "tablet", "a", "device-2")
            try await store.store.bind([binding, other, again])
            let found = try await store.bindings(of: ["ann"])
            #expect(Set(found) == [again, other] && found.count == 2)
        }

        @Test("texts come back byte by byte, dates bit by bit, and no text is taken for a similar one")
        func exact() async throws {
            let folder = try TemporaryFolder()
            let long = String(repeating: "日", count: 1_000)
            let texts = ["", "\0", "a\0b", "a\0c", "a", "A", "a ", "\u{E9}", "e\u{301}", long]
            let dates: [Double] = [0, 0.1 + 0.2, 790_000_000.123_456_7, -978_307_200.000_001, .leastNonzeroMagnitude]
            var bindings: [Binding] = []
            for (number, text) in texts.enumerated() {
                var binding = Plans.binding(UserID(text), InstallationID(text), "a", text)
                binding.platform = Platform(text)
                binding.boundAt = Date(timeIntervalSinceReferenceDate: dates[number % dates.count])
                binding.acceptedAt = Date(timeIntervalSinceReferenceDate: -dates[(number + 1) % dates.count])
                bindings.append(binding)
                binding.installation = nil
                binding.route = RouteName(text)
                binding.target = .account(Account(name: text))
                bindings.append(binding)
                binding.target = .account(Account(name: text, type: number % 2 == 0 ? .min : -1))
                bindings.append(binding)
            }
            let first = try SQLiteBindingStore(path: folder.file)
            try await first.bind(bindings)
            try first.close()
            let store = try SQLiteBindingStore(path: folder.file)
            let found = try await store.bindings(of: texts.map { UserID($0) })
            #expect(Set(found) == Set(bindings) && found.count == bindings.count)
            for (number, text) in texts.enumerated() {
                let expected = bindings[3 * number..<3 * number + 3]
                let ofUser = try await store.bindings(of: [UserID(text)])
                #expect(Set(ofUser) == Set(expected) && ofUser.count == 3)
                let ofInstallation = try await store.bindings(ofInstallations: [InstallationID(text)])
                #expect(ofInstallation == Array(expected.prefix(1)))
            }
            let retired = try await store.retire([Retirement(bindings[3].way, unlessBoundAfter: .distantFuture)])
            let left = try await store.bindings(of: texts.map { UserID($0) })
            #expect(retired == 1 && Set(left) == Set(bindings).subtracting([bindings[3]]))
        }

        @Test("a folder that is not there, and a file that is no database, are refused by name")
        func refused() throws {
            let folder = try TemporaryFolder()
            let missing = refusal(of: folder.path + "/none/bindings.db")
            #expect(missing?.kind == .misconfigured && missing?.message.contains("/none/bindings.db") == true)
            try Data(repeating: 0x41, count: 4_096).write(to: URL(fileURLWithPath: folder.file))
            let foreign = refusal(of: folder.file)
            #expect(
                foreign?.kind == .misconfigured && foreign?.message.contains("not a database") == true, "\(foreign)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)).count == 4_096)
        }

        @Test("a file of a newer version is refused, and stays as it is")
        func newer() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteBindingStore(path: folder.file)
            try await store.bind(binding)
            try await store.pretendNewer()
            try store.close()
            let error = refusal(of: folder.file)
            #expect(error?.kind == .misconfigured && error?.message.contains("newer version") == true)
        }

        @Test("no error of the store shows a token")
        func secrecy() async throws {
            let store = try TemporaryStore().store
            try store.close()
            let secret = "secret-token-0123456789"
            let error = await #expect(throws: (any Error).self) {
                try await store.bind(Plans.binding("ann", nil, "a", secret))
            }
            let shown = error.map { Plans.shown($0) } ?? ""
            #expect(!shown.isEmpty && !shown.contains(secret))
        }

        @Test("an error after a token was bound does not show it, and nothing of the list is kept")
        func failedList() async throws {
            let store = try TemporaryStore()
            let secret = "secret-token-0123456789"
            var broken = Plans.binding("ann", nil, "a", secret)
            broken.boundAt = Date(timeIntervalSinceReferenceDate: .nan)
            let list = [binding, broken]
            let error = await #expect(throws: (any Error).self) { try await store.store.bind(list) }
            let shown = error.map { Plans.shown($0) } ?? ""
            #expect(!shown.isEmpty && !shown.contains(secret))
            let found = try await store.bindings(of: ["ann"])
            #expect(found.isEmpty)
        }

        @Test("a thousand users are found in one call, those without bindings not, and one user has hundreds")
        func many() async throws {
            let store = try TemporaryStore()
            var bindings = (0..<1_200).map { number in
                Plans.binding(UserID("user-\(number)"), InstallationID("i-\(number)"), "a", "device-\(number)")
            }
            bindings += (0..<300).map { number in Plans.binding("crowd", nil, "a", "crowd-\(number)") }
            try await store.store.bind(bindings)
            let users = (600..<1_600).map { UserID("user-\($0)") }
            let found = try await store.bindings(of: users)
            #expect(Set(found) == Set(bindings[600..<1_200]) && found.count == 600)
            let installations = (600..<1_600).map { InstallationID("i-\($0)") }
            let same = try await store.bindings(ofInstallations: installations)
            #expect(Set(same) == Set(found) && same.count == 600)
            let crowd = try await store.bindings(of: ["crowd"])
            #expect(Set(crowd) == Set(bindings[1_200...]) && crowd.count == 300)
        }

        @Test("a read sees a list as a whole or not at all")
        func isolated() async throws {
            let store = try TemporaryStore()
            let users = (0..<50).map { UserID("user-\($0)") }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for user in users {
                        try await store.store.bind([
                            Plans.binding(user, nil, "a", user.rawValue), Plans.binding(user, nil, "b", user.rawValue),
                        ])
                    }
                    return true
                }
                for _ in 0..<3 {
                    group.addTask {
                        for _ in 0..<50 {
                            let found = try await store.bindings(of: users)
                            let counts = Dictionary(grouping: found, by: \.user).values.map(\.count)
                            guard counts.allSatisfy({ $0 == 2 }) else { return false }
                        }
                        return true
                    }
                }
                for try await isWhole in group { #expect(isWhole) }
            }
            let found = try await store.bindings(of: users)
            #expect(found.count == 100)
        }

        @Test("stores that create one file at once all open")
        func created() async throws {
            let folder = try TemporaryFolder()
            let stores = try await withThrowingTaskGroup(of: SQLiteBindingStore.self) { group in
                for _ in 0..<4 { group.addTask { try SQLiteBindingStore(path: folder.file) } }
                var stores: [SQLiteBindingStore] = []
                for try await store in group { stores.append(store) }
                return stores
            }
            for (number, store) in stores.enumerated() {
                try await store.bind(Plans.binding("ann", nil, "a", "device-\(number)"))
            }
            for store in stores {
                let found = try await store.bindings(of: ["ann"])
                #expect(found.count == 4)
            }
        }

        @Test("a change is on the disk when its call returns, also in the files beside, which only the owner can read")
        func durable() async throws {
            let folder = try TemporaryFolder()
            let store = try SQLiteBindingStore(path: folder.file)
            try await store.bind(binding)
            let durability = try await store.durability()
            #expect(durability == 2)
            for end in ["-wal", "-shm"] {
                let mode = try FileManager.default.attributesOfItem(atPath: folder.file + end)[.posixPermissions]
                let number = mode as? NSNumber
                #expect(number == 0o600)
            }
            let found = try await store.bindings(of: ["ann"])
            #expect(found == [binding])
        }

        @Test("what is no path of a file is refused", arguments: ["", ":memory:", "file:bindings.db", "bindings\0.db"])
        func noPath(path: String) {
            let kind = refusal(of: path)?.kind
            #expect(kind == .misconfigured)
        }
    }
#endif
