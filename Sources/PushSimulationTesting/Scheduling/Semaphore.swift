import Glibc

/// A semaphore of the system, which wakes a thread.
///
/// `@unchecked`: the pointer never changes, and the system guards the semaphore behind it.
final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(_ value: UInt32) { sem_init(semaphore, 0, value) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func wait() { sem_wait(semaphore) }
    func signal() { sem_post(semaphore) }
}
