package import FoundationEssentials
import PushAdapter

/// A clock for tests that stands still: every sleep lasts until a test moves the clock, or until its task is cancelled.
///
/// A sleep of a ``VirtualClock`` takes no time, so nothing stays pending there.
package final class StillClock: PushClock {
    private let base = VirtualClock()
    private let observer = Locked<@Sendable () -> Void>({})

    package init() {}

    package var elapsed: Duration { base.elapsed }
    package var date: Date { base.date }
    package func advance(by duration: Duration) { base.advance(by: duration) }
    /// Calls a function at the beginning of each sleep from now on.
    package func onSleep(_ observer: @escaping @Sendable () -> Void) { self.observer.withLock { $0 = observer } }

    package func sleep(for duration: Duration) async throws(CancellationError) {
        observer.withLock { $0 }()
        try await base.expire(after: duration)
    }

    package func expire(after duration: Duration) async throws(CancellationError) {
        try await base.expire(after: duration)
    }
}
