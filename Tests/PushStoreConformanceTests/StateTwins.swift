import FoundationEssentials
import PushAdapter
import PushClient
import PushStoreConformance
import PushWebhooks
import Testing

@Suite("The checks of ledgers, nonces and shared quotas", .timeLimit(.minutes(20)))
struct StateTwins {
    @Test("nonces in memory pass", arguments: NonceStoreCheck.all)
    func nonces(_ check: NonceStoreCheck) async throws { try await check.run(MemoryNonceStore()) }

    @Test("a ledger in memory passes", arguments: DeviceLedgerCheck.all)
    func ledger(_ check: DeviceLedgerCheck) async throws { try await check.run(MemoryLedger()) }

    @Test("a quota in memory passes", arguments: SharedQuotaCheck.all)
    func quota(_ check: SharedQuotaCheck) async throws { try await check.run(BrokenQuota(nil)) }

    @Test("each check of nonces finds a store that breaks its rule", arguments: NonceStoreCheck.all)
    func broken(_ check: NonceStoreCheck) async throws {
        let rule = try #require(BrokenNonces.Rule(rawValue: check.description), "no store breaks this rule")
        await #expect(throws: NonceStoreCheck.Failure.self) { try await check.run(BrokenNonces(rule)) }
    }

    @Test("each check of a ledger finds one that breaks its rule", arguments: DeviceLedgerCheck.all)
    func broken(_ check: DeviceLedgerCheck) async throws {
        let rule = try #require(BrokenLedger.Rule(rawValue: check.description), "no ledger breaks this rule")
        await #expect(throws: DeviceLedgerCheck.Failure.self) { try await check.run(BrokenLedger(rule)) }
    }

    @Test("each check of a shared quota finds one that breaks its rule", arguments: SharedQuotaCheck.all)
    func broken(_ check: SharedQuotaCheck) async throws {
        let rule = try #require(BrokenQuota.Rule(rawValue: check.description), "no quota breaks this rule")
        await #expect(throws: SharedQuotaCheck.Failure.self) { try await check.run(BrokenQuota(rule)) }
    }
}

private actor BrokenNonces: NonceStore {
    enum Rule: String {
        case once = "a nonce is claimed once until it expires"
        case letters = "nonces that differ in case or spaces are different ones"
        case released = "a released nonce can be claimed again"
        case race = "of several claims at once, one wins"
    }

    private let inner = MemoryNonceStore()
    private let rule: Rule
    private var readers: [CheckedContinuation<Void, Never>] = []

    init(_ rule: Rule) { self.rule = rule }

    func claim(_ nonce: String, until expiry: Date, at now: Date) async -> Bool {
        switch rule {
        // Forgets it a little too early.
        case .once: return await inner.claim(nonce, until: expiry.addingTimeInterval(-2), at: now)
        case .letters: return await inner.claim(nonce.lowercased(), until: expiry, at: now)
        case .released: return await inner.claim(nonce, until: expiry, at: now)
        case .race:
            // All of them read before the first one writes.
            if readers.count + 1 < NonceStoreCheck.claimsAtOnce {
                await withCheckedContinuation { readers.append($0) }
            } else {
                for reader in readers { reader.resume() }
            }
            return true
        }
    }

    func release(_ nonce: String) async { if rule != .released { await inner.release(nonce) } }
}

private actor BrokenLedger: DeviceLedger {
    enum Rule: String {
        case empty = "a device that was never recorded has an empty record"
        case written = "a record is read as it was written"
        case replaced = "a record replaces the older one of its device"
    }

    private let inner = MemoryLedger()
    private let rule: Rule

    init(_ rule: Rule) { self.rule = rule }

    func record(of device: DeviceID) async -> DeviceRecord {
        rule == .empty ? DeviceRecord(tags: ["default"]) : await inner.record(of: device)
    }

    func keep(_ record: DeviceRecord, of device: DeviceID) async {
        var record = record
        switch rule {
        case .written: record.accounts = Set(record.accounts.map { Account(name: $0.name) })
        case .replaced: record.tags.formUnion(await inner.record(of: device).tags)
        case .empty: break
        }
        await inner.keep(record, of: device)
    }
}

/// A quota in memory that breaks one rule, or none. Its time stands still.
private actor BrokenQuota: SharedQuota {
    enum Rule: String {
        case full = "a new quota is full, and every further unit waits for its turn"
        case buckets = "buckets have units of their own"
        case lowered = "the vendor's number lowers a quota and never raises it"
        case pause = "a pause delays units that are there"
        case day = "a quota of a calendar day gives all units or none"
        case loweredDay = "the vendor's number lowers a quota of a calendar day and never raises it"
    }

    private let rule: Rule?
    private let now = Date()
    private var left: [QuotaBucket: Int] = [:]
    private var pauses: [QuotaBucket: Duration] = [:]

    init(_ rule: Rule?) { self.rule = rule }

    func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) -> Duration {
        let bucket = rule == .buckets ? "one" : bucket
        let rest = (left[bucket] ?? quota.limit) - count
        if case .day(let day) = quota.window, rest < 0, rule != .day {
            return .seconds(day.end(after: now).timeIntervalSince(now))
        }
        // The broken quota limits every wait to that of one unit.
        left[bucket] = rule == .full ? max(-1, rest) : rest
        let wait = quota.window.seconds / Double(quota.limit) * Double(max(0, -(left[bucket] ?? 0)))
        return max(.seconds(wait), pauses[bucket] ?? .zero)
    }

    func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) {
        left[bucket] = rule == .lowered || rule == .loweredDay ? remaining : min(remaining, left[bucket] ?? quota.limit)
        if rule != .pause { pauses[bucket] = pause }
    }
}

extension Quota.Window {
    fileprivate var seconds: Double {
        if case .rolling(let time) = self { Double(time.components.seconds) } else { 86_400 }
    }
}
