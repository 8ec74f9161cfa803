import HummingbirdCore
import Synchronization

/// Counts the connections of a server, so that it can be ended when its clients have gone.
///
/// Ending the web server in the moment in which it takes a connection over stops the process: an accepted connection
/// that nobody handles is a programming error to it.
final class OpenConnections: AvailableConnectionsDelegate {
    private let count = Atomic(0)
    private let isClosing = Atomic(false)

    func connectionOpened() { count.wrappingAdd(1, ordering: .relaxed) }
    func connectionClosed() { count.wrappingSubtract(1, ordering: .relaxed) }
    func isAcceptingNewConnections() -> Bool { !isClosing.load(ordering: .relaxed) }

    /// Takes no more connections, and returns when those there are have gone, after two seconds at the latest.
    func drain() async {
        isClosing.store(true, ordering: .relaxed)
        let end = ContinuousClock.now + .seconds(2)
        while count.load(ordering: .relaxed) > 0, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
}
