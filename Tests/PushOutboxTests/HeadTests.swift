import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import Testing

@Suite("Slices whose head is refused as the message would be")
struct HeadTests {
    private static let refusal = SimulatedResponse(
        status: 400, body: Array(#"{"code":1,"message":"the request cannot be read"}"#.utf8))

    private func world(refusals: Int) async throws -> OutboxWorld {
        let world = OutboxWorld(.noneSingly, devices: 400)
        world.host.faults.add(.answer(Self.refusal), times: refusals, path: "/messages")
        try await world.enqueue(world.outbox())
        return world
    }

    @Test("the good targets behind a bad head get the message at the first try, and the head is rejected, not invalid")
    func badHead() async throws {
        let world = try await world(refusals: 100)
        let outbox = world.outbox(client: world.client(atOnce: 1))
        try await outbox.runUntilIdle()
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.state == .finished && progress.accepted == 300)
        #expect(progress.targets[.rejected] == 100 && progress.targets[.invalid] == nil)
        #expect(await world.deliveries == Array(repeating: 0, count: 100) + Array(repeating: 1, count: 300))
        #expect(world.host.journal.count == 400)
    }

    @Test("a message that is refused for all costs each try a hundred requests and one more from the end of the slice")
    func refusedForAll() async throws {
        let world = try await world(refusals: 10_000)
        let outbox = world.outbox(client: world.client(atOnce: 1))
        try await outbox.runUntilIdle()
        // Before that, a route without a response yet is tried with the targets of one mark.
        let first = 8
        #expect(world.host.journal.count == first + 101)
        let rejected = try await world.statuses(outbox).enumerated().filter { $1 == .rejected(mayRetry: false) }
        #expect(rejected.map(\.offset) == Array(0..<first + 100) + [399])
        #expect(try await world.finish(outbox))
        #expect(try await outbox.progress(now: "sale").targets == [.rejected: 400])
        #expect(world.host.journal.count == 400)
    }

    @Test(
        "a crash after the end of a slice was asked leaves a few targets unknown, not all between, and none gets it twice"
    )
    func crash() async throws {
        let world = try await world(refusals: 100)
        let life = Life(endingAtMessageTo: world.devices[150])
        let mortal = world.outbox(life, client: world.client(life, atOnce: 1))
        let process = Task { try await mortal.runUntilIdle() }
        life.onEnd.withLock { $0 = { process.cancel() } }
        _ = await process.result
        await world.forgetProcesses()
        let outbox = world.outbox()
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect((1...100).contains(progress.unknown) && progress.targets[.rejected] == 100)
        #expect(progress.accepted == 300 - progress.unknown)
        #expect(await world.deliveries.allSatisfy { $0 <= 1 })
    }
}
