public import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The clocks of the operating system.
public struct SystemClock: PushClock {
    /// The clocks of this machine.
    public init() {}

    /// The time since the machine started, the same in all its processes. It goes on while the machine sleeps.
    public var elapsed: Duration {
        var time = timespec()
        #if canImport(Darwin)
            // There it goes on while the machine sleeps.
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
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
