import Glibc

/// The place of Swift's runtime at which every job of the default executor comes by, but for those of `Task.sleep` and
/// `Task.yield`.
enum SchedulerHook {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Installs the hook, once; a program without a run goes on as before. False where the runtime has none.
    static let isInstalled: Bool = {
        guard let place = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return false }
        place.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            guard let run = Scheduler.current, run.take(job) else { return original(job) }
        }
        return true
    }()

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
