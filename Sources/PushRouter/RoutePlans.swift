public import PushCore

extension PushRouter {
    /// Plans for a stream of users, page by page, so that the users of a campaign are never in memory at once. Costs no
    /// request.
    ///
    /// ```swift
    /// for try await plan in router.plans(message, to: userIDs) {
    ///     let report = try await router.send(plan)
    ///     try await router.prune(report)
    /// }
    /// ```
    ///
    /// A new sequence knows nothing of an earlier one: after an error in the middle, leave out the users whose plans were
    /// sent, or keep the iterator: its next call reads the failed page again.
    /// An installation is in one of the plans only, also if its user comes again or its device is another one's. To know what
    /// the vendors refuse before the first request, read all plans once without sending. Earlier pages are remembered by
    /// hashes of 64 bits, about 30 bytes for a user with two bindings; that a new installation is taken for an earlier one
    /// has a chance of one in some millions in a campaign to a million users. Throws what the stream throws, and a
    /// `PushError` if the store fails.
    /// - Parameters:
    ///   - message: what each plan is for.
    ///   - users: who may come more than once.
    ///   - usersPerPlan: the most users of a plan.
    public func plans<Users: AsyncSequence & Sendable>(
        _ message: Message, to users: Users, usersPerPlan: Int = 10_000
    ) -> RoutePlans<Users> where Users.Element == UserID {
        RoutePlans(router: self, message: message, users: users, size: max(1, usersPerPlan))
    }
}

/// Plans for a stream of users, made as they are read.
public struct RoutePlans<Users: AsyncSequence & Sendable>: AsyncSequence, Sendable where Users.Element == UserID {
    public typealias Element = RoutePlan

    let router: PushRouter
    let message: Message
    let users: Users
    let size: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(
            router: router, message: message, size: size, users: users.makeAsyncIterator(),
            planner: Planner(router, isFirstOfMany: true))
    }

    /// Reads as many users as a plan has, and their bindings a page at a time, some at once.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let router: PushRouter
        fileprivate let message: Message
        fileprivate let size: Int
        fileprivate var users: Users.AsyncIterator
        fileprivate var planner: Planner
        /// Users whose bindings are not read yet.
        fileprivate var page: [UserID] = []

        /// The next plan, nil at the end. After an error, the next call reads the same page again.
        public mutating func next() async throws -> RoutePlan? {
            while page.count < size, let user = try await users.next() { page.append(user) }
            guard !page.isEmpty else { return nil }
            var plan = RoutePlan(message)
            try await add(page.withoutRepetitions, to: &plan)
            page.removeAll(keepingCapacity: true)
            planner.finish(&plan)
            router.addLegs(to: &plan)
            return plan
        }

        private mutating func add(_ users: [UserID], to plan: inout RoutePlan) async throws(PushError) {
            let pages = users.pages(of: PushRouter.pageSize)
            let store = router.bindings
            var planner = planner
            var unreachable = RoutePlan.Unreachable()
            do {
                try await withThrowingTaskGroup(of: (Int, [Binding]).self) { group in
                    var begun = 0
                    var read: [Int: [Binding]] = [:]
                    func begin() {
                        guard begun < pages.count else { return }
                        let number = begun
                        group.addTask { (number, try await store.bindings(of: pages[number])) }
                        begun += 1
                    }
                    for _ in 0..<Self.readsAtOnce { begin() }
                    for (number, page) in pages.enumerated() {
                        while read[number] == nil, let (other, found) = try await group.next() {
                            read[other] = found
                            begin()
                        }
                        let found = read.removeValue(forKey: number) ?? []
                        unreachable.note(planner.add(found, of: page.map(Planner.Asked.user)))
                    }
                }
            } catch {
                throw PushRouter.unreadable(error, for: .send)
            }
            self.planner = planner
            plan.unreachable = unreachable
        }

        private static var readsAtOnce: Int { 3 }
    }
}
