import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox

/// The clock of an outbox and its client jumps forward and back. Nothing may be sent twice.
struct ClockRound {
    private static let jumps: [TimeInterval] = [1, 60, 300, 3_600, 3_600, 90_000, 40 * 86_400]
    private static let longest = Duration.seconds(4)

    let world: World

    func run(for time: Duration) async throws {
        let (dice, findings) = (world.dice, world.findings)
        let round = try OutboxRound("whose clock jumps", in: world)
        let (plan, site) = (round.plan, round.sites[0])
        let clock = SetClock(pace: plan.pace)
        var configuration = Clients.configuration(site.vendor.kind)
        configuration.clock = clock
        let client = try world.clients.client(
            of: site.vendor.kind, at: site.origin, try site.carrier.transport(trusting: world.caFile), sliceSize: 5,
            configuration)
        var settings = OutboxSettings()
        settings.slicesInFlight = 4
        settings.onEvent = { findings.inspect("\($0)", "an event of an outbox") }
        let outbox = PushOutbox(
            MemoryOutboxStore(), routes: [plan.routes[0]: client], settings: settings,
            clock: SetClock(following: clock, speed: Work.speed))
        try await plan.enqueue(outbox)
        let worker = Task { () -> PushError? in
            do throws(PushError) { try await outbox.run() } catch { return error }
            return nil
        }
        let middle = ContinuousClock.now + time
        while ContinuousClock.now < middle {
            clock.jump(dice.pick(Self.jumps) * (dice.happens(50) ? 1 : -1))
            findings.state.withLock { $0.outcomes["jumps of a clock", default: 0] += 1 }
            try await Task.sleep(for: .milliseconds(dice.roll(1...150)))
        }
        site.vendor.calmDown()
        let end = ContinuousClock.now + Self.longest
        while ContinuousClock.now < end, case let progress = try await outbox.progress(now: plan.name),
            !progress.state.isEnded
        {
            if progress.needsPerson { try? await outbox.resume(plan.name) }
            clock.jump(3_600)
            try await Task.sleep(for: .milliseconds(50))
        }
        worker.cancel()
        if let error = await worker.value { findings.violate("\(round.name): the worker ended with \(error)") }
        await client.shutdown()
        site.stop()
        try await round.compare(outbox, isFinished: false)
        round.end()
    }
}
