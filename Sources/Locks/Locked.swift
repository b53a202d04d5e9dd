#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A value behind a lock, the only one of this project (docs/adr/0018-one-lock.md).
///
/// The lock is a `pthread_mutex_t`, which the thread sanitizer sees; it does not see the contended path of
/// `Synchronization.Mutex` on Linux and reports races that do not exist. Not recursive. Hold it for a few statements only,
/// never across an `await`.
package final class Locked<Value>: @unchecked Sendable {  // Every access to `value` holds `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Takes over the value; nothing else may refer to it.
    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        self.value = value
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init: error \(code)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value while the lock is held.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let code = pthread_mutex_lock(mutex)
        precondition(code == 0, "pthread_mutex_lock: error \(code)")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
