#if PostgreSQL
    import FoundationEssentials
    import PushAdapter
    import PushOutbox
    import PushOutboxPostgres
    import PushStoreConformance
    import Testing

    @Suite("Workers on PostgreSQL that stop at any moment", .timeLimit(.minutes(20)))
    struct PostgresTortureLoopbackTests {
        /// A log of events, for all workers.
        private struct Log: Sendable {
            var marks: [SliceRow.ID: Int] = [:]
            var crashes = 0
            var sleeps = 0
            var ends = 0
        }

        private static let life = Duration.milliseconds(150)

        @Test("each slice is marked once, whoever dies or sleeps longer than its life, and the campaign ends once")
        func torture() async throws {
            try await withPostgres { place in
                let store = try await place.store()
                let campaign = try await OutboxStoreCheck.stored(store, slices: 300, parts: 2)
                let log = Locked(Log())
                let isOver = Locked(false)
                try await withThrowingTaskGroup { group in
                    for number in 1...4 {
                        group.addTask {
                            let store = try await place.store(life: Self.life)
                            defer { store.close() }
                            var worker = Int64(number) * 1_000_000
                            while !isOver.withLock({ $0 }) {
                                worker += 1
                                try await Self.live(store, worker, log, isOver)
                            }
                        }
                    }
                    group.addTask {
                        for _ in 0..<8 {
                            try await Task.sleep(for: .milliseconds(250))
                            try await place.endSessions()
                            _ = try? await store.pauseParts(of: campaign.id, [0], for: "a while")
                            _ = try? await store.pauseParts(of: campaign.id, [0, 1], for: nil)
                        }
                        try await store.pauseParts(of: campaign.id, [0, 1], for: nil)
                        let isEnded = try await eventually {
                            try await store.campaigns(.all).first?.state == .finished
                        }
                        isOver.withLock { $0 = true }
                        #expect(isEnded)
                    }
                    try await group.waitForAll()
                }
                let counts = try await store.counts(of: campaign.id)
                let happened = log.withLock { $0 }
                #expect(counts.slices == [.done: 600])
                #expect(happened.marks.count <= 600 && happened.marks.values.allSatisfy { $0 == 1 })
                #expect(happened.ends <= 1 && happened.crashes > 3 && happened.sleeps > 3, "\(happened.crashes)")
                // If the session ends during a call, the call's effect is unknown.
                #expect(happened.marks.count > 500, "\(happened.marks.count)")
                store.close()
            }
        }

        /// One life of a worker. It ends with a crash, or when no work is left.
        private static func live(
            _ store: PostgresOutboxStore, _ worker: Int64, _ log: Locked<Log>, _ isOver: Locked<Bool>
        ) async throws {
            _ = try? await store.claim(worker)
            while !isOver.withLock({ $0 }) {
                guard (try? await store.renew(worker)) == true else { return }
                try? await recover(store, worker)
                guard let leased = try? await OutboxStoreCheck.renewedLease(store, worker) else { return }
                for slice in leased {
                    // The whole process stops for longer than its life.
                    if Int.random(in: 0..<30) == 0 {
                        log.withLock { $0.sleeps += 1 }
                        try await Task.sleep(for: life * 3)
                    }
                    var change = SliceChange(slice, from: [.leased], owner: worker)
                    change.slice.state = .sending
                    change.ifActive = OutboxStoreCheck.start
                    guard (try? await store.apply([change])) == [true] else { continue }
                    log.withLock { $0.marks[slice.id, default: 0] += 1 }
                    if Int.random(in: 0..<30) == 0 {
                        log.withLock { $0.crashes += 1 }
                        return
                    }
                    change.from = [.sending]
                    change.ifActive = nil
                    change.slice.state = .done
                    change.slice.outcomes = [.accepted, .accepted, .accepted]
                    _ = try? await store.apply([change])
                }
                let ended = (try? await store.endFinished(at: OutboxStoreCheck.start)) ?? []
                log.withLock { $0.ends += ended.count }
                if leased.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            }
        }

        /// Returns leased slices, and ends slices that may have been sent as unknown. It does the same with slices that
        /// this worker holds without knowing, because a response was lost.
        private static func recover(_ store: PostgresOutboxStore, _ worker: Int64) async throws {
            let left = try await store.orphans(of: worker) + store.leased(by: worker)
            let changes = left.map { slice in
                var next = slice
                next.owner = 0
                next.state = slice.state == .leased ? .ready : .done
                if next.state == .done { next.outcomes = [.unknown, .unknown, .unknown] }
                return SliceChange(next, from: [slice.state])
            }
            if !changes.isEmpty { _ = try await store.apply(changes) }
        }
    }

    extension OutboxStoreCheck {
        /// Leases without a claim before.
        fileprivate static func renewedLease(_ store: PostgresOutboxStore, _ worker: Int64) async throws -> [SliceRow] {
            let request = OutboxLease(worker: worker, routes: ["r0", "r1"], limit: 8, now: start)
            return try await store.lease(request).map(\.slice)
        }
    }
#endif
