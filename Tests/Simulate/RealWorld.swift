import Glibc
import PushSimulationTesting

// The program's calls to the system come here first. During a run, no real time passes, all randomness comes from the
// seed, no thread waits, and nothing goes over a network. A call that breaks this ends the run with its name and its
// callers. Outside a run, the system answers. The functions are public because an optimised build hides others from the
// system's libraries.
//
// All their arguments are words or narrower, so one shape serves each of them. There is no lazy global, because the
// first use of one may take a system call.

/// Notes a use. Not inlined, because the callers are counted from here.
@inline(never)
private func note(_ what: String) {
    guard let run = Scheduler.current, run.isHere, !run.isOutside else { return }
    run.breach(what + Backtrace.here(skipping: 3))
}

/// Calls the system's own function with this name, which leaves alone what it has no parameter for.
private func system(
    _ name: String, _ a: Int, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0, _ e: Int = 0, _ f: Int = 0, _ g: Int = 0
) -> Int {
    typealias Function = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
    guard let place = dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) else {
        fatalError("the system has no \(name)")
    }
    return unsafeBitCast(place, to: Function.self)(a, b, c, d, e, f, g)
}

// MARK: Time

@_cdecl("clock_gettime") public func simulatedClock(_ clock: Int, _ time: Int) -> Int {
    note("the real clock")
    return system("clock_gettime", clock, time)
}

@_cdecl("gettimeofday") public func simulatedTimeOfDay(_ time: Int, _ zone: Int) -> Int {
    note("the real time of day")
    return system("gettimeofday", time, zone)
}

@_cdecl("time") public func simulatedTime(_ time: Int) -> Int {
    note("the real time of day")
    return system("time", time)
}

@_cdecl("nanosleep") public func simulatedSleep(_ time: Int, _ rest: Int) -> Int {
    note("a sleep of the thread")
    return system("nanosleep", time, rest)
}

@_cdecl("clock_nanosleep") public func simulatedClockSleep(
    _ clock: Int, _ flags: Int, _ time: Int, _ rest: Int
) -> Int {
    note("a sleep of the thread")
    return system("clock_nanosleep", clock, flags, time, rest)
}

@_cdecl("usleep") public func simulatedShortSleep(_ microseconds: Int) -> Int {
    note("a sleep of the thread")
    return system("usleep", microseconds)
}

@_cdecl("sleep") public func simulatedLongSleep(_ seconds: Int) -> Int {
    note("a sleep of the thread")
    return system("sleep", seconds)
}

// MARK: Waits for another thread or for a file

@_cdecl("sem_wait") public func simulatedSemaphoreWait(_ semaphore: Int) -> Int {
    note("a wait of the thread")
    return system("sem_wait", semaphore)
}

@_cdecl("sem_timedwait") public func simulatedSemaphoreTimedWait(_ semaphore: Int, _ end: Int) -> Int {
    note("a wait of the thread")
    return system("sem_timedwait", semaphore, end)
}

@_cdecl("pthread_cond_wait") public func simulatedConditionWait(_ condition: Int, _ mutex: Int) -> Int {
    note("a wait of the thread")
    return system("pthread_cond_wait", condition, mutex)
}

@_cdecl("pthread_cond_timedwait") public func simulatedConditionTimedWait(
    _ condition: Int, _ mutex: Int, _ end: Int
) -> Int {
    note("a wait of the thread")
    return system("pthread_cond_timedwait", condition, mutex, end)
}

@_cdecl("dispatch_sync") public func simulatedDispatchedWait(_ queue: Int, _ block: Int) -> Int {
    note("a wait of the thread")
    return system("dispatch_sync", queue, block)
}

@_cdecl("poll") public func simulatedPoll(_ files: Int, _ count: Int, _ milliseconds: Int) -> Int {
    note("a wait of the thread")
    return system("poll", files, count, milliseconds)
}

@_cdecl("select") public func simulatedSelect(
    _ count: Int, _ reads: Int, _ writes: Int, _ errors: Int, _ time: Int
) -> Int {
    note("a wait of the thread")
    return system("select", count, reads, writes, errors, time)
}

@_cdecl("epoll_wait") public func simulatedEventWait(
    _ file: Int, _ events: Int, _ count: Int, _ milliseconds: Int
) -> Int {
    note("a wait of the thread")
    return system("epoll_wait", file, events, count, milliseconds)
}

// MARK: Threads, networks, randomness

@_cdecl("pthread_create") public func simulatedStart(
    _ thread: Int, _ attributes: Int, _ body: Int, _ argument: Int
) -> Int {
    note("a thread")
    return system("pthread_create", thread, attributes, body, argument)
}

@_cdecl("dispatch_async") public func simulatedDispatch(_ queue: Int, _ block: Int) -> Int {
    note("work for another thread")
    return system("dispatch_async", queue, block)
}

/// A queue ends on another thread, which is started if none is free.
@_cdecl("dispatch_release") public func simulatedRelease(_ object: Int) -> Int {
    note("work for another thread")
    return system("dispatch_release", object)
}

@_cdecl("socket") public func simulatedSocket(_ domain: Int, _ type: Int, _ number: Int) -> Int {
    note("a socket")
    return system("socket", domain, type, number)
}

@_cdecl("getrandom") public func simulatedRandom(_ bytes: Int, _ count: Int, _ flags: Int) -> Int {
    note("the system's random numbers")
    return system("getrandom", bytes, count, flags)
}

@_cdecl("getentropy") public func simulatedEntropy(_ bytes: Int, _ count: Int) -> Int {
    note("the system's random numbers")
    return system("getentropy", bytes, count)
}

/// What Swift's `Mutex` waits by, and where its random numbers come from.
@_cdecl("syscall") public func simulatedCall(
    _ number: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int
) -> Int {
    #if arch(arm64)
        let (random, futex) = (278, 98)
    #else
        let (random, futex) = (318, 202)
    #endif
    if number == random { note("the system's random numbers") }
    // The operation is in the low bits: a wait, a lock, a wait for bits, and the newer lock.
    if number == futex, b & 127 == 0 || b & 127 == 6 || b & 127 == 9 || b & 127 == 13 { note("a wait of the thread") }
    return system("syscall", number, a, b, c, d, e, f)
}
