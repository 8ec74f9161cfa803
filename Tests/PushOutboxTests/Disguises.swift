import FoundationEssentials
import PushAdapter
import PushClient
import PushMemory
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// The memory vendor, behaving like another vendor.
struct DisguisedProvider: PushProvider {
    enum Disguise: Sendable {
        case usual
        /// It has keys, but not for every request, and does not say so.
        case withoutKeysInRequests
        /// A refusal of a request with one target concerns only that target.
        case isolating
    }

    let base: MemoryProvider
    let disguise: Disguise

    var id: ProviderID { base.id }
    var dataCenter: DataCenter { base.dataCenter }
    var capabilities: Capabilities { base.capabilities }
    var authorizer: any Authorizer { base.authorizer }

    var roles: Roles {
        var roles = base.roles
        if case .withoutKeysInRequests = disguise {
            roles.send = { (message, now) throws(PushError) in
                { (audience, _) throws(PushError) in try base.send(message, to: audience, in: SendContext(at: now)) }
            }
        }
        return roles
    }

    func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
        guard var error = base.diagnose(response, to: call) else { return nil }
        if case .isolating = disguise, call.operation == .send {
            error.kind = .unauthorized
            error.retry = .never
            error.vendor?.verdict = .isolated
        }
        return error
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}

/// A store that executes a call and then fails, like a connection that breaks during a commit.
final class ForgetfulStore: ForwardingOutboxStore {
    /// The calls that can lose their result. They are counted.
    static let losable: [OutboxCall] = [
        .create, .add, .plan, .activate, .lease, .apply, .move, .campaigns, .submitted, .endFinished, .orphans,
    ]

    let base: any OutboxStore
    private let count: Int
    private let lost = Locked<[OutboxCall: Int]>([:])
    /// The campaign that it refuses to plan in any transaction.
    let unplannable = Locked<CampaignName?>(nil)
    private let happenings = Locked<[OutboxCall: @Sendable () async -> Void]>([:])

    let lead: Duration?

    /// - Parameters:
    ///   - count: the number of workers that it reports.
    ///   - lead: the reported lead of its server's clock.
    init(_ base: any OutboxStore, workers count: Int = 1, lead: Duration? = nil) {
        (self.base, self.count, self.lead) = (base, count, lead)
    }

    func workers() async throws -> Int { count }

    /// Loses the results of this many calls.
    func lose(_ call: OutboxCall, times: Int = 1) { lost.withLock { $0[call] = times } }

    /// Runs an action once, between a call and its result.
    func during(_ call: OutboxCall, _ happens: @escaping @Sendable () async -> Void) {
        happenings.withLock { $0[call] = happens }
    }

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        let value = try await body(base)
        guard Self.losable.contains(call) else { return value }
        await happenings.withLock { $0.removeValue(forKey: call) }?()
        let isLost = lost.withLock { lost in
            guard let count = lost[call], count > 0 else { return false }
            lost[call] = count - 1
            return true
        }
        if isLost { throw Life.Ended() }
        return value
    }

    func plan(_ planned: [PreparedCampaign]) async throws -> [Bool] {
        if planned.contains(where: { one in unplannable.withLock { $0 == one.campaign.name } }) { throw Life.Ended() }
        return try await forward(.plan) { try await $0.plan(planned) }
    }
}

/// A store that cannot be reached: calls fail before they change anything. A claim ends as if its worker had died.
final class UnreachableStore: ForwardingOutboxStore {
    let base: any OutboxStore
    private let failing = Locked<Set<OutboxCall>>([])
    private let count = Locked(0)

    init(_ base: any OutboxStore) { self.base = base }

    /// Lets these calls fail from now on, and no others.
    func fail(_ calls: Set<OutboxCall>) { failing.withLock { $0 = calls } }

    /// The number of calls that failed.
    var failures: Int { count.withLock { $0 } }

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        guard failing.withLock({ $0.contains(call) }) else { return try await body(base) }
        count.withLock { $0 += 1 }
        if call == .release { _ = try await body(base) }
        throw Life.Ended()
    }
}

/// A store that becomes mute. It still makes every change and every lease. But its answers to changes are lost, and so is
/// the answer to the second lease. It answers again after one more lease.
final class MuteStore: ForwardingOutboxStore {
    let base: any OutboxStore
    /// The leases since it became mute; three or more if it answers.
    private let leases = Locked(3)

    init(_ base: any OutboxStore) { self.base = base }

    func mute() { leases.withLock { $0 = 0 } }

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        try await body(base)
    }

    func apply(_ changes: [SliceChange]) async throws -> [Bool] {
        let made = try await base.apply(changes)
        guard changes.isEmpty || leases.withLock({ $0 }) > 2 else { throw Life.Ended() }
        return made
    }

    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        let leased = try await base.lease(request)
        let number = leases.withLock { leases in
            if !leased.isEmpty || leases == 2 { leases += 1 }
            return leases
        }
        guard leased.isEmpty || number != 2 else { throw Life.Ended() }
        return leased
    }
}

/// A store that carries out one lease late: after the worker has stopped waiting for the answer and has looked at what
/// it holds.
final class LateStore: ForwardingOutboxStore {
    let base: any OutboxStore
    private let late = Locked<OutboxLease?>(nil)
    private let isDone = Locked(false)

    init(_ base: any OutboxStore) { self.base = base }

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        try await body(base)
    }

    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        // Nothing is there to recover.
        guard !request.wantsRecovered, !isDone.withLock({ $0 }) else { return try await base.lease(request) }
        isDone.withLock { $0 = true }
        late.withLock { $0 = request }
        throw Life.Ended()
    }

    func leased(by worker: Int64?) async throws -> [SliceRow] {
        let leased = try await base.leased(by: worker)
        let request = late.withLock { late in
            defer { late = nil }
            return late
        }
        if let request { _ = try await base.lease(request) }
        return leased
    }
}

/// A clock whose date may be wrong.
struct SkewedClock: PushClock {
    let base: any PushClock
    /// The lead of its date, in seconds.
    let lead = Locked(0.0)
    /// How often the date is read until the clock is set back by eight hours; 0 for never.
    let setBackAtReading = Locked(0)

    init(_ base: any PushClock, lead: Double = 0) {
        self.base = base
        self.lead.withLock { $0 = lead }
    }

    var elapsed: Duration { base.elapsed }
    var date: Date {
        let isDue = setBackAtReading.withLock { readings in
            guard readings > 0 else { return false }
            readings -= 1
            return readings == 0
        }
        if isDue { lead.withLock { $0 -= 8 * 3_600 } }
        return base.date.addingTimeInterval(lead.withLock { $0 })
    }
    func sleep(for duration: Duration) async throws(CancellationError) { try await base.sleep(for: duration) }
    func expire(after duration: Duration) async throws(CancellationError) { try await base.expire(after: duration) }
}
