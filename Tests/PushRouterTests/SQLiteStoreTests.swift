#if SQLite
    import Foundation
    import PushCore
    import PushRouter
    import PushRouterSQLite
    import Testing

    /// A store in a new folder, which goes with it.
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
        func bind(_ binding: Binding) async throws { try await store.bind(binding) }
        func retire(_ retirements: [Retirement]) async throws -> Int { try await store.retire(retirements) }
        func noteAccepted(_ bindings: [Binding], at date: Date) async throws {
            try await store.noteAccepted(bindings, at: date)
        }
        func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage {
            try await store.coverage(of: from, and: to)
        }
    }

    /// A folder that is removed with its value.
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
            let store = try TemporaryStore().store
            var again = binding
            again.boundAt = Plans.start.addingTimeInterval(1)
            let other = Plans.binding("ann", "tablet", "a", "device-2")
            try await store.bind([binding, other, again])
            let found = try await store.bindings(of: ["ann"])
            #expect(Set(found) == [again, other] && found.count == 2)
        }

        @Test("a text with a zero byte is refused, and is never taken for the text before it")
        func zeroBytes() async throws {
            let store = try TemporaryStore()
            let short = Plans.binding("ann", "phone", "a", "device")
            try await store.bind(short)
            let long = Plans.binding("ann", "tablet", "a", "device\0x")
            let error = await #expect(throws: PushError.self) { try await store.store.bind([binding, long]) }
            #expect(error?.kind == .invalidArgument)
            let retired = try await store.retire([Retirement(long, unlessBoundAfter: .distantFuture)])
            try await store.noteAccepted([long], at: Plans.start)
            let found = try await store.bindings(of: ["ann", "ann\0"])
            #expect(retired == 0 && found == [short])
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
    }
#endif
