import NIOCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sockets that no other program inherits. The runtime starts a program for the backtrace of a crash, and it may wait for
/// a terminal: with an inherited listening socket it would keep the port.
enum CloseOnExec {
    static func apply(to channel: any Channel) throws {
        try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
            guard fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 else {
                throw IOError(errnoCode: errno, reason: "fcntl")
            }
        }
    }
}
