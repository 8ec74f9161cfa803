import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import Testing

@Suite("An outbox, whatever happens in whatever order")
struct WalkTests {
    @Test("no walk breaks a promise", arguments: Keys.allCases)
    func walks(_ keys: Keys) async throws {
        for seed in UInt64(1)...60 {
            var random = SplitMix(seed: seed)
            let steps = (0..<14).map { _ in random.next() }
            guard let failure = try await Walk.failure(keys, seed, steps) else { continue }
            Issue.record("\(try await Walk.shrunk(keys, seed, steps, failure))")
            return
        }
    }

    @Test("what breaks a promise is told by its shortest walk")
    func shrinking() async throws {
        let story = try await Walk.shrunk(.none, 1, Array(0..<9), "") { steps in
            steps.contains(3) && steps.contains(7) ? "\(steps)" : nil
        }
        #expect(story == "[3, 7]")
    }
}

/// A campaign for ten phones, two of them gone, and a random series of events.
private struct Walk {
    private let world: OutboxWorld
    private let person: PushOutbox
    private let edit: @Sendable (inout CampaignOptions) -> Void
    private var random: SplitMix
    private var story: [String]

    /// Runs a walk of these steps; each step is a seed. Returns the error, or nil if there is none.
    static func failure(_ keys: Keys, _ seed: UInt64, _ steps: [UInt64]) async throws -> String? {
        var walk = Walk(keys, seed: seed)
        do {
            for step in steps { try await walk.step(SplitMix(seed: step)) }
            try await walk.end()
            return nil
        } catch {
            return "\(walk.story): \(error)"
        }
    }

    /// The error of the shortest failing walk, found by leaving out steps of this one.
    static func shrunk(
        _ keys: Keys, _ seed: UInt64, _ steps: [UInt64], _ story: String,
        by failure: (([UInt64]) async throws -> String?)? = nil
    ) async throws -> String {
        var (steps, story, index) = (steps, story, 0)
        while index < steps.count {
            var fewer = steps
            fewer.remove(at: index)
            let told = if let failure { try await failure(fewer) } else { try await Self.failure(keys, seed, fewer) }
            if let told { (steps, story) = (fewer, told) } else { index += 1 }
        }
        return story
    }

    /// A broken promise.
    private struct Broken: Error, CustomStringConvertible { let description: String }

    private func expect(_ holds: Bool, _ what: String) throws {
        guard holds else { throw Broken(description: what) }
    }

    private init(_ keys: Keys, seed: UInt64) {
        random = SplitMix(seed: seed)
        world = OutboxWorld(keys, missing: [1, 7])
        person = world.outbox()
        let resends = Bool.random(using: &random)
        edit = { $0.afterUnknown = resends ? .resend : .report }
        story = ["\(keys), seed \(seed)\(resends ? ", resends" : "")"]
    }

    private mutating func step(_ next: SplitMix) async throws {
        random = next
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

    /// The caller enqueues after each start, as after a crash.
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

    /// Allows a refused operation, because there is no campaign or it has ended. It changes nothing.
    private mutating func operate(_ name: String, _ operation: (PushOutbox) async throws -> Void) async throws {
        story.append(name)
        do { try await operation(person) } catch let error as PushError {
            try expect([.invalidArgument, .invalidState].contains(error.kind), "\(error)")
        }
    }

    private func end() async throws {
        world.host.faults.removeAll()
        try await world.enqueue(person, edit)
        let state = try await person.progress(now: "sale").state
        if !state.isEnded { try await person.resume("sale") }
        try expect(try await world.finish(person), "it does not end")
        let progress = try await person.progress(now: "sale")
        try expect(progress.total == 10 && (progress.open == 0 || progress.state == .cancelled), "\(progress)")
        let (deliveries, statuses) = (await world.deliveries, try await world.statuses(person))
        try expect(deliveries.reduce(0) { $0 + max(0, $1 - 1) } <= progress.resent, "\(deliveries)")
        for (index, (count, status)) in zip(deliveries, statuses).enumerated() {
            switch status {
            case nil: try expect(count >= 1, "phone \(index) was accepted")
            case .unknown: break
            case .invalid, .malformed, .rejected, .notAttempted:
                try expect(count == 0, "phone \(index) is \(String(describing: status)), with \(count) messages")
            default: try expect(false, "phone \(index) is \(String(describing: status))")
            }
        }
    }
}
