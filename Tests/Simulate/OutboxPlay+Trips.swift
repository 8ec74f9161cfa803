import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationTesting

/// What happens at calls of the workers to the store.
extension OutboxPlay {
    /// The trips at a machine's next call.
    func trips(_ machine: Int, _ steps: [OutboxWorld.Trip.Step]) -> [OutboxWorld.Trip] {
        let (trips, awake) = state.withLock { state -> ([OutboxWorld.Trip], [SimulatedProcess]) in
            guard !state.isOver, world.machines.indices.contains(machine) else { return ([], []) }
            for step in steps {
                state.steps[machine, default: [:]][step, default: 0] += 1
                state.steps[nil, default: [:]][step, default: 0] += 1
            }
            let trips = world.trips.filter { trip in
                steps.contains(trip.step) && trip.machine ?? machine == machine
                    && state.steps[trip.machine]?[trip.step] == trip.number
            }
            return (trips, Self.awake(machine, steps, &state))
        }
        wake(awake)
        return trips
    }

    private func wake(_ processes: [SimulatedProcess]) {
        for process in processes {
            simulation.tell("--- \(process.name) goes on")
            process.resume()
        }
    }

    /// Workers that stopped until others have written, and go on now.
    private static func awake(
        _ machine: Int, _ steps: [OutboxWorld.Trip.Step], _ state: inout State
    ) -> [SimulatedProcess] {
        var awake: [SimulatedProcess] = []
        let isPlan = steps.contains(.call(.plan))
        for (other, one) in state.stopped.sorted(by: { $0.key < $1.key })
        where other != machine && one.writes > 0 && (isPlan || one.isReplaced && steps.contains(.call(.apply))) {
            state.stopped[other] = one.writes > 1 ? (one.process, true, one.writes - 1) : nil
            if one.writes == 1 { awake.append(one.process) }
        }
        return awake
    }

    /// Notes that a worker has found another worker's orphaned slices. Returns whether their worker goes on now.
    func noteOrphans(by machine: Int) -> Bool {
        let awake = state.withLock { state in
            for other in state.stopped.keys where other != machine { state.stopped[other]?.isReplaced = true }
            let awake = state.stopped.filter { $0.value.isReplaced && $0.value.writes == 0 }
            for other in awake.keys { state.stopped[other] = nil }
            return awake.sorted { $0.key < $1.key }.map(\.value.process)
        }
        wake(awake)
        return !awake.isEmpty
    }

    /// Lets the event of a trip happen to a worker.
    func happen(_ event: OutboxWorld.Trip.Event, to process: SimulatedProcess, on machine: Int) {
        switch event {
        case .kill: process.kill()
        case .pause(let time):
            process.pause()
            process.leave { [simulation] in
                await simulation.sleep(time)
                process.resume()
            }
        case .takeover(let writes):
            process.pause()
            state.withLock { $0.stopped[machine] = (process, false, writes) }
        case .cancelled(let time):
            happen(.pause(time), to: process, on: machine)
            process.leave {
                for sale in self.world.sales.indices {
                    await self.operate("cancel \(sale)") { try await $0.cancel(self.name(sale)) }
                }
            }
        case .night(let time): turnOff(for: time)
        case .setClock(let lead): setClock(of: machine, ahead: lead)
        }
    }

    func turnOff(for time: Duration) {
        let processes = state.withLock { state in
            state.darkUntil = max(state.darkUntil ?? .zero, simulation.clock.elapsed + time)
            return world.machines.indices.compactMap { state.processes[$0] }
        }
        for process in processes { process.kill() }
    }

    func setClock(of machine: Int, ahead lead: Duration) {
        let process = state.withLock { state in
            state.clocks[machine] = lead
            return state.processes[machine]
        }
        process?.clock.set(ahead: lead)
    }
}

/// A store at whose calls something may happen.
struct Tripwires: ForwardingOutboxStore {
    let base: any OutboxStore
    let machine: Int
    let process: SimulatedProcess
    let play: OutboxPlay

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        try await step([.call(call)], body)
    }

    func apply(_ changes: [SliceChange]) async throws -> [Bool] {
        let isOutcome = changes.contains { [.ready, .done].contains($0.slice.state) }
        return try await step([.call(.apply)] + (isOutcome ? [.outcome] : [])) { try await $0.apply(changes) }
    }

    func orphans(of worker: Int64) async throws -> [SliceRow] {
        let found = try await forward(.orphans) { try await $0.orphans(of: worker) }
        if !found.isEmpty, play.noteOrphans(by: machine) {
            // The other worker has some time before this one takes its slices.
            play.happen(.pause(.seconds(3)), to: process, on: machine)
            await process.pass()
        }
        return found
    }

    private func step<Value: Sendable>(
        _ steps: [OutboxWorld.Trip.Step], _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        let trips = play.trips(machine, steps)
        for trip in trips where !trip.isAfter { await happen(trip) }
        let value = try await body(base)
        for trip in trips where trip.isAfter { await happen(trip) }
        return value
    }

    private func happen(_ trip: OutboxWorld.Trip) async {
        play.simulation.tell("--- \(process.name) \(trip.isAfter ? "after" : "before") \(trip.step): \(trip.event)")
        play.happen(trip.event, to: process, on: machine)
        await process.pass()
    }
}
