import PushAdapter
public import PushOutbox

/// A store outside the simulation, such as one in a file, as a process sees it: each call takes no time and happens at once, and
/// one whose process ended meanwhile had its effect.
public struct OutsideStore: ForwardingOutboxStore {
    public let base: any OutboxStore
    private let process: SimulatedProcess
    private let latency: Duration

    /// - Parameter latency: the longest virtual time before a call, and after it.
    public init(_ base: any OutboxStore, for process: SimulatedProcess, latency: Duration = .milliseconds(2)) {
        (self.base, self.process, self.latency) = (base, process, latency)
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
