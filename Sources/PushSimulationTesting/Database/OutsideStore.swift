import PushAdapter
public import PushOutbox

/// A process's view of a store outside the simulation, such as one in a file. A call itself takes no virtual time and
/// has its effect at once, even if its process ends meanwhile.
public struct OutsideStore: ForwardingOutboxStore {
    public let base: any OutboxStore
    private let process: SimulatedProcess
    private let latency: Duration

    /// - Parameters:
    ///   - base: the real store, which the simulation keeps until its run has ended.
    ///   - process: the process whose calls take the time.
    ///   - latency: the longest virtual time before a call, and after it.
    public init(_ base: any OutboxStore, for process: SimulatedProcess, latency: Duration = .milliseconds(2)) {
        (self.base, self.process, self.latency) = (base, process, latency)
        process.simulation.keep(base)
    }

    public func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        let simulation = process.simulation
        await process.pass()
        await simulation.sleep(latency * simulation.random.fraction())
        await process.pass()
        let result: Result<Value, any Error>
        do {
            result = .success(try await simulation.outside { [base] in try await body(base) })
        } catch { result = .failure(error) }
        await simulation.sleep(latency * simulation.random.fraction())
        await process.pass()
        return try result.get()
    }
}
