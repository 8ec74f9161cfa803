import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import Testing

/// What an outbox does at vendors whose keys promise less, or are short.
@Suite("Grades of keys in an outbox", .timeLimit(.minutes(20)))
struct KeyGradeTests {
    private struct Sent: Decodable { var key: String? }

    /// The keys of all requests, in order.
    private func keys(in world: OutboxWorld) throws -> [String] {
        try world.host.journal.entries(path: "/messages").map { entry in
            try #require(try JSONDecoder().decode(Sent.self, from: Data(entry.request.body)).key)
        }
    }

    /// Sends a campaign to all phones; the first response is lost.
    private func send(
        _ world: OutboxWorld, over client: PushClient, afterUnknown: CampaignOptions.AfterUnknown = .report
    ) async throws -> CampaignProgress {
        let outbox = world.outbox(client: client)
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = afterUnknown }
        #expect(try await world.finish(outbox))
        return try await outbox.progress(now: "sale")
    }

    @Test(
        "by default, a lost request with a key of a weaker grade is unknown, although it carried the key",
        arguments: [KeyMemory.Grade.target, .device, .unproven])
    func defaults(grade: KeyMemory.Grade) async throws {
        let world = OutboxWorld(.caller, devices: 3, grade: grade)
        let progress = try await send(world, over: world.client())
        #expect(progress.unknown == 3 && progress.resent == 0, "\(progress)")
        #expect(try keys(in: world).count == 1)
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("if the client's policy accepts the grade, the outbox repeats with the same key", arguments: [1, 3])
    func accepted(slices: Int) async throws {
        let world = OutboxWorld(.caller, devices: slices * 3, grade: .device)
        let client = world.client { $0.retry.repeatsAfterUnknown = [.vendor, .device] }
        let progress = try await send(world, over: client)
        #expect(progress.unknown == 0 && progress.resent == 0, "\(progress)")
        let keys = try keys(in: world)
        #expect(keys.count == slices + 1 && Set(keys).count == 1)
        #expect(await world.deliveries == Array(repeating: 1, count: slices * 3))
    }

    @Test(
        "a resend to unknown targets has the message's key, so no phone shows it twice; without such a key it may",
        arguments: [KeyMemory.Grade.target, .device, .unproven])
    func resent(grade: KeyMemory.Grade) async throws {
        let world = OutboxWorld(.caller, devices: 3, grade: grade)
        let progress = try await send(world, over: world.client(), afterUnknown: .resend)
        #expect(progress.unknown == 0 && progress.resent == 3, "\(progress)")
        let keys = try keys(in: world)
        #expect(keys.count == 2 && Set(keys).count == (grade == .unproven ? 2 : 1))
        #expect(await world.deliveries == Array(repeating: grade == .unproven ? 2 : 1, count: 3))
    }

    @Test("where each target has a request of its own, all of them carry the message's key, also the resent one")
    func singly() async throws {
        let world = OutboxWorld(.caller, devices: 3, grade: .device)
        let progress = try await send(world, over: world.client(perRequest: 1), afterUnknown: .resend)
        #expect(progress.unknown == 0 && progress.resent == 1, "\(progress)")
        let keys = try keys(in: world)
        #expect(keys.count == 4 && Set(keys).count == 1)
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("a worker whose policy no longer accepts the grade does not repeat what another began")
    func laterPolicy() async throws {
        let world = OutboxWorld(.caller, devices: 3, grade: .device)
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        let first = world.outbox(client: world.client { $0.retry.repeatsAfterUnknown = [.device] })
        try await world.enqueue(first)
        try await first.runUntilIdle()
        #expect(try await first.progress(now: "sale").open == 3)
        let second = world.outbox()
        #expect(try await world.finish(second))
        #expect(try await second.progress(now: "sale").unknown == 3)
        #expect(try keys(in: world).count == 1)
    }

    @Test("a policy without any grade repeats nothing, also where the vendor makes the keys")
    func noGrades() async throws {
        let world = OutboxWorld(.vendor, devices: 3)
        let progress = try await send(world, over: world.client { $0.retry.repeatsAfterUnknown = [] })
        #expect(progress.unknown == 3 && world.host.journal.entries(path: "/messages").count == 1)
    }

    @Test("where keys are short, each slice has its own of that length, and a lost request is repeated with it")
    func shortKeys() async throws {
        var world = OutboxWorld(.caller, devices: 6)
        world.keyLength = 8
        let progress = try await send(world, over: world.client())
        #expect(progress.unknown == 0, "\(progress)")
        let keys = try keys(in: world)
        #expect(keys.count == 3 && Set(keys).count == 2)
        #expect(keys.allSatisfy { $0.utf8.count == 8 && $0.allSatisfy(AllowedCharacters.alphanumerics.contains) })
        #expect(await world.deliveries == [1, 1, 1, 1, 1, 1])
    }
}
