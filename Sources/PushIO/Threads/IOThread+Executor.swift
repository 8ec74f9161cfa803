extension IOThread: TaskExecutor {
    /// A task that prefers this executor resumes here as soon as its response is read, without waking another thread.
    /// After the thread has ended, such tasks run on the global executor.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !accepts(job) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
