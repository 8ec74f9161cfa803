import Glibc

/// A hook in Swift's runtime that gets every job of the default executor, except those of `Task.sleep` and
/// `Task.yield`.
enum SchedulerHook {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Installs the hook once. It changes nothing while no simulation runs. False if the runtime has no hook.
    static let isInstalled: Bool = {
        guard let place = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return false }
        place.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            guard let run = Scheduler.current, run.take(job) else { return original(job) }
        }
        return true
    }()

    /// The number of a job's task, unique within a program.
    static func task(of job: UnownedJob) -> UInt64 { taskNumber(job) }

    /// Whether a job is a task rather than an actor's queue. The runtime stores the kind in the byte after the object's
    /// header and two words of the scheduler.
    static func isTask(_ job: UnownedJob) -> Bool {
        let start = unsafeBitCast(job, to: UnsafeRawPointer.self)
        return start.load(fromByteOffset: 4 * MemoryLayout<UInt>.size, as: UInt8.self) == 0
    }
}

@_silgen_name("swift_task_getJobTaskId") private func taskNumber(_ job: UnownedJob) -> UInt64
