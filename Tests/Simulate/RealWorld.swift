public import Glibc
import PushSimulationTesting

// The program's calls to the system come here first. During a run, no real time passes, all randomness comes from the
// seed, and no thread waits. A call that breaks this ends the run with its name and its callers. Outside a run, the
// system answers. The functions are public because an optimised build hides others from the system's libraries.

/// The system's own function with this name.
private func system<Function>(_ name: String, _: Function.Type) -> Function {
    guard let place = dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) else {
        fatalError("the system has no \(name)")
    }
    return unsafeBitCast(place, to: Function.self)
}

/// Not inlined, because the callers are counted from here.
@inline(never)
private func note(_ what: String) {
    guard let run = Scheduler.current, run.isHere, !run.isOutside else { return }
    run.breach(what + Backtrace.here(skipping: 3))
}

private typealias ClockGetTime = @convention(c) (clockid_t, UnsafeMutablePointer<timespec>) -> Int32
private let systemClock = system("clock_gettime", ClockGetTime.self)

@_cdecl("clock_gettime") public func simulatedClock(_ id: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
    note("the real clock")
    return systemClock(id, time)
}

private typealias GetTimeOfDay = @convention(c) (UnsafeMutablePointer<timeval>?, UnsafeMutableRawPointer?) -> Int32
private let systemTime = system("gettimeofday", GetTimeOfDay.self)

@_cdecl("gettimeofday") public func simulatedTime(
    _ time: UnsafeMutablePointer<timeval>?, _ zone: UnsafeMutableRawPointer?
) -> Int32 {
    note("the real time of day")
    return systemTime(time, zone)
}

private typealias NanoSleep = @convention(c) (UnsafePointer<timespec>?, UnsafeMutablePointer<timespec>?) -> Int32
private let systemSleep = system("nanosleep", NanoSleep.self)

@_cdecl("nanosleep") public func simulatedSleep(
    _ time: UnsafePointer<timespec>?, _ rest: UnsafeMutablePointer<timespec>?
) -> Int32 {
    note("a sleep of the thread")
    return systemSleep(time, rest)
}

private typealias USleep = @convention(c) (UInt32) -> Int32
private let systemShortSleep = system("usleep", USleep.self)

@_cdecl("usleep") public func simulatedShortSleep(_ time: UInt32) -> Int32 {
    note("a sleep of the thread")
    return systemShortSleep(time)
}

// MARK: Waits for another thread or for a file

private typealias SemaphoreWait = @convention(c) (UnsafeMutablePointer<sem_t>) -> Int32
private let systemSemaphoreWait = system("sem_wait", SemaphoreWait.self)

@_cdecl("sem_wait") public func simulatedSemaphoreWait(_ semaphore: UnsafeMutablePointer<sem_t>) -> Int32 {
    note("a wait of the thread")
    return systemSemaphoreWait(semaphore)
}

private typealias SemaphoreTimedWait =
    @convention(c) (UnsafeMutablePointer<sem_t>, UnsafePointer<timespec>) -> Int32
private let systemSemaphoreTimedWait = system("sem_timedwait", SemaphoreTimedWait.self)

@_cdecl("sem_timedwait") public func simulatedSemaphoreTimedWait(
    _ semaphore: UnsafeMutablePointer<sem_t>, _ end: UnsafePointer<timespec>
) -> Int32 {
    note("a wait of the thread")
    return systemSemaphoreTimedWait(semaphore, end)
}

private typealias Poll = @convention(c) (UnsafeMutablePointer<pollfd>?, nfds_t, Int32) -> Int32
private let systemPoll = system("poll", Poll.self)

@_cdecl("poll") public func simulatedPoll(
    _ files: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ milliseconds: Int32
) -> Int32 {
    note("a wait of the thread")
    return systemPoll(files, count, milliseconds)
}

// MARK: Threads

private typealias StartThread =
    @convention(c) (
        UnsafeMutablePointer<pthread_t>?, UnsafePointer<pthread_attr_t>?, UnsafeMutableRawPointer?,
        UnsafeMutableRawPointer?
    ) -> Int32
private let systemStart = system("pthread_create", StartThread.self)

@_cdecl("pthread_create") public func simulatedStart(
    _ thread: UnsafeMutablePointer<pthread_t>?, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ body: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    note("a thread")
    return systemStart(thread, attributes, body, argument)
}

private typealias Syscall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
/// Not lazy, unlike other globals, because lazy initialization takes a system call.
private nonisolated(unsafe) var systemCall: UnsafeMutableRawPointer?
#if arch(arm64)
    private let getRandom = 278
#else
    private let getRandom = 318
#endif

@_cdecl("syscall") public func simulatedCall(_ number: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int)
    -> Int
{
    if number == getRandom { note("the system's random numbers") }
    let place = systemCall ?? dlsym(UnsafeMutableRawPointer(bitPattern: -1), "syscall")
    systemCall = place
    return unsafeBitCast(place, to: Syscall.self)(number, a, b, c, d, e, f)
}
