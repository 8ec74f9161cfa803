#if SQLite
    import FoundationEssentials
    import GRDB
    import PushAdapter
    import PushOutbox
    import PushSQLite

    // Which slices a worker gets.
    extension OutboxTables {
        func lease(_ request: OutboxLease) throws -> [(slice: SliceRow, targets: [UInt8])] {
            request.wantsRecovered ? try leaseRecovered(request) : try leaseQueued(request)
        }

        private func leaseRecovered(_ request: OutboxLease) throws -> [(slice: SliceRow, targets: [UInt8])] {
            var found: [(slice: SliceRow, targets: [UInt8])] = []
            for route in request.routes where found.count < request.limit {
                try run(
                    Self.recovered,
                    [.text(route.rawValue), .date(request.now), .integer(Int64(request.limit - found.count))]
                ) { found.append((SliceRow($0), $0.blob(SliceRow.payloadColumn) ?? [])) }
            }
            return try take(found, for: request.worker)
        }

        private func take(
            _ rows: [(slice: SliceRow, targets: [UInt8])], for worker: Int64
        ) throws -> [(slice: SliceRow, targets: [UInt8])] {
            var taken = rows
            for index in taken.indices {
                taken[index].slice.state = .leased
                taken[index].slice.epoch = (taken[index].slice.epoch + 1) % SliceRow.highestNumber
                taken[index].slice.owner = worker
                try run(
                    """
                    UPDATE outbox_slice SET state = \(SliceSQL.leased), epoch = \(SliceRow.nextEpoch), owner = ?4
                    WHERE campaign = ?1 AND part = ?2 AND number = ?3
                    """, place(of: taken[index].slice.id) + [.integer(worker)])
            }
            return taken
        }

        private func leaseQueued(_ request: OutboxLease) throws -> [(slice: SliceRow, targets: [UInt8])] {
            try wake(request)
            var leased: [(slice: SliceRow, targets: [UInt8])] = []
            // Parts without due slices leave the queue, so each round sees other parts.
            for round in 0..<OutboxQueue.mostRounds where leased.count < request.limit {
                let parts = try queue(request, limit: OutboxQueue.parts(request.limit, round: round))
                guard !parts.isEmpty else { break }
                for part in parts where leased.count < request.limit {
                    leased += try lease(part, request, limit: request.limit - leased.count)
                }
            }
            return leased
        }

        private func wake(_ request: OutboxLease) throws {
            var parts: Set<[Int64]> = []
            try run(Self.unwait, [.date(request.keysAfter), .date(request.now)]) { query in
                parts.insert([query.integer(0), query.integer(1)])
            }
            for part in parts {
                try run(
                    "UPDATE outbox_part SET queued = 1 WHERE campaign = ? AND number = ?", part.map { .integer($0) })
            }
            try run(Self.wake, [.date(request.now)])
        }

        /// The first parts in the queue, by turn.
        private func queue(_ request: OutboxLease, limit: Int) throws -> [OutboxQueue.Part] {
            var parts: [OutboxQueue.Part] = []
            var condition = request.wantsOtherWays ? "AND l.patience IS NOT NULL" : ""
            if let priority = request.moreUrgentThan { condition += " AND l.priority < \(priority.rawValue)" }
            let priorities = request.wantsOldest ? CampaignOptions.Priority.allCases.map(\.rawValue) : [nil]
            for route in request.routes {
                for priority in priorities {
                    try run(
                        Self.queue(condition + (priority.map { " AND l.priority = \($0)" } ?? "")),
                        [.text(route.rawValue), .date(request.now), .integer(Int64(limit))]
                    ) { parts.append(OutboxQueue.Part($0)) }
                }
            }
            return OutboxQueue.inTurn(parts, request, limit: limit)
        }

        private func lease(
            _ part: OutboxQueue.Part, _ request: OutboxLease, limit: Int
        ) throws -> [(slice: SliceRow, targets: [UInt8])] {
            let place: [Argument] = [.integer(part.campaign), .integer(part.number)]
            guard part.isOpen, part.notBefore <= request.now else {
                // Resuming the part puts it back into the queue.
                try run(
                    "UPDATE outbox_part SET queued = ?3, wakes_at = not_before WHERE campaign = ?1 AND number = ?2",
                    place + [.integer(part.isOpen ? 2 : 0)])
                return []
            }
            var found: [(slice: SliceRow, targets: [UInt8])] = []
            try run(Self.readySlices, place + [.date(request.now), .integer(Int64(limit))]) {
                found.append((SliceRow($0), $0.blob(SliceRow.payloadColumn) ?? []))
            }
            let taken = try take(found, for: request.worker)
            let turn = taken.isEmpty ? part.turn : try nextTurn()
            try run(Self.settle, place + [.date(request.now), .integer(turn)])
            return taken
        }
    }
#endif
