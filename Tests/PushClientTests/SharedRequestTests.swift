import FoundationEssentials
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@testable import PushClient

/// Callers that look at a pool while another caller's request ends. Each round has many, so some look just before.
@Suite("Requests that callers share")
struct SharedRequestTests {
    private let clock = VirtualClock()
    private var deadline: Deadline { Deadline(after: .seconds(10), clock: clock, gate: ShutdownGate()) }

    @Test("a token that is due is renewed once, also for a caller that saw the old one until the new one arrived")
    func renewedOnce() async throws {
        let minted = Locked(0)
        let minting = TokenMinting(renewalMargin: .seconds(300)) { (_, now) throws(PushError) in
            let number = minted.withLock { minted in
                minted += 1
                return minted
            }
            return .made(AccessToken(Secret("t\(number)"), mintedAt: now, expiresAt: now.addingTimeInterval(3_600)))
        }
        let pool = TokenPool(minting, .app, clock: clock)
        let take: @Sendable () async throws -> AccessToken = { [deadline] in
            try await pool.token(within: deadline) { (_) throws(PushError) in
                throw PushError(.invalidState, "nothing is fetched")
            }
        }
        for round in 1...300 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await take() } }
                try await group.waitForAll()
            }
            await until { minted.withLock { $0 } >= round }
            #expect(minted.withLock { $0 } == round)
            clock.advance(by: .seconds(3_400))
        }
    }

    @Test("no more keys are requested than the pool wants to have, also by a caller that saw it empty until then")
    func keys() async throws {
        let minted = Locked(0)
        let clock = clock
        let pool = KeyPool(batch: 8, lifetime: .seconds(3_600), clock: clock)
        let mint: KeyPool.Mint = { (count) throws(PushError) in
            let last = minted.withLock { minted in
                minted += count
                return minted
            }
            return (last - count..<last).map {
                IdempotencyKey(
                    "k\($0)", kind: .push, mintedAt: clock.date, expiresAt: clock.date.addingTimeInterval(3_600))
            }
        }
        let take: @Sendable () async throws -> IdempotencyKey = { [deadline] in
            try await pool.take(within: deadline, mint).get()
        }
        for round in 1...300 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await take() } }
                try await group.waitForAll()
            }
            // It requests eight more while it has six.
            #expect(minted.withLock { $0 } - round * 20 <= 14)
        }
    }
}
