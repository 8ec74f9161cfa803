package import Glibc
package import PushAdapter

/// Runs a closure on a new POSIX thread, which the caller joins or detaches. Throws `invalidState` if the system has none.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(PushError) -> pthread_t {
    let work = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, work.toOpaque())
    guard code == 0 else {
        work.release()
        throw PushError(.invalidState, "a thread could not be started (error \(code))")
    }
    return thread
}

private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}
