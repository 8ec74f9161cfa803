public import FoundationEssentials

/// The clocks of the operating system.
public struct SystemClock: PushClock {
    private let start = ContinuousClock.now

    /// A clock whose elapsed time begins now.
    public init() {}

    public var elapsed: Duration { ContinuousClock.now - start }
    public var date: Date { Date() }

    public func sleep(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration.bounded)
        } catch {
            throw CancellationError()
        }
    }

    public func expire(after duration: Duration) async throws(CancellationError) { try await sleep(for: duration) }
}
