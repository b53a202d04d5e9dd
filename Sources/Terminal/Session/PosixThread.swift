import CTerminalGuard

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A thread of our own, for work that blocks in system calls: Swift's pool must not lose one of its few to a slow
/// terminal.
enum PosixThread {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread that accepts every signal and has a stack for their handlers; false when there is
    /// none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = pthread_create(&thread, nil, { PosixThread.run($0) }, start.toOpaque())
        guard code == 0 else {
            start.release()
            return false
        }
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread { pthread_detach(thread) }
        #endif
        return true
    }

    #if canImport(Glibc)
        private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            if let argument { run(Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()) }
            return nil
        }
    #else
        private static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            run(Unmanaged<Start>.fromOpaque(argument).takeRetainedValue())
            return nil
        }
    #endif

    private static func run(_ start: Start) {
        // The creator may be a worker of libdispatch, which blocks nearly all signals, and the mask is inherited
        // (TERM-9).
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        let stack = terminal_guard_stack_install()
        start.body()
        terminal_guard_stack_remove(stack)
    }
}
