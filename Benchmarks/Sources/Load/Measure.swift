import FoundationEssentials
import Synchronization

/// One measurement of a program under load, as it prints it.
public struct Measure: Sendable, Codable {
    /// Responses in the measured time.
    public var requests: Int
    /// The measured time.
    public var seconds: Double
    /// Seconds of CPU in the measured time.
    public var cpu: Double
    /// The peak resident memory, in KiB.
    public var peakKB: Int

    /// A measurement of this many requests.
    public init(requests: Int, seconds: Double, cpu: Double, peakKB: Int) {
        self.requests = requests
        self.seconds = seconds
        self.cpu = cpu
        self.peakKB = peakKB
    }

    /// Calls `one` repeatedly in parallel tasks, for a warm-up and then the measured time.
    ///
    /// - Parameters:
    ///   - load: the number of tasks and the time.
    ///   - executor: where the tasks run; nil for the default executor.
    ///   - one: one request.
    ///
    /// The load is closed: each task begins its next call when its last one has a response.
    public static func load(
        _ load: LoadArguments, on executor: (any TaskExecutor)? = nil,
        _ one: @escaping @Sendable () async throws -> Void
    ) async throws -> Measure {
        let state = State()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<load.inFlight {
                group.addTask(executorPreference: executor) {
                    while !state.isOver.load(ordering: .relaxed) {
                        try await one()
                        state.finished.add(1, ordering: .relaxed)
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(300))
            let (first, before) = (Usage(), state.finished.load(ordering: .relaxed))
            try await Task.sleep(for: .seconds(load.seconds))
            let (last, after) = (Usage(), state.finished.load(ordering: .relaxed))
            state.isOver.store(true, ordering: .relaxed)
            try await group.waitForAll()
            return Measure(
                requests: after - before, seconds: last.elapsed - first.elapsed, cpu: last.cpu - first.cpu,
                peakKB: last.peakKB)
        }
    }

    private final class State: Sendable {
        let finished = Atomic(0)
        let isOver = Atomic(false)
    }

    /// Prints it as one line of JSON.
    public func report() throws { print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self)) }
}
