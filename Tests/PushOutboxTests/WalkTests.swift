import PushClient
import PushCore
import PushOutbox
import PushSimulation
import Testing

@Suite("An outbox, whatever happens in whatever order")
struct WalkTests {
    @Test("no walk breaks a promise", arguments: Keys.allCases)
    func walks(_ keys: Keys) async throws {
        for seed in UInt64(1)...60 {
            var walk = Walk(keys, seed: seed)
            for _ in 0..<14 { try await walk.step() }
            try await walk.end()
        }
    }
}

/// A campaign to ten phones, two of which are gone, and what happens to it.
private struct Walk {
    private let world: OutboxWorld
    private let person: PushOutbox
    private let edit: @Sendable (inout CampaignOptions) -> Void
    private var random: SplitMix
    private var story: [String]

    init(_ keys: Keys, seed: UInt64) {
        random = SplitMix(seed: seed)
        world = OutboxWorld(keys, missing: [1, 7])
        person = world.outbox()
        let resends = Bool.random(using: &random)
        edit = { $0.afterUnknown = resends ? .resend : .report }
        story = ["\(keys), seed \(seed)\(resends ? ", resends" : "")"]
    }

    mutating func step() async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: await live()
        case 5..<8: await die()
        case 8..<12: fail()
        case 12: try await operate("pause") { try await $0.pause("sale") }
        case 13, 14: try await operate("resume") { try await $0.resume("sale") }
        case 15: try await operate("resend") { try await $0.resendUnknown("sale") }
        case 16 where Int.random(in: 0..<4, using: &random) == 0:
            try await operate("cancel") { try await $0.cancel("sale") }
        default:
            let seconds = [1, 20, 70, 900].randomElement(using: &random) ?? 1
            story.append("\(seconds) s")
            world.clock.advance(by: .seconds(seconds))
        }
    }

    private mutating func live() async {
        story.append("work")
        await work(Life(endingAt: .max))
    }

    private mutating func die() async {
        let life = Life(endingAt: Int.random(in: 1...40, using: &random), after: Bool.random(using: &random))
        if Bool.random(using: &random) { life.failures.withLock { $0 = 2 } }
        await work(life)
        story.append("end at \(life.steps)")
    }

    /// The caller enqueues after each start, as it does after a crash.
    private func work(_ life: Life) async {
        await world.live(life) { [world, edit] outbox in
            try await world.enqueue(outbox, edit)
            try await outbox.runUntilIdle()
        }
    }

    private mutating func fail() {
        let faults: [(String, Fault)] = [
            ("lost", .actedThenLost), ("throttle", .throttle(reset: 4)), ("503", .serverError(status: 503)),
            ("refused", .refusedStream), ("lost", .actedThenLost),
        ]
        guard let (name, fault) = faults.randomElement(using: &random) else { return }
        let times = Int.random(in: 1...4, using: &random)
        story.append("\(times) \(name)")
        world.host.faults.add(fault, times: times, path: "/messages")
    }

    /// What is refused, because there is no campaign or it has ended, changes nothing.
    private mutating func operate(_ name: String, _ operation: (PushOutbox) async throws -> Void) async throws {
        story.append(name)
        do { try await operation(person) } catch let error as PushError {
            try #require([.invalidArgument, .invalidState].contains(error.kind), "\(story): \(error)")
        }
    }

    func end() async throws {
        world.host.faults.removeAll()
        try await world.enqueue(person, edit)
        let state = try await person.progress(now: "sale").state
        if !state.isEnded { try await person.resume("sale") }
        #expect(try await world.finish(person), "\(story)")
        let progress = try await person.progress(now: "sale")
        #expect(progress.total == 10 && (progress.open == 0 || progress.state == .cancelled), "\(story): \(progress)")
        let (deliveries, statuses) = (await world.deliveries, try await world.statuses(person))
        #expect(deliveries.reduce(0) { $0 + max(0, $1 - 1) } <= progress.resent, "\(story): \(deliveries)")
        for (index, (count, status)) in zip(deliveries, statuses).enumerated() {
            switch status {
            case nil: #expect(count >= 1, "\(story): phone \(index) was accepted")
            case .unknown: break
            case .invalid, .rejected, .notAttempted:
                #expect(count == 0, "\(story): phone \(index) is \(String(describing: status))")
            default: Issue.record("\(story): phone \(index) is \(String(describing: status))")
            }
        }
    }
}
