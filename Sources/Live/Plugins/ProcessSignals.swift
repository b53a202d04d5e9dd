package import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Process {
    /// Starts the process as `run` does, but without blocked signals. A process inherits the signals blocked in the
    /// starting thread, and threads of a pool block nearly all of them, so that it could not be asked to end.
    package func runWithoutBlockedSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
