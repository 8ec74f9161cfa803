import PushCore

extension CurlEngine: TaskExecutor {
    /// A task that prefers this executor resumes here as soon as its response is read, without waking another thread.
    /// After the thread has ended, such tasks run on the global executor.
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
