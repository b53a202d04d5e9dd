package import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Process {
    /// Starts it as `run` does. A process begins with those signals blocked that the thread blocks which starts it, and threads
    /// of a pool block nearly all: it could not be asked to end.
    package func runWithoutBlockedSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
