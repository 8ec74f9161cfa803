import Glibc

/// The place of Swift's runtime at which every job of the default executor comes by.
enum SchedulerHook {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
    private typealias DelayedOriginal = @convention(thin) (UInt64, UnownedJob) -> Void
    private typealias DelayHook = @convention(thin) (UInt64, UnownedJob, DelayedOriginal) -> Void
    private typealias DatedOriginal = @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob) -> Void
    private typealias DateHook =
        @convention(thin) (
            Int64, Int64, Int64, Int64, Int32, UnownedJob, DatedOriginal
        ) -> Void

    /// Installs the hooks, once; a program without a run goes on as before. False where the runtime has none.
    static let isInstalled: Bool = {
        guard let jobs = place("swift_task_enqueueGlobal_hook", Hook.self),
            let delays = place("swift_task_enqueueGlobalWithDelay_hook", DelayHook.self),
            let dates = place("swift_task_enqueueGlobalWithDeadline_hook", DateHook.self)
        else { return false }
        jobs.pointee = { job, original in
            guard let run = Scheduler.current, run.take(job) else { return original(job) }
        }
        delays.pointee = { delay, job, original in
            guard SchedulerHook.isRealSleep(), let run = Scheduler.current, run.take(job) else {
                return original(delay, job)
            }
        }
        dates.pointee = { seconds, nanoseconds, tolerance, more, clock, job, original in
            guard SchedulerHook.isRealSleep(), let run = Scheduler.current, run.take(job) else {
                return original(seconds, nanoseconds, tolerance, more, clock, job)
            }
        }
        return true
    }()

    /// Whether a task of the run sleeps by the real clock, which it must not: it goes on at once.
    private static func isRealSleep() -> Bool {
        guard let run = Scheduler.current, run.isHere, !run.isOutside else { return false }
        run.breach("Task.sleep, by the real clock\(Backtrace.here())")
        return true
    }

    private static func place<Function>(_ name: String, _: Function.Type) -> UnsafeMutablePointer<Function?>? {
        dlsym(dlopen(nil, RTLD_LAZY), name)?.assumingMemoryBound(to: Function?.self)
    }

    // MARK: Jobs

    /// The number of the task that a job belongs to; no two tasks of a program have the same one.
    static func task(of job: UnownedJob) -> UInt64 { taskNumber(job) }

    /// Whether a job is a task, and not the queue of an actor. The runtime keeps the kind in the byte after the object's header and
    /// two words of the scheduler.
    static func isTask(_ job: UnownedJob) -> Bool {
        let start = unsafeBitCast(job, to: UnsafeRawPointer.self)
        return start.load(fromByteOffset: 4 * MemoryLayout<UInt>.size, as: UInt8.self) == 0
    }
}

@_silgen_name("swift_task_getJobTaskId") private func taskNumber(_ job: UnownedJob) -> UInt64
