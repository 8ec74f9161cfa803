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

    /// A measurement of this many requests, between two moments of this process.
    public init(requests: Int, from start: Usage, to end: Usage) {
        self.init(
            requests: requests, seconds: end.elapsed - start.elapsed, cpu: end.cpu - start.cpu, peakKB: end.peakKB)
    }

    /// Calls `one` repeatedly in parallel tasks, for a warm-up and then the measured time.
    public static func load(
        _ load: LoadArguments, on executor: (any TaskExecutor)? = nil,
        _ one: @escaping @Sendable () async throws -> Void
    ) async throws -> Measure {
        try await self.load(load.inFlight, for: load.seconds, on: executor, one)
    }

    /// Calls `one` repeatedly in parallel tasks, for a warm-up and then the measured time.
    ///
    /// - Parameters:
    ///   - inFlight: the number of tasks.
    ///   - seconds: the measured time.
    ///   - executor: where the tasks run; nil for the default executor.
    ///   - one: one request.
    ///
    /// The load is closed: each task begins its next call when its last one has a response.
    public static func load(
        _ inFlight: Int, for seconds: Double, on executor: (any TaskExecutor)? = nil,
        _ one: @escaping @Sendable () async throws -> Void
    ) async throws -> Measure {
        let state = State()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask(executorPreference: executor) {
                    while !state.isOver.load(ordering: .relaxed) {
                        try await one()
                        state.finished.add(1, ordering: .relaxed)
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(300))
            let (first, before) = (Usage(), state.finished.load(ordering: .relaxed))
            try await Task.sleep(for: .seconds(seconds))
            let (last, after) = (Usage(), state.finished.load(ordering: .relaxed))
            state.isOver.store(true, ordering: .relaxed)
            try await group.waitForAll()
            return Measure(requests: after - before, from: first, to: last)
        }
    }

    private final class State: Sendable {
        let finished = Atomic(0)
        let isOver = Atomic(false)
    }

    /// Prints it as one line of JSON.
    public func report() throws { print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self)) }
}
