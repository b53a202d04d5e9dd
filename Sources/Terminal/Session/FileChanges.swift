import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reports that a file was written to, without a timer: a thread waits in the kernel for it.
///
/// Linux: inotify(7). Elsewhere: kqueue(2).
final class FileChanges: Sendable {
    private struct State {
        var queue: Int32
        /// The watch of the file (inotify).
        var watch: Int32 = -1
    }

    private let state: Locked<State>
    private let isStopped = Locked(false)

    #if canImport(Glibc)
        /// Watches the open `file`, which still has the name `path`; nil when the system allows no further watch.
        init?(of file: Int32, at path: [CChar]) {
            let queue = inotify_init1(Int32(IN_CLOEXEC))
            guard queue >= 0 else { return nil }
            let watch = inotify_add_watch(queue, path, UInt32(IN_MODIFY))
            guard watch >= 0 else {
                SystemCalls.close(queue)
                return nil
            }
            state = Locked(State(queue: queue, watch: watch))
        }

        /// Waits for the next change; false after `stop`.
        func wait() -> Bool {
            let queue = state.withLock { $0.queue }
            // The events say nothing that the file does not: only that there is one counts.
            guard SystemCalls.readSome(from: queue, limit: 4096) != nil else { return false }
            return !isStopped.withLock { $0 }
        }

        /// Ends the wait. Called once.
        func stop() {
            isStopped.withLock { $0 = true }
            // The removal is an event itself and wakes the thread.
            _ = state.withLock { inotify_rm_watch($0.queue, $0.watch) }
        }
    #else
        /// Watches the open `file`; nil when the system has no further queue.
        init?(of file: Int32, at path: [CChar]) {
            let queue = kqueue()
            guard queue >= 0 else { return nil }
            var changes = [
                kevent(
                    ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
                    fflags: UInt32(NOTE_WRITE), data: 0, udata: nil),
                kevent(
                    ident: 0, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0, data: 0,
                    udata: nil),
            ]
            guard kevent(queue, &changes, Int32(changes.count), nil, 0, nil) == 0 else {
                SystemCalls.close(queue)
                return nil
            }
            _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
            state = Locked(State(queue: queue))
        }

        /// Waits for the next change; false after `stop`.
        func wait() -> Bool {
            let queue = state.withLock { $0.queue }
            var event = kevent()
            var count = kevent(queue, nil, 0, &event, 1, nil)
            while count < 0, errno == EINTR { count = kevent(queue, nil, 0, &event, 1, nil) }
            return count > 0 && !isStopped.withLock { $0 }
        }

        /// Ends the wait. Called once.
        func stop() {
            isStopped.withLock { $0 = true }
            var wake = kevent(
                ident: 0, filter: Int16(EVFILT_USER), flags: 0, fflags: UInt32(NOTE_TRIGGER), data: 0, udata: nil)
            _ = state.withLock { kevent($0.queue, &wake, 1, nil, 0, nil) }
        }
    #endif

    deinit {
        state.withLock { SystemCalls.close($0.queue) }
    }
}
