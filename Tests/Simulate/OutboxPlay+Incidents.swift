import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import PushSimulationTesting

extension OutboxPlay {
    func happen(_ incident: OutboxWorld.Incident) async {
        await simulation.sleep(incident.time)
        guard !state.withLock(\.isOver) else { return }
        simulation.tell("--- \(incident.kind)")
        let process = { [state] (machine: Int) in state.withLock { $0.processes[machine] } }
        switch incident.kind {
        case .kill(let machine): process(machine)?.kill()
        case .pause(let machine, let time):
            let stopped = process(machine)
            stopped?.pause()
            await simulation.sleep(time)
            stopped?.resume()
        case .setClock(let machine, let lead): setClock(of: machine, ahead: lead)
        case .network(let time): await network.storm(for: time)
        case .database(let time):
            var weather = SimulatedDatabase.Weather()
            (weather.lostStatements, weather.lostAnswers, weather.delays) = (
                world.badness / 2, world.badness / 2, world.badness / 4
            )
            engine.setWeather(weather)
            await simulation.sleep(time)
            engine.setWeather(SimulatedDatabase.Weather())
        case .pauseSale(let sale): await operate("pause \(sale)") { try await $0.pause(self.name(sale)) }
        case .resumeSale(let sale): await operate("resume \(sale)") { try await $0.resume(self.name(sale)) }
        case .cancelSale(let sale): await operate("cancel \(sale)") { try await $0.cancel(self.name(sale)) }
        case .resendSale(let sale):
            await operate("resend \(sale)") { try await $0.resendUnknown(self.name(sale)) }
        case .silence(let route, let time):
            sites[route].host.faults.add(.silence, times: .max)
            await simulation.sleep(time)
            sites[route].host.faults.removeAll()
        case .blackout(let time): turnOff(for: time)
        case .stop(let machine): state.withLock { $0.stops[machine] }?()
        }
    }

    /// Runs a body in a process. Starts more processes until one has completed it.
    func done(
        _ name: String, retries: Bool = true, _ body: @escaping @Sendable (SimulatedProcess) async throws -> Void
    ) async {
        for attempt in 1...100 {
            let isDone = Locked(false)
            let process = simulation.process(attempt == 1 ? name : "\(name), again") { [simulation] process in
                do {
                    try await body(process)
                    simulation.tell("\(name) is done")
                    isDone.withLock { $0 = true }
                } catch let error as PushError where error.retry == .never {
                    simulation.tell("\(name) is refused: \(error)")
                    isDone.withLock { $0 = true }
                }
            }
            await process.untilEnd()
            if isDone.withLock({ $0 }) || !retries { return }
            await simulation.sleep(.seconds(1))
        }
    }

    func operate(_ what: String, _ body: @escaping @Sendable (PushOutbox) async throws -> Void) async {
        await done("operator: \(what)", retries: false) { process in
            try await body(try await self.outbox(in: process, machine: 200))
        }
    }
}
