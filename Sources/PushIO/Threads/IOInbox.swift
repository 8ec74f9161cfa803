/// The work that callers leave for the I/O thread.
struct IOInbox {
    var submitted: [Transfer] = []
    var cancelled: [Transfer] = []
    /// Requests whose callers have let them leave.
    var permitted: [(Transfer, Transfer.Place)] = []
    /// Pieces of tasks that run on this thread, see `IOThread.enqueue(_:)`.
    var jobs: [UnownedJob] = []
    var isStopping = false
    /// The thread waits for the network; only then does it need to be woken, which costs a system call.
    var isSleeping = false
    var hasFinished = false
    /// A caller waits for the end, and has not joined the thread yet.
    var mustJoin = false
    var finishers: [CheckedContinuation<Void, Never>] = []

    var isEmpty: Bool { submitted.isEmpty && cancelled.isEmpty && permitted.isEmpty && jobs.isEmpty && !isStopping }
}
