#if SQLite
    import GRDB
    import PushCore
    public import PushRouter
    import PushSQLite

    extension SQLiteBindingStore {
        /// All users who have a binding, for a campaign to everyone:
        ///
        /// ```swift
        /// for try await plan in router.plans(message, to: store.users) { ... }
        /// ```
        ///
        /// They come in the order of the file, so plans for them read the file once from its beginning to its end. In another
        /// order, each user costs a read of its own. A user whose first binding is made meanwhile may be missing, and of many
        /// millions one may come twice, which plans leave out.
        public var users: BoundUsers { BoundUsers(store: self) }
    }

    /// The users of a store, read some thousand bindings at a time.
    public struct BoundUsers: AsyncSequence, Sendable {
        public typealias Element = UserID

        let store: SQLiteBindingStore

        public func makeAsyncIterator() -> Iterator { Iterator(store: store) }

        /// Reads on where the last page ended.
        public struct Iterator: AsyncIteratorProtocol {
            private static let pageSize: Int64 = 4_000

            let store: SQLiteBindingStore
            private var page: ArraySlice<UserID> = []
            private var last: (id: Int64, user: UserID)?
            private var isAtEnd = false

            init(store: SQLiteBindingStore) { self.store = store }

            /// The next user, nil at the end. Throws what the store's other calls throw; the next call reads the same page again.
            public mutating func next() async throws -> UserID? {
                while page.isEmpty, !isAtEnd { try await readPage() }
                return page.popFirst()
            }

            private mutating func readPage() async throws {
                let (last, pageSize) = (last, Self.pageSize)
                let found = try await store.read { db in
                    var users: [UserID] = []
                    var end = last
                    var count: Int64 = 0
                    let query = try Query("SELECT id, user FROM bindings WHERE id > ? ORDER BY id LIMIT ?", in: db)
                    try query.run([.integer(last?.id ?? -1), .integer(pageSize)]) {
                        count += 1
                        end?.id = query.integer(0)
                        // A user's bindings come one after the other.
                        guard let bytes = query.bytes(1), end?.user.rawValue.utf8.elementsEqual(bytes) != true else {
                            return
                        }
                        let user = UserID(rawValue: String(decoding: bytes, as: UTF8.self))
                        users.append(user)
                        end = (query.integer(0), user)
                    }
                    return (users: users, end: end, isFull: count == pageSize)
                }
                (page, self.last, isAtEnd) = (found.users[...], found.end, !found.isFull)
            }
        }
    }
#endif
