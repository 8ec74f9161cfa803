import Glibc
import PushAdapter

/// A gate between a test and a script. The script waits at the gate; the test opens it.
package final class Gate: Sendable {
    private let passes = Locked(0)

    package init() {}

    /// Lets this many threads through, now or later; by default, all of them.
    package func open(_ count: Int = 1 << 30) { passes.withLock { $0 += count } }

    /// Blocks the thread until the test lets it through. Returns false after two minutes.
    @discardableResult
    package func wait() -> Bool {
        for _ in 0..<120_000 {
            let isOpen = passes.withLock { passes in
                guard passes > 0 else { return false }
                passes -= 1
                return true
            }
            if isOpen { return true }
            usleep(1_000)
        }
        return false
    }
}
