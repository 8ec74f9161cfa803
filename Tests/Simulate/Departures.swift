import PushAdapter
import PushClient
import PushSimulationTesting

/// The requests that left, to compare with a quota.
final class Departures: Sendable {
    private let all = Locked<[(time: Duration, request: TransportRequest)]>([])
    /// When the vendor's quota was full again, as its throttles said.
    private let openings = Locked<[ClosedRange<Duration>]>([])

    func note(_ event: SimulatedLink.Event, at now: Duration) {
        switch event {
        case .left(let request): all.withLock { $0.append((now, request)) }
        // The server did not process it, so the vendor does not count it.
        case .ended(let request, .failure(let error)) where error.effect == .notApplied && error.vendor == nil:
            all.withLock { all in
                if let last = all.lastIndex(where: { $0.request.isSame(as: request) }) { all.remove(at: last) }
            }
        case .ended(_, .success(let response)) where [429, 503].contains(response.status):
            // Without the header, a body may name up to a second.
            let named = response.retryAfter
            openings.withLock { $0.append(now + (named ?? .zero)...now + (named ?? .seconds(1))) }
        default: break
        }
    }

    /// In any span of time, the requests that leave may not exceed a full quota plus the refill in that span. At the end
    /// of a throttle that the vendor named, the quota is full again.
    /// - Parameter late: how long after its reserved time a request may leave.
    func check(_ quota: Quota, late: Duration) throws(Violation) {
        let (times, openings) = (all.withLock { $0.map(\.time) }, openings.withLock { $0 })
        for (first, start) in times.enumerated() {
            for (last, end) in times.enumerated().dropFirst(first + 1) {
                let span = end - start
                let full = 1 + openings.count { start <= $0.upperBound && $0.lowerBound <= end }
                let most = Double(quota.limit) * (Double(full) + (span + late).seconds / quota.seconds)
                try require(
                    Double(last - first + 1) <= most + 0.01,
                    "\(last - first + 1) requests left within \(span), with a quota of \(quota.limit) each \(quota.seconds) seconds"
                )
            }
        }
    }
}

/// A quota that several processes share, kept by a server.
struct SimulatedQuota: SharedQuota {
    /// The server's count.
    final class Bank: Sendable {
        fileprivate struct Bucket {
            var tokens: Double
            var refilledAt: Duration
            var pausedUntil = Duration.zero
        }

        fileprivate let buckets = Locked<[QuotaBucket: Bucket]>([:])
    }

    private let bank: Bank
    private let process: SimulatedProcess

    init(_ bank: Bank, _ process: SimulatedProcess) { (self.bank, self.process) = (bank, process) }

    func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) async throws -> Duration {
        await change(bucket, quota) { bucket, now in
            bucket.tokens -= Double(count)
            let wait = Duration.seconds(max(0, -bucket.tokens * quota.seconds / Double(quota.limit)))
            return max(wait, bucket.pausedUntil - now)
        }
    }

    func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) async throws {
        _ = await change(bucket, quota) { bucket, now in
            bucket.tokens = min(bucket.tokens, Double(remaining))
            bucket.pausedUntil = max(bucket.pausedUntil, now + pause)
            return .zero
        }
    }

    private func change(
        _ name: QuotaBucket, _ quota: Quota, _ body: @Sendable (inout Bucket, Duration) -> Duration
    ) async -> Duration {
        let simulation = process.simulation
        await process.pass()
        await simulation.sleep(.milliseconds(3) * simulation.random.fraction())
        let now = simulation.clock.elapsed
        let wait = bank.buckets.withLock { buckets in
            var bucket = buckets[name] ?? Bucket(tokens: Double(quota.limit), refilledAt: now)
            let gained = (now - bucket.refilledAt).seconds * Double(quota.limit) / quota.seconds
            (bucket.tokens, bucket.refilledAt) = (min(Double(quota.limit), bucket.tokens + gained), now)
            defer { buckets[name] = bucket }
            return body(&bucket, now)
        }
        await simulation.sleep(.milliseconds(3) * simulation.random.fraction())
        await process.pass()
        return wait
    }

    private typealias Bucket = Bank.Bucket
}

extension SimulatedLink.Event {
    var request: TransportRequest {
        switch self {
        case .left(let request), .ended(let request, _): request
        }
    }
}

extension TransportRequest {
    fileprivate func isSame(as other: TransportRequest) -> Bool {
        guard case .bytes(let bytes, _) = body, case .bytes(let others, _) = other.body else { return false }
        return url == other.url && bytes == others
    }
}
