import FoundationEssentials
import PushAdapter
import PushSimulationTesting
import Testing

@Suite("A simulation with a seed")
struct SimulationTests {
    private actor Log {
        var lines: [String] = []
        func append(_ line: String) { lines.append(line) }
    }

    /// Four tasks that take turns at an actor.
    private func order(_ seed: UInt64, _ strategy: Strategy? = nil) throws -> (lines: [String], trace: UInt64) {
        let run = try Simulation.run(seed: seed, strategy: strategy) { simulation in
            let log = Log()
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        for step in 0..<5 {
                            await log.append("\(task).\(step)")
                            if step == 2 { await simulation.sleep(.seconds(Double(simulation.random.next() % 3))) }
                        }
                    }
                }
            }
            return await log.lines
        }
        return (run.value, run.trace)
    }

    /// Tells its end.
    private final class Open: Sendable {
        let isOver: Locked<Bool>
        init(_ isOver: Locked<Bool>) { self.isOver = isOver }
        deinit { isOver.withLock { $0 = true } }
    }

    @Test("what is kept ends after the run, and everything else with its last use", arguments: [true, false])
    func kept(isKept: Bool) throws {
        let isOver = Locked(false)
        let run = try Simulation.run(seed: 1) { simulation in
            if isKept { simulation.keep(Open(isOver)) } else { _ = Open(isOver) }
            await simulation.sleep(.seconds(1))
            return isOver.withLock { $0 }
        }
        #expect(run.value == !isKept && isOver.withLock { $0 })
    }

    @Test("the same seed gives the same order, and others give others", arguments: Strategy.allCases)
    func sameOrder(_ strategy: Strategy) throws {
        var orders: Set<[String]> = []
        for seed in UInt64(1)...20 {
            let (first, again) = (try order(seed, strategy), try order(seed, strategy))
            #expect(first == again)
            orders.insert(first.lines)
        }
        #expect(orders.count >= 5)
    }

    @Test("a day of sleep takes no time, and wakes who sleeps shorter first")
    func virtualTime() throws {
        let start = ContinuousClock.now
        let run = try Simulation.run(seed: 1) { simulation in
            let log = Log()
            await withTaskGroup(of: Void.self) { group in
                for hours in [24, 3, 12] {
                    group.addTask {
                        try? await simulation.clock.sleep(for: .seconds(hours * 3600))
                        await log.append("\(hours)")
                    }
                }
            }
            return await log.lines
        }
        #expect(run.value == ["3", "12", "24"] && run.time == .seconds(86_400))
        #expect(ContinuousClock.now - start < .seconds(3_600))
    }

    @Test("a sleep that is cancelled ends at once")
    func cancelledSleep() throws {
        let run = try Simulation.run(seed: 1) { simulation in
            let sleeper = Task { try await simulation.clock.sleep(for: .seconds(3600)) }
            await simulation.sleep(.seconds(1))
            sleeper.cancel()
            let result = await sleeper.result
            return (try? result.get()) == nil
        }
        #expect(run.value && run.time == .seconds(1))
    }

    @Test("nothing of a process runs after it is killed, and what has left it goes on", arguments: UInt64(1)...20)
    func kill(_ seed: UInt64) throws {
        let run = try Simulation.run(seed: seed) { simulation in
            let steps = Locked((last: Duration.zero, hasArrived: false, hasCleanedUp: false))
            let process = simulation.process("worker") { process in
                defer { steps.withLock { $0.hasCleanedUp = true } }
                process.leave {
                    await simulation.sleep(.seconds(60))
                    steps.withLock { $0.hasArrived = true }
                }
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            while true {
                                await simulation.sleep(.milliseconds(100))
                                steps.withLock { $0.last = process.clock.elapsed }
                            }
                        }
                    }
                }
            }
            await simulation.sleep(.seconds(5))
            let killedAt = simulation.clock.elapsed
            process.kill()
            await process.untilEnd()
            await simulation.sleep(.seconds(100))
            let (last, hasArrived, hasCleanedUp) = steps.withLock { $0 }
            return last > .zero && last <= killedAt && hasArrived && !hasCleanedUp && process.hasEnded
        }
        #expect(run.value)
    }

    @Test("a process that is stopped goes on later, and its clock with the others'", arguments: UInt64(1)...20)
    func pause(_ seed: UInt64) throws {
        let run = try Simulation.run(seed: seed) { simulation in
            let gaps = Locked<[Duration]>([])
            let process = simulation.process("worker", skew: .seconds(90)) { process in
                var last = process.clock.elapsed
                for _ in 0..<20 {
                    try await process.clock.sleep(for: .milliseconds(100))
                    gaps.withLock { [last] in $0.append(process.clock.elapsed - last) }
                    last = process.clock.elapsed
                }
            }
            await simulation.sleep(.milliseconds(950))
            process.pause()
            await simulation.sleep(.seconds(30))
            let steps = gaps.withLock(\.count)
            process.resume()
            await process.untilEnd()
            let ahead = process.clock.date.timeIntervalSince(simulation.clock.date)
            return steps == 9 && gaps.withLock { $0.count { $0 > .seconds(29) } } == 1 && ahead == 90
        }
        #expect(run.value)
    }

    @Test("what waits for ever, what does not end and what leaves the simulation is told")
    func failures() {
        var limits = Simulation.Limits()
        limits.time = .seconds(60)
        #expect(throws: Simulation.Failure.self) {
            try Simulation.run(seed: 1, limits: limits) { simulation in
                while true { await simulation.sleep(.seconds(1)) }
            }
        }
        let failure = #expect(throws: Simulation.Failure.self) {
            try Simulation.run(seed: 1) { simulation in
                simulation.tell("before")
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        #expect(failure?.reason.contains("Task.sleep") == true && failure?.story.count == 1)
        let thrown = #expect(throws: Simulation.Failure.self) {
            try Simulation.run(seed: 1) { simulation in
                simulation.tell("so far")
                throw PushError(.busy, "too much")
            }
        }
        #expect(thrown?.reason.contains("too much") == true && thrown?.story.count == 1)
    }
}
