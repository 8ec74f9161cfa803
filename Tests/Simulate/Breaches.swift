import ArgumentParser
import Foundation
import Glibc
import PushSimulationTesting

/// Leaves the simulation in every way that the program knows, and expects each run to fail and to name the call.
struct Breaches: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Proves that a run which uses the real world fails, and names the call.")

    private static let ways: [(what: String, use: @Sendable () -> Void)] = [
        ("the real clock", { _ = ContinuousClock.now }),
        ("the real clock", { _ = Date() }),
        (
            "the real time of day",
            {
                var time = timeval()
                gettimeofday(&time, nil)
            }
        ),
        ("a sleep of the thread", { Thread.sleep(forTimeInterval: 0.001) }),
        ("a sleep of the thread", { usleep(1) }),
        (
            "a wait of the thread",
            {
                var semaphore = sem_t()
                sem_init(&semaphore, 0, 1)
                sem_wait(&semaphore)
            }
        ),
        (
            "a wait of the thread",
            {
                var (semaphore, end) = (sem_t(), timespec())
                sem_init(&semaphore, 0, 1)
                sem_timedwait(&semaphore, &end)
            }
        ),
        (
            "a wait of the thread",
            {
                var file = pollfd()
                _ = poll(&file, 0, 1)
            }
        ),
        (
            "a thread",
            {
                let thread = Thread {}
                thread.start()
            }
        ),
        (
            "the system's random numbers",
            {
                var generator = SystemRandomNumberGenerator()
                _ = generator.next()
            }
        ),
    ]

    func run() throws {
        for (number, way) in Self.ways.enumerated() {
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
    }
}
