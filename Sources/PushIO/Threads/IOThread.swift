import Glibc
package import PushAdapter

/// The work of an I/O thread. Everything runs on the thread, except `wake`.
package protocol IOWork: AnyObject, Sendable {
    /// Takes a new request.
    func begin(_ transfer: Transfer)
    /// Goes on with a request whose caller was asked, and agreed.
    func proceed(_ transfer: Transfer)
    /// Ends a request whose task was cancelled; it may have been answered meanwhile.
    func cancel(_ transfer: Transfer)
    /// Goes on with all requests; returns whether a caller got an answer, because it may have more to send at once.
    func turn() -> Bool
    /// Waits until the network or `wake` has work; without `mayBlock`, only looks.
    func wait(mayBlock: Bool)
    /// Ends `wait`; runs on any thread.
    func wake()
    /// Answers every request that is left, and releases everything.
    func end()
}

/// The I/O thread of a transport and its inbox.
///
/// `@unchecked`: `inbox` guards the state that callers share; `thread` is set before the object is shared.
package final class IOThread: @unchecked Sendable {
    private let inbox = Locked(IOInbox())
    private var thread = pthread_t()
    private let work: any IOWork

    /// Starts the thread.
    package init(_ work: any IOWork) throws(PushError) {
        self.work = work
        thread = try startThread { self.run() }
    }

    // MARK: Called from any thread

    /// Sends one request, and cancels it with its task.
    /// - Parameter mayLeave: called when the request could leave, in the caller's task; no thread waits for it.
    package func send(
        _ request: TransportRequest, to origin: Origin,
        beforeWriting mayLeave: (@Sendable () async throws(PushError) -> Void)? = nil
    ) async throws(PushError) -> WireResponse {
        let transfer = Transfer(request, to: origin, isAsked: mayLeave != nil)
        let result = await withTaskCancellationHandler { () async -> Transfer.Answer in
            var step = await withCheckedContinuation { submit(transfer, $0) }
            while true {
                if case .answer(let answer) = step { return answer }
                do throws(PushError) { try await mayLeave?() } catch {
                    cancel(transfer)
                    return .failure(error)
                }
                step = await withCheckedContinuation { proceed(transfer, $0) }
            }
        } onCancel: {
            cancel(transfer)
        }
        return try result.get()
    }

    private func submit(_ transfer: Transfer, _ place: Transfer.Place) {
        let refusal: PushError? = inbox.withLock { inbox in
            if transfer.isCancelled { return .cancelled(wasSent: false) }
            if inbox.isStopping { return PushError(.stopped, "the transport was shut down; nothing was sent") }
            // The thread does not have it yet.
            _ = transfer.wait(at: place)
            transfer.isSubmitted = true
            inbox.submitted.append(transfer)
            wake(&inbox)
            return nil
        }
        if let refusal { place.resume(returning: .answer(.failure(refusal))) }
    }

    private func proceed(_ transfer: Transfer, _ place: Transfer.Place) {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isStopping else { return false }
            inbox.permitted.append((transfer, place))
            wake(&inbox)
            return true
        }
        if !isTaken { place.resume(returning: .answer(.failure(.cancelled(wasSent: false)))) }
    }

    /// May run before `submit`: the flag then makes `submit` refuse.
    private func cancel(_ transfer: Transfer) {
        inbox.withLock { inbox in
            transfer.isCancelled = true
            guard transfer.isSubmitted, !inbox.hasFinished else { return }
            inbox.cancelled.append(transfer)
            wake(&inbox)
        }
    }

    /// Ends the thread: open requests fail with `cancelled`, later ones with `stopped`.
    package func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            wake(&inbox)
        }
    }

    /// Returns when the thread has ended and released everything.
    package func finished() async {
        await withCheckedContinuation { continuation in
            let isOver = inbox.withLock { inbox in
                if !inbox.hasFinished { inbox.finishers.append(continuation) }
                return inbox.hasFinished
            }
            if isOver { continuation.resume() }
        }
        let mustJoin = inbox.withLock { inbox in
            defer { inbox.mustJoin = false }
            return inbox.mustJoin
        }
        // The thread only has to exit, and to free the memory that libraries keep per thread.
        if mustJoin { pthread_join(thread, nil) }
    }

    func accepts(_ job: UnownedJob) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.hasFinished else { return false }
            inbox.jobs.append(job)
            wake(&inbox)
            return true
        }
    }

    private func wake(_ inbox: inout IOInbox) {
        guard inbox.isSleeping else { return }
        inbox.isSleeping = false
        work.wake()
    }

    // MARK: The I/O thread

    private func run() {
        while takeInbox() {
            wait(hasNews: work.turn())
        }
        work.end()
        let (finishers, jobs) = inbox.withLock { inbox in
            inbox.hasFinished = true
            inbox.mustJoin = !inbox.finishers.isEmpty
            if !inbox.mustJoin { pthread_detach(pthread_self()) }
            return (inbox.finishers, inbox.jobs)
        }
        for finisher in finishers { finisher.resume() }
        for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// Waits until the network or a caller has work, unless a caller already has.
    private func wait(hasNews: Bool) {
        let mayBlock = inbox.withLock { inbox in
            inbox.isSleeping = !hasNews && inbox.isEmpty
            return inbox.isSleeping
        }
        work.wait(mayBlock: mayBlock)
        if mayBlock { inbox.withLock { $0.isSleeping = false } }
    }

    /// Takes the work that callers left; false when the thread must end.
    private func takeInbox() -> Bool {
        // Jobs run first, because they may leave more work. Only those present now run, so that the network gets its
        // turn.
        let jobs = inbox.withLock { inbox in
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        let (submitted, permitted, cancelled, isStopping) = inbox.withLock { inbox in
            defer { (inbox.submitted, inbox.permitted, inbox.cancelled) = ([], [], []) }
            return (inbox.submitted, inbox.permitted, inbox.cancelled, inbox.isStopping)
        }
        for transfer in submitted { work.begin(transfer) }
        for (transfer, place) in permitted where transfer.wait(at: place) { work.proceed(transfer) }
        for transfer in cancelled where !transfer.isOver { work.cancel(transfer) }
        return !isStopping
    }
}
