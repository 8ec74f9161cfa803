import ArgumentParser
import Foundation
import Glibc
import PushCrypto
import PushSimulationTesting

/// Leaves the simulation in every way that the program knows, and expects each run to fail and to name the call.
struct Breaches: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Proves that a run which uses the real world fails, and names the call.")

    private typealias Way = (what: String, use: @Sendable () -> Void)

    private static let ways: [Way] = [
        ("the real clock", { _ = ContinuousClock.now }),
        ("the real clock", { _ = Date() }),
        ("the real time of day", { with(timeval()) { _ = gettimeofday($0, nil) } }),
        ("the real time of day", { _ = time(nil) }),
        ("a sleep of the thread", { Thread.sleep(forTimeInterval: 0.001) }),
        ("a sleep of the thread", { with(timespec()) { _ = clock_nanosleep(CLOCK_REALTIME, 0, $0, nil) } }),
        ("a sleep of the thread", { usleep(1) }),
        ("a sleep of the thread", { sleep(0) }),
        (
            "a thread",
            {
                let thread = Thread {}
                thread.start()
            }
        ),
        ("work for another thread", { DispatchQueue.global().async {} }),
        ("work for another thread", { _ = DispatchQueue(label: "over") }),
        ("a socket", { _ = socket(-1, 0, 0) }),
        (
            "the system's random numbers",
            {
                var generator = SystemRandomNumberGenerator()
                _ = generator.next()
            }
        ),
        ("the system's random numbers", { with(0) { call("getrandom", Int(bitPattern: $0), 1) } }),
        ("the system's random numbers", { with(0) { _ = getentropy($0, 1) } }),
    ]

    private static let queue = DispatchQueue(label: "free")

    /// None of them lasts: the semaphore is free, the time is over, the lock is not held, or there is no such file.
    private static let waits: [@Sendable () -> Void] = [
        { with(freeSemaphore()) { _ = sem_wait($0) } },
        { with(freeSemaphore()) { semaphore in with(timespec()) { _ = sem_timedwait(semaphore, $0) } } },
        {
            with(pthread_cond_t()) { condition in
                with(checkedMutex()) { _ = pthread_cond_wait(condition, $0) }
            }
        },
        {
            with(pthread_cond_t()) { condition in
                with(checkedMutex()) { mutex in with(timespec()) { _ = pthread_cond_timedwait(condition, mutex, $0) } }
            }
        },
        { queue.sync {} },
        { with(pollfd()) { _ = poll($0, 0, 0) } },
        { with(timeval()) { _ = select(0, nil, nil, nil, $0) } },
        { call("epoll_wait", -1, 0, 1) },
        // A futex whose value is not the expected one.
        { with(1) { call("syscall", futex, Int(bitPattern: $0), 0) } },
    ]

    /// Calls a function for which Swift has no declaration.
    private static func call(_ name: String, _ a: Int, _ b: Int, _ c: Int = 0) {
        typealias Function = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
        guard let place = dlsym(nil, name) else { return }
        _ = unsafeBitCast(place, to: Function.self)(a, b, c, 0, 0, 0, 0)
    }

    #if arch(arm64)
        private static let futex = 98
    #else
        private static let futex = 202
    #endif

    private static func with<Value>(_ value: Value, _ use: (UnsafeMutablePointer<Value>) -> Void) {
        var value = value
        withUnsafeMutablePointer(to: &value, use)
    }

    private static func freeSemaphore() -> sem_t {
        var semaphore = sem_t()
        sem_init(&semaphore, 0, 1)
        return semaphore
    }

    /// A mutex that is not held, and that refuses a caller who does not hold it.
    private static func checkedMutex() -> pthread_mutex_t {
        var (attributes, mutex) = (pthread_mutexattr_t(), pthread_mutex_t())
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(&mutex, &attributes)
        return mutex
    }

    func run() throws {
        let ways = Self.ways + Self.waits.map { ("a wait of the thread", $0) }
        for (number, way) in ways.enumerated() {
            do throws(Simulation.Failure) {
                _ = try Simulation.run(seed: 1) { _ in way.use() }
            } catch {
                let isNamed = error.reason.contains("\(way.what)\n    at ")
                guard error.reason.contains("leaves the simulation"), isNamed else {
                    throw ValidationError("\(number): the run failed, but does not name \(way.what): \(error)")
                }
                print("\(way.what): named")
                continue
            }
            throw ValidationError("\(number): a run may use \(way.what)")
        }
        let drawn = try [1, 1, 2].map { try Simulation.run(seed: $0) { _ in try SecureRandom.bytes(16) }.value }
        guard drawn[0] == drawn[1], drawn[0] != drawn[2] else {
            throw ValidationError("OpenSSL's random numbers do not follow from the seed")
        }
        print("OpenSSL's random numbers: from the seed")
    }
}
