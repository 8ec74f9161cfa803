#if SQLite
    import GRDB
    import PushAdapter
    public import PushRouter
    import PushSQLite

    extension SQLiteBindingStore {
        /// All users with a binding, for a campaign to everyone:
        ///
        /// ```swift
        /// for try await plan in router.plans(message, to: store.users) { ... }
        /// ```
        ///
        /// They come in the order of the file, so plans for them read the file once from start to end. In another
        /// order, each user costs a separate read. The sequence may miss a user whose first binding is made meanwhile.
        /// Among many millions, a user may come twice; plans leave out the second one.
        public var users: BoundUsers { BoundUsers(store: self) }
    }

    /// The users of a store, read some thousand bindings at a time.
    public struct BoundUsers: AsyncSequence, Sendable {
        public typealias Element = UserID

        let store: SQLiteBindingStore

        public func makeAsyncIterator() -> Iterator { Iterator(store: store) }

        /// Continues where the last page ended, and reads one page ahead.
        public struct Iterator: AsyncIteratorProtocol {
            private let store: SQLiteBindingStore
            private var users: ArraySlice<UserID> = []
            private var last: Place?
            private var next: Prefetch<Page>?
            private var isAtEnd = false

            init(store: SQLiteBindingStore) { self.store = store }

            /// Returns the next user; nil at the end. Throws the same errors as the store's other calls. After an
            /// error, the next call reads the same page again.
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
                // A user's bindings are adjacent.
                guard let bytes = query.bytes(1), last?.user.rawValue.utf8.elementsEqual(bytes) != true else { return }
                let user = UserID(rawValue: String(decoding: bytes, as: UTF8.self))
                users.append(user)
                last = (query.integer(0), user)
            }
            isFull = count == Self.size
        }
    }
#endif
