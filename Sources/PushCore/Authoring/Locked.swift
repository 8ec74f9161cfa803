import Glibc

/// A value behind a lock, for short critical sections without suspension.
///
/// On a POSIX mutex and not on the standard library's, because the thread sanitizer sees the one and not the other.
///
/// `@unchecked`: `value` is touched between lock and unlock only.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

extension Locked: CustomReflectable {
    /// Nothing: a dump would read the value without the lock, and may show what nobody may see.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
