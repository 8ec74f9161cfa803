import Glibc
import PushAdapter
import PushIO

/// How long the machine kept this process from running, as a thread finds out that does nothing but sleep. A call that
/// ends late by that is not late.
enum Stalls {
    private static let sum = Locked(Duration.zero)
    /// A sleep that takes longer than that was held up.
    private static let longest = Duration.milliseconds(50)

    /// All of them since the start.
    static var total: Duration { sum.withLock { $0 } }

    /// Starts the thread, which runs until the process ends.
    static func watch() throws {
        let thread = try startThread {
            while true {
                let start = ContinuousClock.now
                usleep(20_000)
                let stall = ContinuousClock.now - start - longest
                if stall > .zero { sum.withLock { $0 += stall } }
            }
        }
        pthread_detach(thread)
    }
}
