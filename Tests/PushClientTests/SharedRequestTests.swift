import FoundationEssentials
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@testable import PushClient

/// Callers that look at a pool just before another caller's request ends.
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
        // Of many callers, some look just then.
        for round in 1...300 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await take() } }
                try await group.waitForAll()
            }
            // These calls may have met the end of the last renewal, so one more may have to ask.
            try await until {
                _ = try await take()
                return pool.last?.mintedAt == clock.date
            }
            #expect(minted.withLock { $0 } == round)
            clock.advance(by: .seconds(3_400))
        }
    }

    @Test("a result that arrived since the caller looked is not requested again, and the caller does not wait")
    func arrived() async throws {
        let request = SharedRequest(clock: clock)
        let (sent, isThere) = (Locked(0), Locked(false))
        let work = SharedRequest.Work {
            !isThere.withLock { $0 }
        } send: { () throws(PushError) in
            sent.withLock { $0 += 1 }
            isThere.withLock { $0 = true }
        }
        try await request.finish(within: deadline, bringing: "a key", work)
        #expect(sent.withLock { $0 } == 1)
        try await request.finish(within: deadline, bringing: "a key", work)
        await request.start(work)
        isThere.withLock { $0 = false }
        try await request.finish(within: deadline, bringing: "a key", work)
        #expect(sent.withLock { $0 } == 2)
    }
}
