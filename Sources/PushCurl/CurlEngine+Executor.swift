import PushCore

extension CurlEngine: TaskExecutor {
    /// A task that prefers this executor goes on here as soon as its answer is read, without waking another thread.
    /// When the thread has ended, tasks go on where others do.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = inbox.withLock { inbox in
            guard !inbox.hasFinished else { return false }
            inbox.jobs.append(job)
            wake(&inbox)
            return true
        }
        if !isTaken { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
