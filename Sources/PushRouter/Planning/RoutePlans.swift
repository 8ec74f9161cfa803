public import PushAdapter

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
    /// Reads bindings one plan ahead. Throws the stream's errors, and a `PushError` if the store fails. After an error,
    /// keep the iterator: its next call reads the failed page again. A new sequence knows nothing of an earlier one, so
    /// leave out the users whose plans were sent.
    ///
    /// An installation is in only one of the plans, even if its user comes again or another installation has its
    /// device. To learn the vendors' refusals before the first request, read all plans once without sending.
    ///
    /// Remembers earlier pages by 64-bit hashes: about 30 bytes for a user with two bindings. In a campaign to a
    /// million users, the chance is one in some millions that it mistakes a new installation for an earlier one.
    /// - Parameters:
    ///   - message: the message of each plan.
    ///   - users: the users; one may come more than once.
    ///   - usersPerPlan: the most users of a plan.
    public func plans<Users: AsyncSequence & Sendable>(
        _ message: Message, to users: Users, usersPerPlan: Int = 5_000
    ) -> RoutePlans<Users> where Users.Element == UserID {
        RoutePlans(router: self, message: message, users: users, size: max(1, usersPerPlan))
    }
}

/// Plans for a stream of users, made while the stream is read.
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

    /// Makes a plan while it reads the bindings of the next one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let router: PushRouter
        fileprivate let message: Message
        fileprivate let size: Int
        fileprivate var users: Users.AsyncIterator
        fileprivate var planner: Planner
        /// Users of the stream whose bindings are not being read yet.
        fileprivate var waiting: [UserID] = []
        /// The bindings of the next two plans. They are read while a plan is made and sent.
        fileprivate var readings: [Reading] = []
        fileprivate var isAtEnd = false
        /// The stream's error. It is thrown after the plans for the users before it.
        fileprivate var failure: (any Error)?

        /// Returns the next plan; nil at the end. After an error of the store, the next call reads the same page again.
        public mutating func next() async throws -> RoutePlan? {
            await startReading()
            guard let current = readings.first else {
                if let failure = failure.take() { throw failure }
                return nil
            }
            let found: [[Binding]]
            do {
                found = try await current.found.value()
            } catch {
                waiting = readings.flatMap(\.users) + waiting
                readings = []
                throw PushRouter.unreadable(error, for: .send)
            }
            readings.removeFirst()
            var plan = RoutePlan(message)
            for (users, page) in zip(current.pages, found) {
                plan.unreachable.note(planner.add(page, of: users.map(Planner.Asked.user)))
            }
            planner.finish(&plan)
            router.addShares(to: &plan)
            return plan
        }

        private mutating func startReading() async {
            while readings.count < 2 {
                await gather()
                guard !waiting.isEmpty else { return }
                let page = Array(waiting.prefix(size))
                waiting.removeFirst(page.count)
                readings.append(Reading(page, in: router.bindings))
            }
        }

        /// Waits for the users of the next plan.
        private mutating func gather() async {
            while waiting.count < size, !isAtEnd, failure == nil {
                do {
                    if let user = try await users.next() { waiting.append(user) } else { isAtEnd = true }
                } catch {
                    failure = error is CancellationError ? PushRouter.unreadable(error, for: .send) : error
                }
            }
            // A stream may end without an error because the task was cancelled.
            if Task.isCancelled { failure = failure ?? PushRouter.unreadable(CancellationError(), for: .send) }
        }
    }
}

/// A read of the bindings of some users, in pages, several at once.
private struct Reading: Sendable {
    private static let pagesAtOnce = 2

    let users: [UserID]
    /// The users without repetitions, in pages for the store.
    let pages: [[UserID]]
    /// The bindings of each page.
    let found: Prefetch<[[Binding]]>

    init(_ users: [UserID], in store: any BindingStore) {
        let pages = users.withoutRepetitions.pages(of: PushRouter.pageSize)
        self.users = users
        self.pages = pages
        found = Prefetch {
            try await withThrowingTaskGroup(of: (Int, [Binding]).self) { group in
                var found = [[Binding]](repeating: [], count: pages.count)
                for number in pages.indices {
                    if number >= Self.pagesAtOnce, let (other, page) = try await group.next() { found[other] = page }
                    group.addTask { (number, try await store.bindings(of: pages[number])) }
                }
                while let (other, page) = try await group.next() { found[other] = page }
                return found
            }
        }
    }
}
