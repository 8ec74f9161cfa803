import Dispatch
import Glibc

/// SIGINT, SIGTERM, or the end of the parent, from the creation of this object: a server can then stop and delete its
/// files. A second signal ends the process at once.
///
/// `@unchecked`: the sources are written only in `init`.
final class StopSignal: @unchecked Sendable {
    private let signals: AsyncStream<Void>
    private var sources: [any DispatchSourceProtocol] = []

    /// - Parameter parent: the process whose end counts as a signal; nil if there is none.
    init(parent: pid_t? = nil) {
        let (signals, found) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // The next signal has its usual effect.
                signal(number, SIG_DFL)
                found.finish()
            }
            source.resume()
            sources.append(source)
        }
        guard let parent else { return }
        let watch = DispatchSource.makeTimerSource(queue: .global())
        watch.schedule(deadline: .now(), repeating: .milliseconds(200))
        watch.setEventHandler { if getppid() != parent { found.finish() } }
        watch.resume()
        sources.append(watch)
    }

    deinit { for source in sources { source.cancel() } }

    /// Returns at the first signal.
    func wait() async { for await _ in signals {} }
}
