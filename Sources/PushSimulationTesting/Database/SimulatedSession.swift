import FoundationEssentials
import PushAdapter
import PushOutbox

/// The connection of one process.
struct SimulatedSession: ForwardingOutboxStore {
    let database: SimulatedDatabase
    let process: SimulatedProcess
    private let start: Locked<Duration>

    init(database: SimulatedDatabase, process: SimulatedProcess) {
        (self.database, self.process) = (database, process)
        start = Locked(database.now)
    }

    struct Lost: Error, CustomStringConvertible {
        var description: String { "the connection to the database was lost" }
    }

    var base: any OutboxStore { database.rows }
    /// All dates in the rows are on the server's clock.
    var lead: Duration? {
        let difference = Duration.zero - process.clock.ahead
        return abs(difference.seconds) < 1 ? .zero : .seconds(difference.seconds.rounded())
    }

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        let rows = database.rows
        return try await statement(call) { try await body(rows) }
    }

    /// Sends a statement to the server, which executes it even if the process ends.
    private func statement<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        await process.pass()
        let (weather, random) = (database.currentWeather, database.simulation.random)
        let result: Result<Value, any Error> = await withUnsafeContinuation { answer in
            process.leave {
                await way(weather, random)
                guard random.fraction() >= weather.lostStatements else {
                    return answer.resume(returning: .failure(Lost()))
                }
                let result: Result<Value, any Error>
                do { result = .success(try await body()) } catch { result = .failure(error) }
                await way(weather, random)
                answer.resume(returning: random.fraction() < weather.lostAnswers ? .failure(Lost()) : result)
            }
        }
        await process.pass()
        if case .failure(let error) = result, error is Lost {
            database.simulation.tell("\(process.name): the connection to the database was lost during \(call)")
            start.withLock { $0 = database.now }
        }
        return try result.get()
    }

    private func way(_ weather: SimulatedDatabase.Weather, _ random: RandomSource) async {
        guard weather.latency > .zero else { return }
        let isDelayed = random.fraction() < weather.delays
        await database.simulation.sleep((isDelayed ? .seconds(20) : weather.latency) * random.fraction())
    }

    // MARK: Loaders, planners and workers

    func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
        let (database, process, lead) = (database, process, lead)
        return try await statement(.create) {
            let gone = database.server.withLock { server in server.loaders.filter { $0.value.hasEnded }.map(\.key) }
            await database.rows.forgetLoaders(of: Set(gone))
            let (kept, isNew) = await database.rows.create(campaign.shifted(by: lead))
            if isNew { database.server.withLock { $0.loaders[kept.id] = process } }
            return (kept.shifted(back: lead), isNew)
        }
    }

    func submitted(
        for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int
    ) async throws -> [Campaign] {
        let database = database
        let found = try await statement(.submitted) {
            let found = await database.rows.submitted(for: worker, routes: routes, leaving: left, limit: .max)
            return database.server.withLock { server in
                for id in left where server.planners[id] == worker { server.planners[id] = nil }
                let free = found.filter { campaign in
                    guard let planner = server.planners[campaign.id], planner != worker else { return true }
                    return server.claims[planner] == nil
                }
                for campaign in free.prefix(limit) { server.planners[campaign.id] = worker }
                return Array(free.prefix(limit))
            }
        }
        return found.map { $0.shifted(back: lead) }
    }

    func claim(_ worker: Int64) async throws -> Bool {
        let (database, host) = (database, process.name)
        return try await statement(.claim) {
            let end = database.now + database.workerLife
            database.server.withLock { $0.claims[worker] = .init(end: end, host: host) }
            return true
        }
    }

    func renew(_ worker: Int64) async throws -> Bool {
        let database = database
        return try await statement(.renew) {
            let end = database.now + database.workerLife
            return database.server.withLock { server in
                server.claims[worker]?.end = end
                return server.claims[worker] != nil
            }
        }
    }

    func release(_ worker: Int64) async throws {
        let database = database
        try await statement(.release) { database.server.withLock { $0.claims[worker] = nil } }
    }

    func workers() async throws -> Int {
        let database = database
        return try await statement(.workers) {
            let now = database.now
            return database.server.withLock { $0.claims.values.count { $0.end > now } }
        }
    }

    /// Removes workers whose life is over, unless this session is younger than a life.
    func orphans(of worker: Int64) async throws -> [SliceRow] {
        let database = database
        let isYoung = database.now - start.withLock { $0 } < database.workerLife
        let found = try await statement(.orphans) {
            await database.rows.transaction { rows in
                let now = database.now
                let claims = database.server.withLock { server in
                    if !isYoung { server.claims = server.claims.filter { $0.value.end >= now || $0.key == worker } }
                    return Set(server.claims.keys)
                }
                return rows.orphans(of: worker).filter { !claims.contains($0.owner) }
            }
        }
        return found.map { $0.shifted(back: lead) }
    }

    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        let database = database
        var request = request
        request.now = request.now.shifted(by: lead)
        let leased = try await statement(.lease) { [request] in
            await database.rows.transaction { rows in
                guard database.server.withLock({ $0.claims[request.worker] != nil }) else { return Rows() }
                database.noteForgotten(request) { rows.leased(by: request.worker) }
                let leased = rows.lease(request)
                database.server.withLock { server in
                    for row in leased {
                        let lease = SimulatedDatabase.Lease(epoch: row.slice.epoch, routes: request.routes)
                        server.unanswered[request.worker, default: [:]][row.slice.id] = lease
                    }
                }
                return leased
            }
        }
        database.server.withLock { for row in leased { $0.unanswered[request.worker]?[row.slice.id] = nil } }
        return leased.map { ($0.slice.shifted(back: lead), $0.targets) }
    }

    typealias Rows = [(slice: SliceRow, targets: [UInt8])]

    func facts() async throws -> OutboxFacts {
        let database = database
        return try await statement(.facts) {
            let now = database.now
            var facts = OutboxFacts(engine: "simulated")
            facts.workers = database.server.withLock { server in
                server.claims.sorted { $0.key < $1.key }.map {
                    .init(id: $0.key, host: $0.value.host, remaining: $0.value.end - now)
                }
            }
            return facts
        }
    }

    // MARK: Dates

    func add(_ slices: Rows, to campaign: Int64) async throws -> Bool {
        let rows = slices.map { ($0.slice.shifted(by: lead), $0.targets) }
        return try await forward(.add) { try await $0.add(rows, to: campaign) }
    }

    func plan(_ planned: [PreparedCampaign]) async throws -> [Bool] {
        let shifted = planned.map { one in
            PreparedCampaign(
                campaign: one.campaign.shifted(by: lead),
                slices: one.slices.map { ($0.slice.shifted(by: lead), $0.targets) })
        }
        return try await forward(.plan) { try await $0.plan(shifted) }
    }

    func campaigns(_ which: CampaignSelection) async throws -> [Campaign] {
        try await forward(.campaigns) { try await $0.campaigns(which) }.map { $0.shifted(back: lead) }
    }

    func slices(
        of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
    ) async throws -> Rows {
        try await forward(.slices) { try await $0.slices(of: campaign, with: outcomes, after: after, limit: limit) }
            .map { ($0.slice.shifted(back: lead), $0.targets) }
    }

    func move(
        _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
    ) async throws -> Bool {
        let date = date.shifted(by: lead)
        return try await forward(.move) { try await $0.move(campaign, from: states, to: state, at: date) }
    }

    func delayPart(of campaign: Int64, _ part: Int, until date: Date) async throws {
        let date = date.shifted(by: lead)
        try await forward(.delayPart) { try await $0.delayPart(of: campaign, part, until: date) }
    }

    func leased(by worker: Int64?) async throws -> [SliceRow] {
        try await forward(.leased) { try await $0.leased(by: worker) }.map { $0.shifted(back: lead) }
    }

    func apply(_ changes: [SliceChange]) async throws -> [Bool] {
        let shifted = changes.map { $0.shifted(by: lead) }
        return try await forward(.apply) { try await $0.apply(shifted) }
    }

    func endFinished(at date: Date) async throws -> [Campaign] {
        let date = date.shifted(by: lead)
        return try await forward(.endFinished) { try await $0.endFinished(at: date) }.map { $0.shifted(back: lead) }
    }

    func prune(at date: Date, limit: Int) async throws -> Int {
        let date = date.shifted(by: lead)
        return try await forward(.prune) { try await $0.prune(at: date, limit: limit) }
    }
}

extension MemoryOutboxStore {
    /// Runs several steps as one.
    fileprivate func transaction<Value: Sendable>(_ body: @Sendable (isolated MemoryOutboxStore) -> Value) -> Value {
        body(self)
    }
}
