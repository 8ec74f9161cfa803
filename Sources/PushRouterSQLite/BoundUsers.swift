#if SQLite
    import GRDB
    import PushAdapter
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

        /// Reads on where the last page ended, one page ahead.
        public struct Iterator: AsyncIteratorProtocol {
            private let store: SQLiteBindingStore
            private var users: ArraySlice<UserID> = []
            private var last: Place?
            private var next: Prefetch<Page>?
            private var isAtEnd = false

            init(store: SQLiteBindingStore) { self.store = store }

            /// The next user, nil at the end. Throws what the store's other calls throw; the next call reads the same page again.
            public mutating func next() async throws -> UserID? {
                while users.isEmpty, !isAtEnd {
                    let page = try await (next.take() ?? read()).value()
                    (users, last, isAtEnd) = (page.users[...], page.last, !page.isFull)
                    if !isAtEnd { next = read() }
                }
                return users.popFirst()
            }

            private func read() -> Prefetch<Page> {
                Prefetch { [store, last] in try await store.read { db in try Page(after: last, in: db) } }
            }
        }
    }

    /// The last binding of a page, and its user.
    private typealias Place = (id: Int64, user: UserID)

    private struct Page {
        private static let size: Int64 = 4_000

        var users: [UserID] = []
        var last: Place?
        var isFull = false

        init(after place: Place?, in db: Database) throws {
            last = place
            var count: Int64 = 0
            let query = try Query("SELECT id, user FROM bindings WHERE id > ? ORDER BY id LIMIT ?", in: db)
            try query.run([.integer(place?.id ?? -1), .integer(Self.size)]) {
                count += 1
                last?.id = query.integer(0)
                // A user's bindings come one after the other.
                guard let bytes = query.bytes(1), last?.user.rawValue.utf8.elementsEqual(bytes) != true else { return }
                let user = UserID(rawValue: String(decoding: bytes, as: UTF8.self))
                users.append(user)
                last = (query.integer(0), user)
            }
            isFull = count == Self.size
        }
    }
#endif
